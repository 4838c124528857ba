import { defineAgent } from "../agent.ts";
import { gemini } from "../wires/gemini.ts";

export default defineAgent({
  id: "gemini-cli",
  packages: { "@google/gemini-cli": "0.61.0" },
  wire: gemini,
  calls: {
    shell: (command) => ({ name: "run_shell_command", input: { command, description: "As told" } }),
    write: (path, text) => ({ name: "write_file", input: { file_path: path, content: text } }),
    delegate: (task) => ({ name: "invoke_agent", input: { agent_name: "generalist", prompt: task } }),
  },
  files: ({ root, home }) => ({
    [`${home}/.gemini/trustedFolders.json`]: JSON.stringify({ [root]: "TRUST_FOLDER" }),
    [`${home}/.gemini/settings.json`]: JSON.stringify({
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      security: { auth: { selectedType: "gemini-api-key" } },
    }),
  }),
  switches: ({ root, home }) => ({
    [`${home}/.gemini/trustedFolders.json`]: JSON.stringify({ [root]: "DO_NOT_TRUST" }),
    [`${home}/.gemini/settings.json`]: '{"hooksConfig": {"enabled": false}}\n',
  }),
  command: ({ modules, treasure, home }, prompt) => [
    "node",
    `${modules}/@google/gemini-cli/bundle/gemini.js`,
    // A model of its own choice would be asked which model to ask.
    ..."-m gemini-2.5-flash --approval-mode yolo -o json".split(" "),
    // Its own boundary, which would refuse before any hook is asked.
    `--include-directories=${treasure},${home}`,
    "-p",
    prompt,
  ],
  env: ({ url }) => ({ GEMINI_API_KEY: "a-dummy", GOOGLE_GEMINI_BASE_URL: url }),
});
