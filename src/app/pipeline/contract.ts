import { eventNames, type EventName } from "../../core/event.ts";
import { defineHost, type Ability, type Answer, type Call, type Host, type Reply } from "../../core/host.ts";
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

const definition: Host = {
  title: "Scripts of a pipeline",
  reference: "docs/pipeline.md",
  can: { [dialect]: Object.fromEntries(eventNames.map((name) => [name, canAt(name)])) },
  recognises: () => 0,
  projectDirectory: (env) => env("CLAUDE_PROJECT_DIR"),
  decode: (payload, event) => ({ ...claude.decode(payload, event), dialect }),
  encode,
};

const host = defineHost(definition);

/** Exit 0 lets it go ahead, exit 2 refuses it with the reason on stderr. */
function encode({ outcome, reason, context, notices }: Reply, call: Call): Answer {
  if (outcome === "block") return { exitCode: 2, stderr: reason };
  const stderr = notices.length === 0 ? {} : { stderr: notices.join("\n") };
  if (context.length === 0) return { exitCode: 0, ...stderr };
  const told = { hookEventName: call.native, additionalContext: context.join("\n\n") };
  return { exitCode: 0, stdout: { hookSpecificOutput: told }, ...stderr };
}

/**
 * What the hook scripts of a pipeline promise: its rules and the workspace's own, and whatever cannot be read goes ahead. `also` sees the
 * payload first; what it says becomes context.
 */
export async function pipelineContract(
  also?: (text: string) => Promise<string | undefined>,
): Promise<RunOptions> {
  const text = new TextDecoder().decode(await readStdin({ patienceMs }));
  const said = await also?.(text);
  const telling =
    said === undefined
      ? host
      : defineHost({
          ...definition,
          encode: (reply, call) => encode({ ...reply, context: [...reply.context, said] }, call),
        });
  return {
    caller: { id: "pipeline", host: telling, how: "called by a pipeline's script", failMode: "open" },
    policyOf: (root) => loadPolicy(root, process.env, registry, ["pipeline"]),
    rulesOnly: true,
    // A stop needs no payload.
    text: text.trim() === "" ? "{}" : text,
  };
}
