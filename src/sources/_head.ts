import type { Json } from "../core/json.ts";

/** What stands between the `---` lines at the top of a page. */
export const headOf = (text: string): string | undefined =>
  /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?$/m.exec(text)?.[1];

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
    } else if (key === "permissionMode") found[key] = before === "plan" ? before : unquoted(text);
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
  for (const [at, line] of lines.entries()) {
    const [, key, text = ""] = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?$/.exec(line) ?? [];
    if (key === undefined) continue;
    const below = lines.slice(at + 1);
    if (text.trim() === "") {
      const items: string[] = [];
      for (const next of below) {
        const [, item] = /^[ \t]*-[ \t]+(.*)$/.exec(next) ?? [];
        if (item === undefined) break;
        items.push(unquoted(item));
      }
      yield { key, text: "", ...(items.length > 0 ? { items } : {}) };
    } else if (text.startsWith("[") && !text.includes("]")) {
      const end = below.findIndex((next) => next.includes("]"));
      yield { key, text: [text, ...below.slice(0, end + 1)].join(" ") };
    } else yield { key, text };
  }
}

const unquoted = (text: string): string =>
  text
    .replace(/[ \t]#.*$/, "")
    .trim()
    .replace(/^(["'])(.*)\1$/s, "$2");

/** `[Read, "Bash(git:*)"]` or `Read, Bash(git:*)`. */
const splitNames = (text: string): readonly string[] =>
  (
    unquoted(text)
      .replace(/^\[|\].*$/g, "")
      .match(/(?:\([^)]*\)|[^,(])+/g) ?? []
  )
    .map(unquoted)
    .filter(Boolean);
