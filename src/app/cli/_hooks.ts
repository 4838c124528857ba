import type { HookDefinition } from "../../core/hook.ts";
import { pathBelow } from "../../core/paths.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import type { Policy } from "../../policy/policy.ts";
import { placed } from "../../sources/inline.ts";
import { loadHooks } from "../../sources/load-hooks.ts";
import type { HookProblem } from "../../sources/source.ts";
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
  const root = workspaceRoot(process.cwd(), orchestrator("deny").host, liveWorld(env));
  const { policy } = await loadPolicy(root, env, registry);
  const { definitions, problems } = loadHooks(root, policy.sources);
  return { root, policy, definitions: [...definitions, ...placed(policy.hooks, root)], problems };
}

/** Whether a hook's source is switched on. */
export const isOn = ({ source }: HookDefinition, { sources }: Policy): boolean =>
  source === "inline" || sources[source] !== "off";

/** What a hook runs, in one line. */
export function describeHandler({ handler }: HookDefinition, root: string): string {
  if (handler.kind === "http") return `POST ${handler.url}`;
  if (handler.kind === "prompt") return `the prompt ${JSON.stringify(handler.prompt.slice(0, 200))}`;
  if (handler.kind === "module") return `module ${pathBelow(root, handler.path) ?? handler.path}`;
  const { script, shell, args = [] } = handler;
  if (shell !== undefined) return `sh -c ${JSON.stringify(shell)}`;
  const words = script === undefined ? args : [pathBelow(root, script) ?? script, ...args];
  return words.map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : JSON.stringify(word))).join(" ");
}
