import type { Evaluator } from "../core/hook.ts";
import { defined } from "../core/json.ts";
import type { Outcome } from "../core/outcome.ts";
import type { Rule } from "../core/rule.ts";
import * as v from "valibot";
import { usualSources, type SourceSettings } from "../sources/places.ts";
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
  const names = registry.expandPresets(presetsOf(layers));
  const presetMode: Mode = names.some((name) => registry.presets[name]?.mode === "observe")
    ? "observe"
    : "enforce";
  const notes: string[] = [];
  const rules = Object.entries(registry.rules).flatMap(
    ([id, rule]) => compileRule(id, rule, names, layers, notes, registry) ?? [],
  );
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
  return { mode, extends: names, rules, ledger, sources, hooks, handlers, packs, notes };
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
  const lock = said.find(({ setting }) => setting.locked);
  // A locked rule takes no options from presets that other layers chose.
  const names = lock?.layer.extends ? registry.expandPresets(lock.layer.extends) : presets;
  const mine = names.flatMap((name) => (Object.hasOwn(rule.presets, name) ? [rule.presets[name] ?? {}] : []));
  if (mine.length === 0 && said.length === 0) return undefined;
  const effective = lock ? [lock] : said;
  for (const { layer } of lock ? said.filter((each) => each !== lock) : []) {
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
    ...(lock ? { locked: true } : {}),
  };
}

const toOutcome = (word: SettingWord | undefined, own: Outcome): Outcome => {
  if (word === undefined || word === "on") return own;
  return word === "off" ? "pass" : word;
};
