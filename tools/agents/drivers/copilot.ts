import { defineAgent } from "../agent.ts";
import { chat } from "../wires/chat.ts";

const program = "@github/copilot-linux-x64";

export default defineAgent({
  id: "copilot",
  dialect: "cli",
  packages: { "@github/copilot": "1.0.102", [program]: "1.0.102" },
  wire: chat,
  calls: {
    shell: (command) => ({ name: "bash", input: { command, description: "As told" } }),
    write: (path, text) => ({ name: "create", input: { path, file_text: text } }),
    delegate: (task) => ({
      name: "task",
      input: {
        description: "A part of it",
        prompt: task,
        agent_type: "general-purpose",
        name: "mate",
        mode: "sync",
      },
    }),
  },
  files: ({ root, home }) => ({
    [`${home}/.copilot/config.json`]: JSON.stringify({ trustedFolders: [root] }),
  }),
  switches: ({ root, home }) => ({
    [`${root}/.github/copilot/settings.json`]: '{"disableAllHooks": true}\n',
    [`${home}/.copilot/settings.json`]: '{"disableAllHooks": true}\n',
  }),
  command: ({ modules }, prompt) => [
    `${modules}/${program}/copilot`,
    ..."--output-format json --no-color --no-auto-update --allow-all -p".split(" "),
    prompt,
  ],
  env: ({ url, cache }) => ({
    // It unpacks itself there, once.
    XDG_CACHE_HOME: `${cache}/copilot-unpacked`,
    COPILOT_OFFLINE: "true",
    COPILOT_AUTO_UPDATE: "false",
    COPILOT_PROVIDER_TYPE: "openai",
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: "a-dummy",
    COPILOT_MODEL: "gpt-4.1",
  }),
});
