import { appendFileSync } from "node:fs";
import { isObject, type Json } from "../../../src/core/json.ts";
import { defineAgent, type Stage } from "../agent.ts";
import { responses } from "../wires/responses.ts";
import { list } from "../wires/wire.ts";

const program = ({ modules }: Stage): string =>
  `${modules}/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex`;
const config = ({ home }: Stage): string => `${home}/.codex/config.toml`;

export default defineAgent({
  id: "codex",
  packages: { "@openai/codex": "0.166.0" },
  wire: responses,
  calls: {
    shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
    write: (path, text) => ({
      name: "apply_patch",
      input: `*** Begin Patch\n*** Add File: ${path}\n${text.replace(/^(?=.)/gm, "+")}*** End Patch\n`,
    }),
    delegate: (task) => ({
      name: "spawn_agent",
      namespace: "collaboration",
      input: { task_name: "mate", message: task, fork_turns: "none" },
    }),
    wait: () => ({ name: "wait_agent", namespace: "collaboration", input: { timeout_ms: 30_000 } }),
  },
  files: (stage) => ({
    [config(stage)]: `model = "gpt-5.5"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
web_search = "disabled"
[model_providers.scripted]
name = "scripted"
base_url = "${stage.url}/v1"
env_key = "DUMMY_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
[features]
multi_agent_v2 = true
[analytics]
enabled = false
[projects."${stage.root}"]
trust_level = "trusted"
`,
  }),
  trust: async (stage, env) => {
    const hooks = await hooksKnownTo(stage, env);
    for (const { key, currentHash } of hooks)
      appendFileSync(
        config(stage),
        `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = ${JSON.stringify(currentHash)}\n`,
      );
  },
  switches: (stage) => ({ [`${stage.root}/.codex/config.toml`]: "[features]\nhooks = false\n" }),
  command: (stage, prompt) => [
    program(stage),
    ..."exec --json --color never --dangerously-bypass-approvals-and-sandbox".split(" "),
    prompt,
  ],
  env: () => ({ DUMMY_KEY: "a-dummy" }),
});

/** The hooks Codex has found and the hashes a person would agree to under `/hooks`, as its own server tells. */
async function hooksKnownTo(stage: Stage, env: Readonly<Record<string, string>>): Promise<readonly Json[]> {
  const server = Bun.spawn([program(stage), "app-server"], {
    cwd: stage.root,
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const messages = [
    { id: 1, method: "initialize", params: { clientInfo: { name: "hookline", version: "0" } } },
    { method: "initialized" },
    { id: 2, method: "hooks/list", params: { cwds: [stage.root] } },
  ];
  for (const each of messages) void server.stdin.write(`${JSON.stringify(each)}\n`);
  await server.stdin.flush();
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of server.stdout) {
    text += decoder.decode(chunk, { stream: true });
    const answer = text
      .split("\n")
      .slice(0, -1)
      .map((line): unknown => JSON.parse(line))
      .find((each) => isObject(each) && each["id"] === 2);
    if (!isObject(answer)) continue;
    server.kill();
    const hooks = list(isObject(answer["result"]) ? answer["result"]["data"] : []).flatMap((each) =>
      list(each["hooks"]),
    );
    if (hooks.length > 0) return hooks;
    break;
  }
  throw new Error(`Codex knows of no hooks: ${text}`);
}
