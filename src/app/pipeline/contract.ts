import { eventNames, type EventName } from "../../core/event.ts";
import { defineHost, type Ability, type Answer, type Call, type Reply } from "../../core/host.ts";
import claude from "../../hosts/claude-code/host.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { readStdin } from "../../platform/stdin.ts";
import { registry } from "../registry.ts";
import { patienceMs, type RunOptions } from "../run.ts";

const dialect = "exit-code";

/** After a tool a warning is context for the model; elsewhere it is a line on stderr. */
const canAt = (name: EventName): readonly Ability[] => {
  if (name === "PostToolUse" || name === "PostToolUseFailure") return ["warn", "context"];
  return refusable.has(name) ? ["warn", "notice", "block"] : ["warn", "notice"];
};

const refusable = new Set<EventName>([
  "PreToolUse",
  "PermissionRequest",
  "UserPromptSubmit",
  "Stop",
  "SubagentStop",
]);

const host = defineHost({
  title: "Scripts of a pipeline",
  reference: "docs/pipeline.md",
  can: { [dialect]: Object.fromEntries(eventNames.map((name) => [name, canAt(name)])) },
  recognises: () => 0,
  projectDirectory: (env) => env("CLAUDE_PROJECT_DIR"),
  decode: (payload, event) => ({ ...claude.decode(payload, event), dialect }),
  encode,
});

/** Exit 0 lets it go ahead, exit 2 refuses it with the reason on stderr. */
function encode({ outcome, reason, context, notices }: Reply, call: Call): Answer {
  if (outcome === "block") return { exitCode: 2, stderr: reason };
  const stderr = notices.length === 0 ? {} : { stderr: notices.join("\n") };
  if (context.length === 0) return { exitCode: 0, ...stderr };
  const told = { hookEventName: call.native, additionalContext: context.join("\n\n") };
  return { exitCode: 0, stdout: { hookSpecificOutput: told }, ...stderr };
}

/** What the hook scripts of a pipeline promise: its rules and the workspace's own, and whatever cannot be read goes ahead. */
export async function pipelineContract(): Promise<RunOptions> {
  const text = new TextDecoder().decode(await readStdin({ patienceMs }));
  return {
    caller: { id: "pipeline", host, how: "called by a pipeline's script", failMode: "open" },
    policyOf: (root) => loadPolicy(root, process.env, registry, ["pipeline"]),
    rulesOnly: true,
    // A stop needs no payload.
    text: text.trim() === "" ? "{}" : text,
  };
}
