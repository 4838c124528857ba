import { defineAgent } from "../agent.ts";
import { chat } from "../wires/chat.ts";

const program = "opencode-linux-x64";

export default defineAgent({
  id: "opencode",
  packages: { [program]: "1.18.33" },
  wire: chat,
  calls: {
    shell: (command) => ({ name: "bash", input: { command, description: "As told" } }),
    write: (path, text) => ({ name: "write", input: { filePath: path, content: text } }),
    delegate: (task) => ({
      name: "task",
      input: { description: "A part of it", prompt: task, subagent_type: "general" },
    }),
  },
  files: ({ home, url }) => ({
    [`${home}/.config/opencode/opencode.json`]: JSON.stringify({
      autoupdate: false,
      share: "disabled",
      model: "port/scripted",
      small_model: "port/scripted",
      provider: {
        port: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: "a-dummy" },
          models: { scripted: { tool_call: true, limit: { context: 100_000, output: 8000 } } },
        },
      },
      permission: "allow",
    }),
  }),
  switches: () => ({}),
  command: ({ modules }, prompt) => [
    `${modules}/${program}/bin/opencode`,
    ..."run --format json -m port/scripted".split(" "),
    prompt,
  ],
  env: ({ url }) => ({
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    // It asks for its plugin package at every start, and takes no for an answer but silence for a reason to wait.
    npm_config_registry: url,
    npm_config_fetch_retries: "0",
  }),
});
