import { consideredIn } from "../../core/considered.ts";
import { isObject, type Json } from "../../core/json.ts";
import { hosts } from "../../hosts/index.generated.ts";
import { redact } from "../../secrets/redact.ts";
import { pass, PayloadTrouble, type Passed } from "../pass.ts";
import { fromPass } from "../verdict-json.ts";
import { defineTool, given, objectOf, oneOf, text, textIn, ToolTrouble } from "./tool.ts";

export default defineTool({
  title: "Explain a verdict",
  description:
    "Would a command, a write or a whole payload be blocked, and why: every rule that was asked, what it found, and the verdict. " +
    "Carries nothing out, runs no hook and leaves no record. Give exactly one of command, write and payload.",
  input: objectOf({
    command: text("A shell command.", 100_000),
    write: text("The path of a file to be written.", 4096),
    content: text("With write: what would be written.", 200_000),
    payload: { type: "object", description: "A payload as an agent sends it." },
    host: oneOf(Object.keys(hosts), "With payload: the agent, if the payload does not tell."),
    event: text("With payload: the agent's event, if the payload does not name it.", 100),
  }),
  reads: true,
  async run(input, { root, env, cancel: _cancel }) {
    const payload = payloadOf(input);
    try {
      const passed = await pass(payload, {
        env,
        cwd: root,
        ...given(input, { host: "host", event: "event" }),
      });
      return explained(passed);
    } catch (error) {
      if (error instanceof PayloadTrouble)
        throw new ToolTrouble(`${error.message}; expected a payload as an agent sends it`);
      throw error;
    }
  },
});

function payloadOf(input: Json): Json {
  const { command, write, payload } = input;
  const asked = [command, write, payload].filter((each) => each !== undefined);
  if (asked.length !== 1) throw new ToolTrouble("give exactly one of command, write and payload");
  if (isObject(payload)) return payload;
  const call = (tool_name: string, tool_input: Json): Json => ({
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
  });
  if (typeof write === "string")
    return call("Write", { file_path: write, content: textIn(input, "content") ?? "" });
  return call("Bash", { command });
}

function explained(passed: Passed): Json {
  const { answer: _answer, ...verdict } = fromPass(passed);
  const rules = consideredIn(passed.judgement, passed.event).map(({ rule, skipped, findings }) => ({
    rule,
    ...(skipped === undefined ? { outcomes: findings.map(({ outcome }) => outcome) } : { skipped }),
  }));
  return redact({ ...verdict, rules, notes: passed.notes }).value as Json; // an object stays one
}
