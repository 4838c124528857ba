import { expandPresets, presets } from "../packs/presets.ts";
import { rules } from "../packs/index.generated.ts";
import type { SelectedRule } from "../core/engine.ts";
import type { Policy, Registry } from "../policy/policy.ts";

/** Everything a policy can choose from. */
export const registry: Registry = { rules, presets, expandPresets };

/** The rules of a policy with their code. A policy compiled by another version may name rules this one lacks. */
export function selectRules(policy: Policy): { selected: SelectedRule[]; unknown: string[] } {
  const selected: SelectedRule[] = [];
  const unknown: string[] = [];
  for (const { id, outcome, failMode, options } of policy.rules) {
    const rule = Object.hasOwn(rules, id) ? rules[id] : undefined;
    if (rule) selected.push({ id, rule, outcome, failMode, options });
    else unknown.push(id);
  }
  return { selected, unknown };
}
