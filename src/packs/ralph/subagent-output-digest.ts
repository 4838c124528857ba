import type { Event } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { logEffects } from "../../workflow/ralph-logs.ts";
import { sha256 } from "../../workflow/sha256.ts";
import { logHookError } from "./_hook-errors.ts";
import { folderOption } from "./_log-folder.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };
const delegate = { agent: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-1" };

export default defineRule({
  summary: "Adds the hash of every subagent's answer to the session's `logs/subagent-digests.jsonl`.",
  why: "Whether an answer is the one that was given, and whether a run gives the same again, is told by its hash.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["PostToolUse", "SubagentStop"] },
  options: (v) => v.strictObject({ folder: folderOption(v) }),
  catalogue: {
    number: 20,
    title: "Subagent Output Digest",
    tier: "P2",
    lifecycle: "PostTool",
    serves: "audit",
  },
  messages: {
    digested: { what: "the hash of the answer of {subagent} is in `logs/subagent-digests.jsonl`." },
  },
  examples: {
    catches: [
      { event: "PostToolUse", files, delegate, output: "status: completed" },
      { event: "SubagentStop", files, agent: "Ralph-v2-Executor", said: "status: completed" },
    ],
    allows: [
      { event: "PostToolUse", delegate, output: "status: completed" },
      { event: "PostToolUse", files, shell: "npm test", output: "status: completed" },
      { event: "SubagentStop", files, agent: "Ralph-v2-Executor" },
    ],
  },
  onFailure: logHookError(20),
  load: (event) => {
    const answer = answerIn(event);
    return answer === undefined ? undefined : sha256(answer.text);
  },
  *check({ event, world, options, loaded }) {
    const answer = answerIn(event);
    if (answer === undefined || loaded === undefined) return;
    const { subagent } = answer;
    const entry = { subagent: subagent ?? null, sha256: loaded, length: answer.text.length };
    for (const effect of logEffects(event, world, "subagent-digests.jsonl", entry, options.folder)) {
      yield { effect };
      yield { message: "digested", outcome: "pass", data: { subagent: subagent ?? "a subagent" } };
    }
  },
});

/** What a subagent answered, as the host gives it: text as it stands, anything else as JSON. */
function answerIn({
  name,
  actions,
  agent,
  tool,
  said,
}: Event): { subagent?: string; text: string } | undefined {
  const call = actions.find((action) => action.kind === "delegate");
  const subagent = name === "SubagentStop" ? (agent?.type ?? agent?.id) : call?.agent;
  const output = name === "SubagentStop" ? said : call && tool?.output;
  if (output === undefined || output === null) return undefined;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return { text, ...(subagent === undefined ? {} : { subagent }) };
}
