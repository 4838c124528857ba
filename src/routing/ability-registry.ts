import { defined, isObject, type Json } from "../core/json.ts";
import { parseText } from "../core/yaml-document.ts";
import type { Path } from "../core/yaml-place.ts";
import {
  highKinds,
  lowKinds,
  type AbilityConfig,
  type Hints,
  type Implementation,
  type Level,
  type RegistryEntry,
} from "./ability.ts";
import { abilityId } from "./ability-document.ts";
import { fileNamed, folderOf, readFile, type Files, type Text } from "./_files.ts";
import type { RoutingProblem } from "./problem.ts";
import { misspelt, notYaml, reportsOf, textAt, textsAt, type Reports } from "./_reports.ts";

const keys = [
  "id",
  "operation_key",
  "type",
  "kind",
  "version",
  "summary",
  "scenarios",
  "scope",
  "input_schema",
  "output_schema",
  "operations",
  "routing_hints",
  "hooks",
  "implementations",
  "config",
];
const hintKeys = ["keywords", "negative_keywords", "scopes", "notes", "synonyms"];
const hookKeys = ["pre_create", "pre_call", "post_call"];

export interface ReadEntry {
  readonly entry?: RegistryEntry;
  readonly problems: readonly RoutingProblem[];
}

/** One file of `.system/registry`: a high-level ability by `id`, or a low-level one by `operation_key`. */
export function readRegistryFile({ file, text }: Text, root: string, files: Files): ReadEntry {
  const parsed = parseText(text);
  if (parsed.error) return { problems: [notYaml(file, parsed.error)] };
  const reports = reportsOf(file, parsed);
  const { value } = parsed;
  const more: RoutingProblem[] = [];
  const entry = isObject(value)
    ? toEntry(value, reports, root, files, more)
    : reports.error(
        [],
        "HL_ROUTING_FIELD",
        "a registry file is a mapping of keys",
        `Expected ${keys.join(", ")}.`,
      );
  return { ...(entry ? { entry } : {}), problems: [...reports.problems, ...more] };
}

function toEntry(
  value: Json,
  reports: Reports,
  root: string,
  files: Files,
  more: RoutingProblem[],
): RegistryEntry | undefined {
  misspelt(value, keys, [], reports);
  const level: Level = value["id"] === undefined ? "low" : "high";
  const key = level === "high" ? "id" : "operation_key";
  const id = textAt(value, key, [], reports);
  if (id === undefined || !abilityId.test(id))
    return reports.error(
      [key],
      "HL_ROUTING_FIELD",
      id === undefined ? "missing" : `${JSON.stringify(id)} is none`,
      "Expected `id` for a workflow or an agent, `operation_key` for an operation, of letters, digits, `_`, `-` and `.`.",
    );
  const kind = kindOf(value, level, reports);
  const scope = scopeOf(value, reports);
  const config = configOf(value, id, reports, root, files, more);
  return {
    level,
    id,
    summary: textAt(value, "summary", [], reports) ?? textAt(value, "description", [], reports) ?? "",
    scenarios: textsAt(value, "scenarios", [], reports),
    modules: scope.modules,
    operations: operationsOf(value, reports),
    hints: hintsOf(value["routing_hints"], reports),
    hooks: hooksOf(value["hooks"], reports),
    implementations: implementationsOf(value, id, reports, root, files, more),
    written: value,
    file: reports.file,
    line: reports.lineOf([key]),
    ...defined({
      kind,
      config,
      version: textAt(value, "version", [], reports),
      environments: scope.environments,
      operationKey: level === "high" ? textAt(value, "operation_key", [], reports) : undefined,
      inputSchema: schemaAt(value, ["input_schema", "input"], reports),
      outputSchema: schemaAt(value, ["output_schema", "output"], reports),
    }),
  };
}

function kindOf(value: Json, level: Level, reports: Reports): RegistryEntry["kind"] {
  const key = level === "high" ? "type" : "kind";
  const allowed: readonly string[] = level === "high" ? highKinds : lowKinds;
  const given = textAt(value, key, [], reports);
  if (given === undefined) {
    if (level === "high")
      reports.error([key], "HL_ROUTING_KIND", "missing", `Expected ${allowed.join(" or ")}.`);
    return undefined;
  }
  if (allowed.includes(given)) return given as NonNullable<RegistryEntry["kind"]>; // one of them, as was just seen
  return reports.error(
    [key],
    "HL_ROUTING_KIND",
    `unknown ${key} ${JSON.stringify(given)}`,
    `Expected ${allowed.join(" or ")}.`,
  );
}

/** `scope: billing`, a list, or `{modules, environments}`. */
function scopeOf(
  value: Json,
  reports: Reports,
): { readonly modules: readonly string[]; readonly environments: readonly string[] | undefined } {
  const given = value["scope"];
  if (!isObject(given)) return { modules: textsAt(value, "scope", [], reports), environments: undefined };
  misspelt(given, ["modules", "environments"], ["scope"], reports);
  return {
    modules: textsAt(given, "modules", ["scope"], reports),
    environments:
      given["environments"] === undefined ? undefined : textsAt(given, "environments", ["scope"], reports),
  };
}

function schemaAt(value: Json, names: readonly string[], reports: Reports): Json | undefined {
  const name = names.find((each) => value[each] !== undefined && value[each] !== null);
  if (name === undefined) return undefined;
  const given = value[name];
  if (isObject(given)) return given;
  return reports.error([name], "HL_ROUTING_FIELD", "not a mapping", "Expected a JSON schema.");
}

/** The whitelist of a high-level ability, by any of its names. */
const operationsOf = (value: Json, reports: Reports): readonly string[] =>
  ["operations", "callable_operations", "callable"].flatMap((key) => textsAt(value, key, [], reports));

function hintsOf(value: unknown, reports: Reports): Hints {
  const none: Hints = { keywords: [], negative: [], scopes: [], synonyms: {}, notes: "" };
  if (value === undefined || value === null) return none;
  const path = ["routing_hints"];
  if (!isObject(value)) {
    reports.error(path, "HL_ROUTING_FIELD", "not a mapping", `Expected ${hintKeys.join(", ")}.`);
    return none;
  }
  misspelt(value, hintKeys, path, reports);
  return {
    keywords: textsAt(value, "keywords", path, reports),
    negative: textsAt(value, "negative_keywords", path, reports),
    scopes: textsAt(value, "scopes", path, reports),
    synonyms: synonymsOf(value["synonyms"], [...path, "synonyms"], reports),
    notes: textsAt(value, "notes", path, reports).join(" "),
  };
}

function synonymsOf(value: unknown, path: Path, reports: Reports): Hints["synonyms"] {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) {
    reports.error(
      path,
      "HL_ROUTING_FIELD",
      "not a mapping",
      "Expected words with what people say instead, for example `invoice: [bill, receipt]`.",
    );
    return {};
  }
  return Object.fromEntries(Object.keys(value).map((word) => [word, textsAt(value, word, path, reports)]));
}

function hooksOf(value: unknown, reports: Reports): RegistryEntry["hooks"] {
  const given = isObject(value) ? value : {};
  if (value !== undefined && value !== null && !isObject(value))
    reports.error(["hooks"], "HL_ROUTING_FIELD", "not a mapping", `Expected ${hookKeys.join(", ")}.`);
  misspelt(given, hookKeys, ["hooks"], reports);
  return {
    preCreate: textsAt(given, "pre_create", ["hooks"], reports),
    preCall: textsAt(given, "pre_call", ["hooks"], reports),
    postCall: textsAt(given, "post_call", ["hooks"], reports),
  };
}

/** Written out, or the path of a file that has it. */
function implementationsOf(
  value: Json,
  operation: string,
  reports: Reports,
  root: string,
  files: Files,
  more: RoutingProblem[],
): readonly Implementation[] {
  const single = value["implementation"];
  const given = value["implementations"] ?? (single === undefined ? undefined : [single]);
  if (given === undefined || given === null) return [];
  const path = [value["implementations"] === undefined ? "implementation" : "implementations"];
  if (!Array.isArray(given)) {
    reports.error(
      path,
      "HL_ROUTING_FIELD",
      "not a list",
      "Expected implementations, or paths of files with one.",
    );
    return [];
  }
  const found = given.flatMap((each: unknown, at) => {
    const place = [...path, at];
    if (typeof each === "string") {
      const text = linked(each, place, reports, root, files, more);
      return text ? (linkedImplementation(text, operation, more) ?? []) : [];
    }
    return toImplementation(each, operation, place, reports) ?? [];
  });
  const seen = new Set<string>();
  return found.filter(({ id, file, line }) => {
    if (!seen.has(id)) return seen.add(id);
    more.push({
      file,
      line,
      level: "error",
      text: `the implementation "${id}" of ${operation} is there twice`,
      hint: "Give it an id of its own; the first counts.",
      code: "HL_ROUTING_DUPLICATE",
    });
    return false;
  });
}

function linkedImplementation(
  { file, text }: Text,
  operation: string,
  more: RoutingProblem[],
): Implementation | undefined {
  const parsed = parseText(text);
  if (parsed.error) {
    more.push(notYaml(file, parsed.error));
    return undefined;
  }
  const reports = reportsOf(file, parsed);
  const found = toImplementation(parsed.value, operation, [], reports);
  more.push(...reports.problems);
  return found;
}

function toImplementation(
  value: unknown,
  operation: string,
  path: Path,
  reports: Reports,
): Implementation | undefined {
  if (!isObject(value))
    return reports.error(
      path,
      "HL_ROUTING_FIELD",
      "neither a mapping nor the path of a file",
      "Expected id, kind, operation, invocation, tags.",
    );
  const id = textAt(value, "id", path, reports) ?? operation;
  const kind = lowKinds.find((each) => each === value["kind"]);
  if (!kind)
    return reports.error(
      [...path, "kind"],
      "HL_ROUTING_KIND",
      `${id}: ${JSON.stringify(value["kind"])} is no kind of implementation`,
      `Expected ${lowKinds.join(", ")}.`,
    );
  const own = textAt(value, "operation", path, reports);
  if (own !== undefined && own !== operation)
    reports.error(
      [...path, "operation"],
      "HL_ROUTING_MISMATCH",
      `${id} says it is of ${own}, and ${operation} names it`,
      "Make the two agree.",
    );
  const { invocation } = value;
  return {
    id,
    kind,
    invocation: isObject(invocation)
      ? invocation
      : typeof invocation === "string"
        ? { command: invocation }
        : {},
    tags: textsAt(value, "tags", path, reports),
    file: reports.file,
    line: reports.lineOf(path),
    ...(own === undefined ? {} : { operation: own }),
  };
}

/** Inline, or a file of `.system/registry/config` that is called like the ability. */
function configOf(
  value: Json,
  id: string,
  reports: Reports,
  root: string,
  files: Files,
  more: RoutingProblem[],
): AbilityConfig | undefined {
  const given = value["config"];
  if (isObject(given)) return toConfig(given, ["config"], reports);
  const reference = typeof given === "string" ? given : `.system/registry/config/${id}.yaml`;
  const text =
    typeof given === "string"
      ? linked(reference, ["config"], reports, root, files, more)
      : optional(reference, root, files, more);
  if (!text) return undefined;
  const parsed = parseText(text.text);
  if (parsed.error) {
    more.push(notYaml(text.file, parsed.error));
    return undefined;
  }
  const own = reportsOf(text.file, parsed);
  const config = isObject(parsed.value)
    ? toConfig(parsed.value, [], own)
    : own.error([], "HL_ROUTING_FIELD", "not a mapping", "Expected default_implementation, parameters.");
  more.push(...own.problems);
  return config;
}

function toConfig(value: Json, path: Path, reports: Reports): AbilityConfig {
  const parameters = isObject(value["parameters"]) ? value["parameters"] : {};
  if (value["parameters"] !== undefined && !isObject(value["parameters"]))
    reports.error(
      [...path, "parameters"],
      "HL_ROUTING_FIELD",
      "not a mapping",
      "Expected parameters by environment.",
    );
  return {
    parameters: Object.fromEntries(
      Object.entries(parameters).flatMap(([name, each]) => {
        if (isObject(each)) return [[name, each]];
        reports.error(
          [...path, "parameters", name],
          "HL_ROUTING_FIELD",
          "not a mapping",
          "Expected names with values.",
        );
        return [];
      }),
    ),
    ...defined({
      defaultImplementation: textAt(value, "default_implementation", path, reports),
      allowedImplementations:
        value["allowed_implementations"] === undefined
          ? undefined
          : textsAt(value, "allowed_implementations", path, reports),
    }),
  };
}

/** The text of a file that another one names; what is missing or outside is reported where it is named. */
function linked(
  reference: string,
  path: Path,
  reports: Reports,
  root: string,
  files: Files,
  more: RoutingProblem[],
): Text | undefined {
  const named = fileNamed(reference, folderOf(reports.file), root, files);
  if ("outside" in named)
    return reports.error(
      path,
      "HL_ROUTING_OUTSIDE",
      `${JSON.stringify(reference)} is not followed: ${named.outside}`,
      "Expected a file of this workspace.",
    );
  if ("missing" in named)
    return reports.error(
      path,
      "HL_ROUTING_MISSING",
      `there is no file ${reference}`,
      "Write the file, or take the reference out.",
    );
  return optional(named.found, root, files, more);
}

function optional(file: string, root: string, files: Files, more: RoutingProblem[]): Text | undefined {
  const { text, problems } = readFile(file, root, files);
  more.push(...problems);
  return text === undefined ? undefined : { file, text };
}
