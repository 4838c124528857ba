import * as v from "valibot";
import { LineCounter } from "yaml";
import { isObject } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import { optionNames, type Rule } from "../core/rule.ts";
import { parseYaml } from "../core/yaml-parse.ts";
import { offsetOf, type Path } from "../core/yaml-place.ts";
import type { HookDefinition } from "../core/hook.ts";
import { readInline } from "../sources/inline.ts";
import { sourceWords, usualSources, type SourceSettings } from "../sources/places.ts";
import { handlersSchema, type HandlersLayer } from "./handler-settings.ts";
import { ledgerSchema, type LedgerLayer } from "./ledger-settings.ts";
import { routingSchema, type RoutingLayer } from "./routing-settings.ts";
import {
  failModes,
  modes,
  settingWords,
  type Layer,
  type LayerName,
  type Problem,
  type ProblemCode,
  type Registry,
  type RuleSetting,
} from "./policy.ts";
import type { Workflow } from "../workflow/declared/model.ts";
import { readStop, stopName } from "./read-stop.ts";
import { readWorkflow } from "./read-workflow.ts";
import { sayYamlProblem } from "./_yaml-problem.ts";

type Report = (path: Path, code: ProblemCode, text: string, hint: string) => void;

/** Reads one policy file. Every mistake is reported, with its place and what was expected instead. */
export function readLayer(
  name: LayerName,
  file: string,
  text: string,
  registry: Registry,
  include: Include = () => ({ trouble: "only a file can name another" }),
): { layer: Layer; problems: Problem[] } {
  suggestions = 0;
  const problems: Problem[] = [];
  const { value, report, lineOf } = readDocument(file, text, problems);
  const empty: Layer = { name, file, rules: {} };
  if (problems.length > 0 || value === null || value === undefined) return { layer: empty, problems };
  if (!isObject(value)) {
    report(
      [],
      "HL_BAD_VALUE",
      "a policy is a mapping of keys",
      `Expected keys such as ${topKeys.join(", ")}.`,
    );
    return { layer: empty, problems };
  }
  const top = readTop(value, empty, lineOf, registry, report);
  const workflows = [
    ...readWorkflows(value["workflows"], empty, { report, include, problems }),
    ...readStops(value, report),
  ];
  const declared = workflows.length === 0 ? {} : { workflows };
  return { layer: { name, file, ...top, ...declared }, problems };
}

/** The file that a policy names for one of its workflows. */
export type Include = (
  path: string,
) => { readonly file: string; readonly text: string } | { readonly trouble: string };

/** A YAML text as a value, with a way to say what is wrong at some place of it. */
function readDocument(
  file: string,
  text: string,
  problems: Problem[],
): { value: unknown; report: Report; lineOf: (path: Path) => number } {
  const lines = new LineCounter();
  const document = parseYaml(text, lines);
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const report: Report = (path, code, said, hint) => {
    // Enough to go on with; a file full of mistakes must not hold anybody up.
    if (problems.length >= maxProblems) return;
    problems.push({ file, ...at(offsetOf(document, path)), key: path.join("."), text: said, hint, code });
  };
  const lineOf = (path: Path): number => at(offsetOf(document, path)).line;
  // One is enough: what follows the first is mostly its consequence.
  for (const error of document.errors.slice(0, 1))
    problems.push({ file, ...at(error.pos[0]), ...sayYamlProblem(error, text), code: "HL_YAML" });
  if (document.errors.length > 0) return { value: undefined, report, lineOf };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), report, lineOf };
  } catch (error) {
    report(
      [],
      "HL_YAML",
      error instanceof Error ? error.message : String(error),
      "Write the values out instead of using aliases.",
    );
    return { value: undefined, report, lineOf };
  }
}

const maxProblems = 20;

const topKeys = [
  "extends",
  "mode",
  "rules",
  "ledger",
  "sources",
  "hooks",
  "handlers",
  "workflows",
  "stop",
  "routing",
];
const ruleKeys = ["outcome", "failMode", "options", "locked"];
// `$schema` and `version` are for editors and for later; they change nothing today.
const silentKeys = ["$schema", "version"];

function readTop(
  value: Readonly<Record<string, unknown>>,
  { name, file }: Layer,
  lineOf: (path: Path) => number,
  registry: Registry,
  report: Report,
) {
  knownKeys(value, [...topKeys, ...silentKeys], [], report);
  const mode = value["mode"] === undefined ? undefined : oneOf(value["mode"], modes, ["mode"], report);
  const presets =
    value["extends"] === undefined ? undefined : readExtends(value["extends"], registry, report);
  const rules: Record<string, RuleSetting> = {};
  const given = value["rules"] ?? {};
  if (!isObject(given))
    report(
      ["rules"],
      "HL_BAD_VALUE",
      "not a mapping",
      "Expected rule ids as keys, for example `safety/self-protection: block`.",
    );
  for (const [id, setting] of Object.entries(isObject(given) ? given : {})) {
    const rule = Object.hasOwn(registry.rules, id) ? registry.rules[id] : undefined;
    if (!rule)
      report(["rules", id], "HL_UNKNOWN_RULE", `unknown rule "${id}"`, suggestRule(id, registry.rules));
    else rules[id] = readSetting(id, rule, setting, name, report);
  }
  const sources = value["sources"] === undefined ? undefined : readSources(value["sources"], report);
  const handlers = value["handlers"] === undefined ? undefined : readHandlers(value["handlers"], report);
  const hooks =
    value["hooks"] === undefined ? undefined : readHooks(value["hooks"], name, file, lineOf, report);
  const ledger = value["ledger"] === undefined ? undefined : readLedger(value["ledger"], name, report);
  const routing = value["routing"] === undefined ? undefined : readRouting(value["routing"], name, report);
  return {
    rules,
    ...(routing === undefined ? {} : { routing }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(sources === undefined ? {} : { sources }),
    ...(handlers === undefined ? {} : { handlers }),
    ...(hooks === undefined ? {} : { hooks }),
    ...(mode === undefined ? {} : { mode }),
    ...(presets === undefined ? {} : { extends: presets }),
  };
}

/** `registry: off`; the Harness may also say where its settings are. */
function readSources(value: unknown, report: Report): Partial<SourceSettings> | undefined {
  const names = Object.keys(usualSources);
  const hint = `Expected any of ${names.join(", ")}, each ${sourceWords.join(", ")}.`;
  if (!isObject(value)) {
    report(["sources"], "HL_BAD_VALUE", "not a mapping", hint);
    return undefined;
  }
  knownKeys(value, names, ["sources"], report);
  const read: Record<string, string> = {};
  for (const [name, given] of Object.entries(value)) {
    if (!names.includes(name)) continue;
    const path = ["sources", name];
    // YAML 1.1 readers take a bare `on` for true; people mean the same by both.
    const plain = typeof given === "boolean" ? (given ? "on" : "off") : given;
    const settings = name === "harness" && isObject(plain) ? plain["settings"] : undefined;
    if (typeof settings === "string") Object.assign(read, { harness: "on", harnessSettings: settings });
    else read[name] = oneOf(plain, sourceWords, path, report) ?? "off";
  }
  return read;
}

/** Hooks that stand in the policy itself. A repository's are foreign code like any other. */
function readHooks(
  value: unknown,
  layer: LayerName,
  file: string,
  lineOf: (path: Path) => number,
  report: Report,
): HookDefinition[] {
  const say = (path: Path, code: ProblemCode, text: string, hint: string): undefined => {
    report(["hooks", ...path], code, text, hint);
  };
  return readInline(value, layer === "repository" ? "hookline.yaml" : file, layer !== "repository", {
    error: say,
    // A policy has no warnings: what is doubtful in it is a mistake to mend.
    warn: say,
    lineOf: (path) => lineOf(["hooks", ...path]),
  });
}

interface Reading {
  readonly report: Report;
  readonly include: Include;
  readonly problems: Problem[];
}

/** Workflows by name, each written out or in a file of its own. */
function readWorkflows(
  value: unknown,
  { name: layer }: Layer,
  { report, include, problems }: Reading,
): Workflow[] {
  const hint =
    "Expected names of workflows, each with a mapping or the path of its file; docs/workflows.md has examples.";
  if (value === undefined) return [];
  if (!isObject(value)) {
    report(["workflows"], "HL_BAD_VALUE", "not a mapping", hint);
    return [];
  }
  return Object.entries(value).flatMap(([name, given]) => {
    const path = ["workflows", name];
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
      report(
        path,
        "HL_BAD_VALUE",
        `${show(name)} cannot name a workflow`,
        "Use letters, digits, `.`, `_` and `-`, no more than 64.",
      );
      return [];
    }
    if (typeof given !== "string")
      return readOne(name, given, layer, (inner, ...said) => report([...path, ...inner], ...said)) ?? [];
    const found = include(given);
    if ("trouble" in found) {
      report(
        path,
        "HL_UNREADABLE",
        `${show(given)} cannot be read (${found.trouble})`,
        "Name a readable file, relative to this one.",
      );
      return [];
    }
    const own = readDocument(found.file, found.text, problems);
    const workflow = own.value === undefined ? undefined : readOne(name, own.value, layer, own.report);
    return workflow ? { ...workflow, file: found.file } : [];
  });
}

/** Conditions of stopping that stand by themselves are a workflow, too. */
function readStops(value: Readonly<Record<string, unknown>>, report: Report): Workflow[] {
  if (value["stop"] === undefined) return [];
  if (isObject(value["workflows"]) && Object.hasOwn(value["workflows"], stopName))
    report(
      ["workflows", stopName],
      "HL_BAD_VALUE",
      `"${stopName}" is what the conditions of stopping are called`,
      "Give the workflow another name, or declare the conditions in it.",
    );
  return [readStop(value["stop"], (path, ...said) => report(["stop", ...path], ...said))].filter(
    (each) => each !== undefined,
  );
}

function readOne(name: string, value: unknown, layer: LayerName, report: Report): Workflow | undefined {
  if (isObject(value) && value["locked"] !== undefined && layer !== "managed")
    report(
      ["locked"],
      "HL_LOCK_NOT_MANAGED",
      "only a managed policy can lock a workflow",
      "Remove `locked`, or move it to the managed file.",
    );
  const workflow = readWorkflow(name, value, report);
  return workflow && isObject(value) && value["locked"] === true ? { ...workflow, locked: true } : workflow;
}

function readHandlers(value: unknown, report: Report): HandlersLayer | undefined {
  const keys = Object.keys(handlersSchema.entries);
  const hint = `Expected any of ${keys.join(", ")}.`;
  if (!isObject(value)) {
    report(["handlers"], "HL_BAD_VALUE", "not a mapping", hint);
    return undefined;
  }
  checkSchema(handlersSchema, value, keys, ["handlers"], "key", hint, report);
  return value;
}

function readLedger(value: unknown, layer: LayerName, report: Report): LedgerLayer | undefined {
  if (!isObject(value)) {
    report(["ledger"], "HL_BAD_VALUE", "not a mapping", `Expected any of ${ledgerKeys.join(", ")}.`);
    return undefined;
  }
  if (layer === "repository" && value["raw"] === true)
    report(
      ["ledger", "raw"],
      "HL_NOT_IN_REPOSITORY",
      "a repository cannot decide that secrets are written down",
      "Remove `raw`, or move it to your own or the managed policy.",
    );
  if (layer === "repository" && value["export"] !== undefined)
    report(
      ["ledger", "export"],
      "HL_NOT_IN_REPOSITORY",
      "a repository cannot decide where records are sent",
      "Remove `export`, or move it to your own or the managed policy.",
    );
  const hint = `Expected any of ${ledgerKeys.join(", ")}.`;
  checkSchema(ledgerSchema, value, ledgerKeys, ["ledger"], "key", hint, report);
  return value;
}

function readRouting(value: unknown, layer: LayerName, report: Report): RoutingLayer | undefined {
  const keys = Object.keys(routingSchema.entries);
  const hint = `Expected any of ${keys.join(", ")}.`;
  if (!isObject(value)) {
    report(["routing"], "HL_BAD_VALUE", "not a mapping", hint);
    return undefined;
  }
  const { abilities } = value;
  if (layer === "repository" && isObject(abilities) && abilities["rerank"] === true)
    report(
      ["routing", "abilities", "rerank"],
      "HL_NOT_IN_REPOSITORY",
      "a repository cannot decide that prompts are sent to an evaluator",
      "Remove `rerank`, or move it to your own or the managed policy.",
    );
  checkSchema(routingSchema, value, keys, ["routing"], "key", hint, report);
  return value;
}

const ledgerKeys = Object.keys(ledgerSchema.entries);

function readExtends(value: unknown, registry: Registry, report: Report): string[] {
  const list = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list)) {
    report(
      ["extends"],
      "HL_BAD_VALUE",
      "neither a preset nor a list of presets",
      `Expected any of ${Object.keys(registry.presets).join(", ")}.`,
    );
    return [];
  }
  return list.flatMap((preset: unknown, index) => {
    const path = typeof value === "string" ? ["extends"] : ["extends", index];
    if (typeof preset === "string" && Object.hasOwn(registry.presets, preset)) return [preset];
    const names = Object.keys(registry.presets);
    report(
      path,
      "HL_UNKNOWN_PRESET",
      `unknown preset ${show(preset)}`,
      suggest(String(preset), names, `Expected any of ${names.join(", ")}.`),
    );
    return [];
  });
}

function readSetting(id: string, rule: Rule, value: unknown, layer: LayerName, report: Report): RuleSetting {
  const path = ["rules", id];
  if (!isObject(value)) {
    const outcome = oneOf(value, settingWords, path, report);
    return outcome === undefined ? {} : { outcome };
  }
  knownKeys(value, ruleKeys, path, report);
  const setting: { -readonly [K in keyof RuleSetting]: RuleSetting[K] } = {};
  const outcome =
    value["outcome"] === undefined
      ? undefined
      : oneOf(value["outcome"], settingWords, [...path, "outcome"], report);
  if (outcome) setting.outcome = outcome;
  const failMode =
    value["failMode"] === undefined
      ? undefined
      : oneOf(value["failMode"], failModes, [...path, "failMode"], report);
  if (failMode) setting.failMode = failMode;
  if (value["locked"] !== undefined) {
    if (typeof value["locked"] !== "boolean")
      report(
        [...path, "locked"],
        "HL_BAD_VALUE",
        `${show(value["locked"])} is neither true nor false`,
        "Expected true or false.",
      );
    else if (layer !== "managed")
      report(
        [...path, "locked"],
        "HL_LOCK_NOT_MANAGED",
        "only a managed policy can lock a rule",
        "Remove `locked`, or move it to the managed file.",
      );
    else setting.locked = value["locked"];
  }
  const options = value["options"];
  if (options !== undefined) {
    if (!isObject(options))
      report(
        [...path, "options"],
        "HL_BAD_VALUE",
        "not a mapping",
        `\`hookline rules show ${id}\` lists the options.`,
      );
    else {
      checkOptions(id, rule, options, [...path, "options"], report);
      setting.options = options;
    }
  }
  return setting;
}

function checkOptions(
  id: string,
  rule: Rule,
  options: Readonly<Record<string, unknown>>,
  path: Path,
  report: Report,
): void {
  const hint = `\`hookline rules show ${id}\` lists the options.`;
  checkSchema(rule.options(v), options, optionNames(rule, v), path, "option", hint, report);
}

function checkSchema(
  schema: v.GenericSchema,
  value: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  path: Path,
  called: string,
  hint: string,
  report: Report,
): void {
  for (const issue of v.safeParse(schema, value).issues ?? []) {
    const inner = (issue.path ?? []).map((item) => item.key as string | number);
    const key = String(inner.at(-1) ?? "");
    if (issue.type === "strict_object" && issue.expected === "never") {
      report([...path, ...inner], "HL_UNKNOWN_KEY", `unknown ${called} "${key}"`, suggest(key, keys, hint));
    } else {
      report(
        [...path, ...inner],
        "HL_BAD_OPTION",
        `${show(issue.input)} does not fit`,
        `Expected ${issue.expected ?? "another value"}. ${hint}`,
      );
    }
  }
}

function knownKeys(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
  path: Path,
  report: Report,
): void {
  for (const key of Object.keys(value)) {
    if (!known.includes(key))
      report(
        [...path, key],
        "HL_UNKNOWN_KEY",
        `unknown key "${key}"`,
        suggest(key, known, `Expected any of ${known.join(", ")}.`),
      );
  }
}

function oneOf<T extends string>(
  value: unknown,
  words: readonly T[],
  path: Path,
  report: Report,
): T | undefined {
  if (words.includes(value as T)) return value as T;
  report(
    path,
    "HL_BAD_VALUE",
    `${show(value)} is no valid value`,
    suggest(String(value), words, `Expected any of ${words.join(", ")}.`),
  );
  return undefined;
}

/** How many were looked for in this file; it takes time, and a file may be full of mistakes. */
let suggestions = 0;

const suggest = (word: string, known: readonly string[], otherwise: string): string => {
  const near = ++suggestions > maxProblems ? undefined : nearest(word, known);
  return near === undefined ? otherwise : `Did you mean "${near}"? ${otherwise}`;
};

/** A number is how the catalogue calls a rule; a policy calls it by its name. */
function suggestRule(id: string, rules: Registry["rules"]): string {
  const all = "`hookline rules list` shows all.";
  const numbered = Object.keys(rules).find(
    (each) => `${each.split("/")[0]}/${rules[each]?.catalogue?.number}` === id,
  );
  return numbered === undefined ? suggest(id, Object.keys(rules), all) : `Did you mean "${numbered}"? ${all}`;
}

const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 80);
