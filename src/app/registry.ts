import type { SelectedRule } from "../core/engine.ts";
import type { Rule } from "../core/rule.ts";
import { ruleIndex } from "../packs/lazy.generated.ts";
import { expandPresets, presets } from "../packs/presets.ts";
import type { Policy, Registry } from "../policy/policy.ts";

/** Everything a policy can choose from; loaded when a policy has to be compiled. */
export const registry = async (): Promise<Registry> => ({
  rules: (await import("../packs/index.generated.ts")).rules,
  presets,
  expandPresets,
});

/** Rules that some event of this process has needed already. */
const loaded = new Map<string, Rule>();

/** Rules that came with something else need not be loaded any more. */
export function keepRules(rules: Readonly<Record<string, Rule>>): void {
  for (const id in rules) if (rules[id]) loaded.set(id, rules[id]);
}

async function load(id: string, entry: { load(): Promise<{ default: Rule }> }): Promise<Rule> {
  const { default: rule } = await entry.load();
  loaded.set(id, rule);
  return rule;
}

interface Selection {
  readonly selected: readonly SelectedRule[];
  /** Rules that are asked when an event has been refused. */
  readonly afterDenial: readonly SelectedRule[];
  /** A policy compiled by another version may name rules this one lacks. */
  readonly unknown: readonly string[];
}

const selections = new WeakMap<Policy, Selection>();

/** The rules of a policy. */
export function selectRules(policy: Policy): Selection {
  const known = selections.get(policy);
  if (known) return known;
  const selected: SelectedRule[] = [];
  const afterDenial: SelectedRule[] = [];
  const unknown: string[] = [];
  for (const { id, outcome, failMode, options, on } of policy.rules) {
    const entry = Object.hasOwn(ruleIndex, id) ? ruleIndex[id] : undefined;
    if (!entry) {
      unknown.push(id);
      continue;
    }
    const about = on ?? entry.on;
    const list = about.denied === true ? afterDenial : selected;
    list.push({
      id,
      on: about,
      rule: () => loaded.get(id) ?? load(id, entry),
      outcome,
      failMode,
      options,
      ...(id.startsWith("workflow/") ? { declared: policy.workflows } : {}),
    });
  }
  const selection = { selected, afterDenial, unknown };
  selections.set(policy, selection);
  return selection;
}
