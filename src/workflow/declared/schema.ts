import { isObject } from "../../core/json.ts";
import { nearest } from "../../core/nearest.ts";
import type { Schema } from "./model.ts";

/** Where a value does not fit its schema, and how. */
export interface Misfit {
  readonly path: string;
  readonly text: string;
}

const types = ["object", "array", "string", "number", "integer", "boolean", "null"];

/** What each keyword asks of a value. Adding one is adding a row. */
const keywords: Readonly<Record<string, (wanted: unknown, value: unknown, at: At) => void>> = {
  type(wanted, value, { say }) {
    const allowed = Array.isArray(wanted) ? wanted : [wanted];
    if (!allowed.some((type) => isType(value, type))) say(`is ${typeOf(value)}, not ${allowed.join(" or ")}`);
  },
  enum(wanted, value, { say }) {
    if (Array.isArray(wanted) && !wanted.some((each) => isSame(each, value)))
      say(`is ${show(value)}, not any of ${wanted.map(show).join(", ")}`);
  },
  const(wanted, value, { say }) {
    if (!isSame(wanted, value)) say(`is ${show(value)}, not ${show(wanted)}`);
  },
  required(wanted, value, { say }) {
    if (!isObject(value) || !Array.isArray(wanted)) return;
    for (const key of wanted) if (!Object.hasOwn(value, String(key))) say(`has no ${String(key)}`);
  },
  properties(wanted, value, at) {
    if (!isObject(value) || !isObject(wanted)) return;
    for (const [key, schema] of Object.entries(wanted))
      if (Object.hasOwn(value, key)) at.below(key, schema, value[key]);
  },
  additionalProperties(wanted, value, at) {
    if (!isObject(value)) return;
    const known = isObject(at.schema["properties"]) ? at.schema["properties"] : {};
    for (const [key, each] of Object.entries(value)) {
      if (Object.hasOwn(known, key)) continue;
      if (wanted === false) {
        const near = nearest(key, Object.keys(known));
        at.say(`has the unknown key "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`);
      } else at.below(key, wanted, each);
    }
  },
  items(wanted, value, at) {
    if (Array.isArray(value))
      for (const [index, each] of value.entries()) at.below(String(index), wanted, each);
  },
  minItems: limit(
    Array.isArray,
    (value: unknown[], wanted) => value.length >= wanted,
    "has fewer entries than",
  ),
  maxItems: limit(
    Array.isArray,
    (value: unknown[], wanted) => value.length <= wanted,
    "has more entries than",
  ),
  minLength: limit(isText, (value, wanted) => [...value].length >= wanted, "is shorter than"),
  maxLength: limit(isText, (value, wanted) => [...value].length <= wanted, "is longer than"),
  minimum: limit(isNumber, (value, wanted) => value >= wanted, "is less than"),
  maximum: limit(isNumber, (value, wanted) => value <= wanted, "is more than"),
  pattern(wanted, value, { say }) {
    if (isText(value) && typeof wanted === "string" && !new RegExp(wanted, "u").test(value))
      say(`is ${show(value)}, which does not match ${wanted}`);
  },
  anyOf(wanted, value, at) {
    if (Array.isArray(wanted) && !wanted.some((each) => at.fits(each, value)))
      at.say("fits none of what it may be");
  },
  allOf(wanted, value, at) {
    if (Array.isArray(wanted)) for (const each of wanted) at.below("", each, value);
  },
  not(wanted, value, at) {
    if (at.fits(wanted, value)) at.say("is what it must not be");
  },
};

/** For editors and people. */
const silent = ["$schema", "$id", "title", "description", "default", "examples", "$comment"];

interface At {
  readonly schema: Schema;
  readonly say: (text: string) => void;
  readonly below: (key: string, schema: unknown, value: unknown) => void;
  readonly fits: (schema: unknown, value: unknown) => boolean;
}

const mostMisfits = 20;
const deepest = 64;

/** Where a value does not fit a schema; nothing when it does. */
export function misfits(schema: Schema, value: unknown, path = "", depth = 0): Misfit[] {
  const found: Misfit[] = [];
  if (depth > deepest) return [{ path, text: "is nested too deep" }];
  const at: At = {
    schema,
    say: (text) => {
      if (found.length < mostMisfits) found.push({ path, text });
    },
    below(key, inner, each) {
      const name = key === "" ? path : path === "" ? key : `${path}.${key}`;
      if (found.length < mostMisfits && inner === false)
        found.push({ path: name, text: "must not be there" });
      else if (found.length < mostMisfits && isObject(inner))
        found.push(...misfits(inner, each, name, depth + 1));
    },
    fits: (inner, each) =>
      inner === true || (isObject(inner) && misfits(inner, each, path, depth + 1).length === 0),
  };
  for (const [key, wanted] of Object.entries(schema))
    if (Object.hasOwn(keywords, key)) keywords[key]?.(wanted, value, at);
  return found;
}

/** What is wrong with a schema itself: a keyword that would be ignored is one that somebody relies on. */
export function schemaProblems(
  schema: unknown,
  path: readonly string[] = [],
): { readonly path: readonly string[]; readonly text: string; readonly hint: string }[] {
  if (typeof schema === "boolean") return [];
  const known = [...Object.keys(keywords), ...silent];
  const hint = `Expected any of ${known.join(", ")}.`;
  if (!isObject(schema)) return [{ path, text: "a schema is a mapping", hint }];
  return Object.entries(schema).flatMap(([key, value]) => {
    const here = [...path, key];
    if (!known.includes(key)) {
      const near = nearest(key, known);
      const what = near === undefined ? hint : `Did you mean "${near}"? ${hint}`;
      return [{ path: here, text: `unknown keyword "${key}"`, hint: what }];
    }
    const wrong = wrongValue(key, value);
    if (wrong !== undefined) return [{ path: here, text: `${show(value)} does not fit`, hint: wrong }];
    if (key === "properties" && isObject(value))
      return Object.entries(value).flatMap(([name, each]) => schemaProblems(each, [...here, name]));
    if (key === "items" || key === "not" || key === "additionalProperties")
      return schemaProblems(value, here);
    if ((key === "anyOf" || key === "allOf") && Array.isArray(value))
      return value.flatMap((each, at) => schemaProblems(each, [...here, String(at)]));
    return [];
  });
}

function wrongValue(key: string, value: unknown): string | undefined {
  if (key === "type")
    return (Array.isArray(value) ? value : [value]).every((type) => types.includes(type as string))
      ? undefined
      : `Expected any of ${types.join(", ")}.`;
  if (["enum", "required", "anyOf", "allOf"].includes(key))
    return Array.isArray(value) ? undefined : "Expected a list.";
  if (key === "properties") return isObject(value) ? undefined : "Expected a mapping.";
  if (/^(?:min|max)/.test(key)) return isNumber(value) ? undefined : "Expected a number.";
  if (key !== "pattern") return undefined;
  try {
    return typeof value === "string" && new RegExp(value, "u") ? undefined : "Expected a regular expression.";
  } catch (error) {
    return `Expected a regular expression (${error instanceof Error ? error.message : String(error)}).`;
  }
}

function limit<T>(
  isOne: (value: unknown) => value is T,
  holds: (value: T, wanted: number) => boolean,
  text: string,
): (wanted: unknown, value: unknown, at: At) => void {
  return (wanted, value, { say }) => {
    if (isOne(value) && isNumber(wanted) && !holds(value, wanted)) say(`${text} ${wanted}`);
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;

const isType = (value: unknown, type: unknown): boolean =>
  type === "integer" ? Number.isInteger(value) : typeOf(value) === type;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const show = (value: unknown): string => (JSON.stringify(value) ?? "nothing").slice(0, 60);
