import type { Json } from "../core/json.ts";

/** What stands between the `---` lines at the top of a page, with the empty lines before them. What follows a text is no head. */
export function headOf(text: string): string | undefined {
  const [start] = /^\uFEFF?(?:[ \t]*\r?\n)*---[ \t]*\r?\n/.exec(text) ?? [];
  if (start === undefined) return undefined;
  const rest = text.slice(start.length);
  const end = /^---[ \t]*\r?$/m.exec(rest)?.index;
  return end === undefined ? undefined : "\n".repeat(start.split("\n").length - 2) + rest.slice(0, end);
}

const lists = ["tools", "allowed-tools", "disallowed-tools", "disallowedTools"];

/**
 * The keys of a head that say who it is and what it may do, where the whole of it is no YAML. Of a key that is given twice the stricter
 * holds: what both lists have, what one of them forbids, a mode that only reads.
 */
export function plainHead(head: string): Json {
  const found: Record<string, unknown> = {};
  for (const { key, text, items } of entriesOf(head.split(/\r?\n/))) {
    const before = found[key];
    if (lists.includes(key)) {
      const names = items ?? splitNames(text);
      if (!Array.isArray(before)) found[key] = names;
      else if (key.startsWith("dis")) found[key] = [...(before as string[]), ...names];
      else found[key] = (before as string[]).filter((name) => names.includes(name));
    } else if (key === "permissionMode") found[key] = isPlan(before) ? before : unquoted(text);
    else if (key === "name") found[key] ??= unquoted(text);
  }
  return found;
}

interface Entry {
  readonly key: string;
  readonly text: string;
  /** The lines below it that begin with a dash. */
  readonly items?: readonly string[];
}

function* entriesOf(lines: readonly string[]): Generator<Entry> {
  // Some heads stand further in; what stands further in than their first line belongs to what is above it.
  const margin = /^[ \t]*/.exec(lines.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (!line.startsWith(margin)) continue;
    const [, , key, text = ""] =
      /^(["']?)([A-Za-z][\w-]*)\1[ \t]*:(?:[ \t]+(.*))?$/.exec(line.slice(margin.length)) ?? [];
    if (key === undefined) continue;
    if (text.trim() === "") {
      const items = itemsBelow(lines, at);
      yield { key, text: "", ...(items.length > 0 ? { items } : {}) };
    } else if (text.startsWith("[") && !text.includes("]")) {
      const rest: string[] = [];
      // What is in the brackets is not looked at again.
      while (rest.length < mostLines && at + 1 < lines.length && !rest.at(-1)?.includes("]"))
        rest.push(lines[++at] ?? "");
      yield { key, text: [text, ...rest].join(" ") };
    } else yield { key, text };
  }
}

/** A list that is longer than this is no list of tools. */
const mostLines = 1000;

function itemsBelow(lines: readonly string[], at: number): string[] {
  const items: string[] = [];
  for (let next = at + 1; next < lines.length && items.length < mostLines; next++) {
    const [, item] = /^[ \t]*-[ \t]+(.*)$/.exec(lines[next] ?? "") ?? [];
    if (item === undefined) break;
    items.push(unquoted(item));
  }
  return items;
}

const unquoted = (text: string): string =>
  text
    .replace(/[ \t]#.*$/, "")
    .trim()
    .replace(/^(["'])(.*)\1$/s, "$2");

const isPlan = (mode: unknown): boolean => typeof mode === "string" && mode.toLowerCase() === "plan";

/** `[Read, "Bash(git:*)"]` or `Read, Bash(git:*)`. */
const splitNames = (text: string): readonly string[] =>
  toolNames(unquoted(text).replace(/^\[|\].*$/g, ""))
    .map(unquoted)
    .filter(Boolean);

/** Names with commas or spaces between them; what stands inside brackets belongs to its name. */
export const toolNames = (text: string): readonly string[] => text.match(/(?:\([^)]*\)|[^,\s(])+/g) ?? [];
