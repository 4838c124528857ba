import type { Evaluator } from "../core/hook.ts";
import { defined } from "../core/json.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Rule } from "../core/rule.ts";
import { concernsOf, programsOf, starters } from "../workflow/declared/concern.ts";
import { asksGit, conditionsOf, type Workflow } from "../workflow/declared/model.ts";
import * as v from "valibot";
import { usualSources, type SourceSettings } from "../sources/places.ts";
import { compileRouting } from "./routing-settings.ts";
import {
  usualLedger,
  type HandlerSettings,
  type Layer,
  type LedgerSettings,
  type Mode,
  type Policy,
  type PolicyRule,
  type Registry,
  type RuleSetting,
  type SettingWord,
} from "./policy.ts";

const defaultPresets = ["recommended"];

/** Merges checked layers, weakest first, over the presets they extend. */
export function compile(layers: readonly Layer[], registry: Registry): Policy {
  const notes: string[] = [];
  const workflows = workflowsOf(layers, notes);
  const names = registry.expandPresets([
    ...presetsOf(layers),
    ...(workflows.length === 0 ? [] : ["workflow"]),
  ]);
  const presetMode: Mode = names.some((name) => registry.presets[name]?.mode === "observe")
    ? "observe"
    : "enforce";
  const about = concernsOf(workflows);
  const rules = Object.entries(registry.rules).flatMap(([id, rule]) => {
    // A rule about workflows that none of them needs is left out.
    if (id.startsWith("workflow/") && !about[id]) return [];
    const compiled = compileRule(id, rule, names, layers, notes, registry);
    const on = about[id];
    return compiled ? [on ? { ...compiled, on } : compiled] : [];
  });
  const mode = layers.findLast((layer) => layer.mode)?.mode ?? presetMode;
  const ledger = layers.reduce((above, layer) => withLayer(above, layer, notes), usualLedger);
  const sources = Object.assign({}, usualSources, ...layers.map((layer) => layer.sources)) as SourceSettings;
  const last = layers.flatMap((layer) => layer.handlers ?? []);
  const handlers: HandlerSettings = {
    httpHosts: last.findLast(({ http }) => http)?.http?.allow ?? [],
    followUps: last.findLast(({ followUps }) => followUps)?.followUps ?? "show",
    ...defined({ deadlineMs: last.findLast(({ deadlineMs }) => deadlineMs)?.deadlineMs }),
    ...evaluatorsIn(layers),
  };
  const hooks = layers.flatMap((layer) => layer.hooks ?? []);
  const packs = [...new Set(rules.map(({ id }) => id.split("/")[0] ?? id))];
  const asks = workflows.some((each) => conditionsOf(each).some(asksGit)) ? { asksGit: true as const } : {};
  const declared = workflows.length === 0 ? {} : { workflows, ...asks };
  const programs = [...programsOf(workflows), ...(rules.some(({ id }) => follows.has(id)) ? starters : [])];
  const routing = compileRouting(layers.flatMap((layer) => layer.routing ?? []));
  const rest = { ...declared, ...(programs.length === 0 ? {} : { programs }), ...defined({ routing }) };
  return { mode, extends: names, rules, ledger, sources, hooks, handlers, packs, notes, ...rest };
}

/** Rules that want to know what scripts do. */
const follows = new Set([
  "pipeline/read-only-phase",
  "pipeline/parallel-commit",
  "pipeline/protected-branch",
]);

/** A later layer's workflow takes the place of an earlier one of its name. Only a managed file, which comes last, can lock one. */
function workflowsOf(layers: readonly Layer[], notes: string[]): Workflow[] {
  const found = new Map<string, { file: string; workflow: Workflow }>();
  for (const { file, workflows = [] } of layers)
    for (const workflow of workflows) {
      const other = found.get(workflow.name);
      if (other?.workflow.bare && workflow.bare) {
        found.set(workflow.name, { file, workflow: together(other.workflow, workflow) });
        continue;
      }
      if (other && workflow.locked)
        notes.push(`${other.file} cannot change the workflow ${workflow.name}: ${file} has locked it`);
      found.set(workflow.name, { file, workflow });
    }
  return [...found.values()].map(({ workflow }) => workflow);
}

/** What several layers want before the agent stops; of two that want the same the later says how often. */
function together(earlier: Workflow, later: Workflow): Workflow {
  const same = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);
  const kept = earlier.stop.filter(({ needs }) => !later.stop.some((each) => same(each.needs, needs)));
  return { ...later, watch: { ...earlier.watch, ...later.watch }, stop: [...kept, ...later.stop] };
}

/** A repository may have more of the evidence kept than its user wants, never less. */
function withLayer(above: LedgerSettings, { name, file, ledger }: Layer, notes: string[]): LedgerSettings {
  const said: Partial<LedgerSettings> = defined({ ...ledger });
  const less = (["keepDays", "contentKb"] as const).filter(
    (key) => (said[key] ?? Number.POSITIVE_INFINITY) < (above[key] ?? Number.POSITIVE_INFINITY),
  );
  if (name !== "repository" || less.length === 0) return { ...above, ...said };
  for (const key of less)
    notes.push(
      `${file} cannot lower ledger.${key} to ${String(said[key])}: a repository may have more kept, not less`,
    );
  return { ...above, ...said, ...Object.fromEntries(less.map((key) => [key, above[key]])) };
}

/** What a caller brings comes on top of what holds otherwise, and stands alone where there is no policy file. */
function presetsOf(layers: readonly Layer[]): string[] {
  const asked = layers.flatMap((layer) => layer.extends ?? []);
  const files = layers.filter((layer) => layer.name !== "caller");
  const isAlone = files.length === 0 && layers.length > 0;
  return isAlone || files.some((layer) => layer.extends) ? asked : [...defaultPresets, ...asked];
}

/** A managed file has the last word; what the repository says stays apart, because it has to be trusted. */
function evaluatorsIn(layers: readonly Layer[]): Pick<HandlerSettings, "evaluator" | "foreignEvaluator"> {
  const by = (name: Layer["name"]): Evaluator | undefined => {
    const said = layers.find((layer) => layer.name === name)?.handlers?.prompt;
    if (!said) return undefined;
    const { evaluator: kind, key: keyFrom, url = usualAddress[kind], ...rest } = said;
    return { kind, ...defined({ url, keyFrom, ...rest }) };
  };
  const [user, repository, managed] = [by("user"), by("repository"), by("managed")];
  return defined({ evaluator: managed ?? user, foreignEvaluator: managed ? undefined : repository });
}

const usualAddress: Readonly<Record<Evaluator["kind"], string | undefined>> = {
  anthropic: "https://api.anthropic.com/v1/messages",
  openai: "https://api.openai.com/v1/chat/completions",
  command: undefined,
};

function compileRule(
  id: string,
  rule: Rule,
  presets: readonly string[],
  layers: readonly Layer[],
  notes: string[],
  registry: Registry,
): PolicyRule | undefined {
  const said = layers.flatMap((layer) => {
    const setting = Object.hasOwn(layer.rules, id) ? layer.rules[id] : undefined;
    return setting ? [{ layer, setting }] : [];
  });
  const guarded = id.startsWith("workflow/") ? layers.find(hasLockedWorkflow) : undefined;
  const lock =
    said.find(({ setting }) => setting.locked) ??
    (guarded && { layer: guarded, setting: guarded.rules[id] ?? {} });
  // A locked rule takes no options from presets that other layers chose.
  const names = lock?.layer.extends ? registry.expandPresets(lock.layer.extends) : presets;
  const mine = names.flatMap((name) => (Object.hasOwn(rule.presets, name) ? [rule.presets[name] ?? {}] : []));
  if (mine.length === 0 && said.length === 0) return undefined;
  const effective = lock ? [lock] : said;
  for (const { layer } of lock ? said.filter((each) => each.layer !== lock.layer) : []) {
    notes.push(`${layer.file} cannot change ${id}: ${lock?.layer.file} has locked it`);
  }
  const last = <K extends keyof RuleSetting>(key: K): RuleSetting[K] | undefined =>
    effective.findLast(({ setting }) => setting[key] !== undefined)?.setting[key];
  const merged = Object.assign(
    {},
    ...mine,
    ...effective.map(({ setting }) => setting.options ?? {}),
  ) as unknown;
  return {
    id,
    outcome: toOutcome(last("outcome"), rule.outcome),
    failMode: last("failMode") ?? rule.failMode,
    // Each layer's options were checked on their own; merged they fit as well, and get their defaults.
    options: v.parse(rule.options(v), merged),
    ...(lock && lock.layer !== guarded ? { locked: true } : {}),
  };
}

/** Such a workflow cannot be switched off by the rules that look after it, either. */
const hasLockedWorkflow = ({ workflows = [] }: Layer): boolean => workflows.some(({ locked }) => locked);

const toOutcome = (word: SettingWord | undefined, own: Outcome): Outcome => {
  if (word === undefined || word === "on") return own;
  return word === "off" ? "pass" : word;
};
