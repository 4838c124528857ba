import { watchedLimits } from "../../platform/limits.ts";
import type { Evaluator, HookDefinition } from "../../core/hook.ts";
import { pathBelow } from "../../core/paths.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import type { Policy, Problem } from "../../policy/policy.ts";
import { placed } from "../../sources/inline.ts";
import { loadHooks } from "../../sources/load-hooks.ts";
import type { HookProblem, HookProblemCode } from "../../sources/source.ts";
import { withForeign } from "../evaluator.ts";
import { realRoot, trustedFiles } from "../../sources/trust.ts";
import { registry } from "../registry.ts";
import { workspaceRoot } from "../workspace.ts";
import { orchestrator } from "../orchestrator.ts";

export interface Registry {
  readonly root: string;
  readonly policy: Policy;
  readonly definitions: readonly HookDefinition[];
  readonly problems: readonly HookProblem[];
}

/** Every hook of the workspace we are in, whether its source is on or not. */
export async function allHooks(): Promise<Registry> {
  const env = process.env;
  const root = realRoot(workspaceRoot(process.cwd(), orchestrator("deny").host, liveWorld(env)));
  const { policy, problems: mistakes } = await loadPolicy(root, env, registry);
  const { definitions, problems } = loadHooks(
    root,
    policy.sources,
    trustedFiles(root, env),
    undefined,
    watchedLimits,
  );
  const all = withForeign([...definitions, ...placed(policy.hooks, root)], policy.handlers);
  return {
    root,
    policy,
    definitions: all,
    problems: [...mistakes.map((each) => inPolicy(each, root)), ...problems],
  };
}

/** None of a policy's hooks runs while something is wrong with it. */
const inPolicy = ({ file, line, key, text, hint, code }: Problem, root: string): HookProblem => ({
  file: pathBelow(root, file) ?? file,
  line: Math.max(line, 1),
  level: "error",
  text: key === "" ? text : `${key}: ${text}`,
  hint,
  code: code.startsWith("HL_HOOK_") ? (code as HookProblemCode) : "HL_HOOK_POLICY",
});

/** Whether a hook's source is switched on. */
export const isOn = ({ source }: HookDefinition, { sources }: Policy): boolean =>
  source === "inline" || sources[source] !== "off";

/** What a hook runs, in one line. */
export function describeHandler({ handler, match }: HookDefinition, root: string): string {
  // Only an ability has a method.
  if (handler.kind === "http") return `${match?.fields?.["method"]?.[0] ?? "POST"} ${handler.url}`;
  if (handler.kind === "prompt")
    return `the prompt ${JSON.stringify(handler.prompt.slice(0, 200))}${askedOf(handler.evaluator)}`;
  if (handler.kind === "module") return `module ${pathBelow(root, handler.path) ?? handler.path}`;
  const { script, shell, args = [] } = handler;
  if (shell !== undefined) return `sh -c ${JSON.stringify(shell)}`;
  const words = script === undefined ? args : [pathBelow(root, script) ?? script, ...args];
  return words.map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}

/** Who answers by the repository's word, with what is sent there. */
function askedOf(evaluator: Evaluator | undefined): string {
  if (!evaluator) return "";
  const { url, command, keyFrom } = evaluator;
  const key = keyFrom === undefined ? "" : ` with the key in $${keyFrom}`;
  return `, answered by ${command ? command.join(" ") : (url ?? evaluator.kind)}${key}`;
}
