import { beforeTool } from "../../core/event.ts";
import { isStricter } from "../../core/outcome.ts";
import { defineRule } from "../../core/rule.ts";
import { logEffects, shortened } from "../../workflow/ralph-logs.ts";
import { logHookError } from "./_hook-errors.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };
const denied = {
  rule: "ralph/path-allowlist",
  message: "Blocked by ralph/path-allowlist: Path is not allowed.",
};

export default defineRule({
  summary:
    "Adds every refused tool call to the session's `logs/policy-denials.jsonl`, with the rule and its reason.",
  why: "Which rules stop what, and whether they should, can only be judged by who sees all refusals together.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/p1": {} },
  on: { events: beforeTool, denied: true },
  options: (v) => v.strictObject({}),
  catalogue: { number: 19, title: "Policy Denial Audit", tier: "P1", lifecycle: "PostTool", serves: "audit" },
  messages: { audited: { what: "the refusal by {rule} is in `logs/policy-denials.jsonl`." } },
  examples: {
    catches: [
      { files, write: "src/a.ts", text: "", denied },
      {
        files,
        shell: "rm -rf build",
        denied: { rule: "ralph/destructive-command-denylist", message: "Blocked." },
      },
    ],
    allows: [
      { write: "src/a.ts", text: "", denied },
      { files, write: "src/a.ts", text: "" },
    ],
  },
  onFailure: logHookError(19),
  *check({ event, world, findings }) {
    const denials = findings.filter(({ outcome }) => isStricter(outcome, "warn"));
    const [first] = denials;
    if (!first) return;
    const entry = {
      rule: first.rule,
      reason: first.message,
      also: denials.slice(1).map(({ rule }) => rule),
      args: shortened(event.tool?.input),
    };
    for (const effect of logEffects(event, world, "policy-denials.jsonl", entry)) {
      yield { effect };
      yield { message: "audited", outcome: "pass", data: { rule: first.rule } };
    }
  },
});
