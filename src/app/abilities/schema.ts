import { Validator, type OutputUnit, type Schema } from "@cfworker/json-schema";
import { isObject, type Json } from "../../core/json.ts";
import { nearest } from "../../core/nearest.ts";
import { TimeoutError } from "../../core/engine.ts";
import { watchedLimits } from "../../platform/limits.ts";
import { redact } from "../../secrets/redact.ts";

/** The schema itself is wrong: nothing can be said about any value. */
export class BadSchema extends Error {
  override readonly name = "BadSchema";
}

/** A pattern of a schema can be made never to come to an end. */
const patienceMs = 1000;

/** What is wrong with a value by a JSON schema, each as `input.a.b: what, and what was expected`. */
export function schemaProblems(schema: Json, value: unknown, name: string): string[] {
  refuse(schema, name);
  try {
    const { errors } = watchedLimits.within(patienceMs, () =>
      // A JSON document it is; whoever wrote it meant a schema.
      new Validator(schema as Schema, "2020-12", false).validate(value),
    );
    const said = errors.flatMap((error) => inWords(error, schema, value, name) ?? []);
    return [...new Set(said)].slice(0, most);
  } catch (error) {
    if (error instanceof TimeoutError) throw new BadSchema("it took too long to check (see its patterns)");
    // A value is never that deep.
    if (error instanceof RangeError) throw new BadSchema("it refers to itself without end (see its $ref)");
    throw new BadSchema(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

const most = 20;

/** Those that only say that something inside is wrong. */
const containers = ["properties", "items", "prefixItems", "allOf", "$ref", "false", "patternProperties"];

function inWords(unit: OutputUnit, schema: Json, value: unknown, name: string): string | undefined {
  const { keyword, instanceLocation, keywordLocation, error } = unit;
  if (containers.includes(keyword)) return undefined;
  const path = steps(instanceLocation);
  const at = (more: readonly string[] = []): string => [name, ...path, ...more].join(".");
  const wanted = under(schema, steps(keywordLocation));
  const found = unsecret(path.findLast((step) => !/^\d+$/.test(step)) ?? name, under(value, path));
  if (keyword === "required") {
    const key = /"(.*)"/.exec(error)?.[1] ?? "";
    return `${at([key])}: missing`;
  }
  if (keyword === "additionalProperties" || keyword === "unevaluatedProperties") {
    const key = /"(.*?)"/.exec(error)?.[1] ?? "";
    const beside = under(schema, [...steps(keywordLocation).slice(0, -1), "properties"]);
    const known = isObject(beside) ? Object.keys(beside) : [];
    const near = nearest(key, known);
    const hint = near === undefined ? `expected ${known.join(", ") || "none"}` : `did you mean "${near}"?`;
    return `${at([key])}: unknown key; ${hint}`;
  }
  if (keyword === "type") return `${at()}: ${shown(found)} is not ${list(wanted)}`;
  if (keyword === "enum") return `${at()}: ${shown(found)} is none of ${list(wanted, ", ")}`;
  if (keyword === "const") return `${at()}: ${shown(found)} is not ${shown(wanted)}`;
  if (keyword === "pattern") return `${at()}: ${shown(found)} does not fit the pattern ${String(wanted)}`;
  if (keyword === "format") return `${at()}: ${shown(found)} is no ${String(wanted)}`;
  return `${at()}: ${keyword} ${shown(wanted)} does not hold for ${shown(found)}`;
}

const steps = (location: string): string[] =>
  location
    .split("/")
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));

function under(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inside, step) => {
    if (Array.isArray(inside)) return inside[Number(step)] as unknown;
    return isObject(inside) && Object.hasOwn(inside, step) ? inside[step] : undefined;
  }, value);
}

/** What looks like a secret, by its name or by itself, is not repeated. */
const unsecret = (name: string, value: unknown): unknown => {
  const { value: masked } = redact({ [name]: value });
  return isObject(masked) ? masked[name] : masked;
};

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

const list = (value: unknown, between = " or "): string =>
  Array.isArray(value)
    ? value.map((each) => (between === " or " ? String(each) : shown(each))).join(between)
    : String(value);

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

const otherNames: Readonly<Record<string, string>> = {
  int: "integer",
  float: "number",
  str: "string",
  text: "string",
  bool: "boolean",
  list: "array",
  dict: "object",
  map: "object",
};

/** Mistakes by which a schema would quietly allow everything. */
function refuse(schema: unknown, name: string, path = ""): void {
  if (typeof schema === "boolean") return;
  if (!isObject(schema))
    throw new BadSchema(
      `${path === "" ? name : path} is ${shown(schema)}, and a schema is a mapping such as {type: string}`,
    );
  const { type } = schema;
  const named: unknown[] = type === undefined ? [] : Array.isArray(type) ? type : [type];
  for (const each of named) {
    if (types.includes(String(each))) continue;
    const near = otherNames[String(each)] ?? nearest(String(each), types);
    throw new BadSchema(
      `${path}type is ${shown(each)}; ${near === undefined ? `expected ${types.join(", ")}` : `did you mean ${near}?`}`,
    );
  }
  for (const key of ["properties", "patternProperties", "$defs"]) {
    const inside = schema[key];
    if (inside !== undefined && !isObject(inside)) throw new BadSchema(`${path}${key} is not a mapping`);
    for (const [each, below] of Object.entries(isObject(inside) ? inside : {}))
      refuse(below, name, `${path}${key}.${each}.`);
  }
  for (const key of ["items", "additionalProperties", "not"])
    if (schema[key] !== undefined && !Array.isArray(schema[key])) refuse(schema[key], name, `${path}${key}.`);
  if (schema["required"] !== undefined && !Array.isArray(schema["required"]))
    throw new BadSchema(`${path}required is not a list of names`);
}
