import * as v from "valibot";
import { isObject } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import type { Path } from "../core/yaml-place.ts";
import type { ProblemCode } from "./policy.ts";

/** Says what is wrong with something that is declared; the path begins there. */
export type Complain = (path: Path, code: ProblemCode, text: string, hint: string) => void;

/** Every key that is not known, with the one that was probably meant, and every value that does not fit. */
export function checkShape(schema: v.GenericSchema, value: unknown, say: Complain): void {
  for (const issue of v.safeParse(schema, value).issues ?? []) {
    const path = (issue.path ?? []).map((item) => item.key as string | number);
    const key = String(path.at(-1) ?? "");
    const isUnknown = issue.type === "strict_object" && issue.expected === "never";
    if (isUnknown) {
      const known = keysAt(schema, path.slice(0, -1));
      say(path, "HL_UNKNOWN_KEY", `unknown key "${key}"`, suggest(key, known));
    } else if (issue.type === "strict_object" && issue.received === "undefined")
      say(
        path,
        "HL_BAD_VALUE",
        `"${key}" is missing`,
        "It cannot do without it; docs/workflows.md says more.",
      );
    else
      say(
        path,
        "HL_BAD_VALUE",
        `${show(issue.input)} does not fit`,
        `Expected ${issue.expected ?? "another value"}.`,
      );
  }
}

/** The keys a place in a workflow may have. */
function keysAt(schema: unknown, path: readonly (string | number)[]): string[] {
  const at = unwrapped(schema);
  const [key, ...rest] = path;
  if (key === undefined) return isObject(at["entries"]) ? Object.keys(at["entries"]) : [];
  if (isObject(at["entries"])) return keysAt(at["entries"][String(key)], rest);
  return keysAt(at["type"] === "record" ? at["value"] : at["item"], rest);
}

/** What a schema that may be missing, or has a description, is about. */
function unwrapped(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(schema)) return {};
  if ("wrapped" in schema) return unwrapped(schema["wrapped"]);
  if (Array.isArray(schema["pipe"]) && schema["pipe"][0] !== schema) return unwrapped(schema["pipe"][0]);
  return schema;
}

export const suggest = (word: string, known: readonly string[]): string => {
  const near = nearest(word, known);
  return `${near === undefined ? "" : `Did you mean "${near}"? `}Expected any of ${known.slice(0, 20).join(", ")}.`;
};

export const show = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 80);

/** A path that stays in the workspace, with forward slashes. */
export function glob(given: string, path: Path, say: Complain): string {
  const plain = given.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
  if (/^(?:\/|~|[A-Za-z]:)/.test(plain) || plain.split("/").includes(".."))
    say(
      path,
      "HL_BAD_VALUE",
      `${show(given)} leads out of the workspace`,
      "Write it relative to the workspace's root.",
    );
  return plain;
}

export const list = (given: string | readonly string[] | undefined): readonly string[] =>
  given === undefined ? [] : typeof given === "string" ? [given] : given;

export const values = (given: unknown): readonly unknown[] =>
  given === undefined ? [] : Array.isArray(given) ? (given as unknown[]) : [given];

export const mapValues = <T, U>(
  table: Readonly<Record<string, T>>,
  change: (value: T, key: string) => U,
): Record<string, U> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value, key)]));

/** `a.b` is a key in a key. */
export const keyPath = (key: string): string[] => key.split(".");
