/**
 * What a key of a plain YAML text says, without the library: nested keys with one plain word each, as state files have them.
 * Nothing where anything in the text is not as plain as that.
 */
export function quickKey(
  text: string,
  key: readonly string[],
): { readonly value: string | undefined } | undefined {
  if (text.length > 100_000) return undefined;
  /** The keys above a line, with how far each is indented. */
  const above: Above[] = [{ indent: -1, name: "", seen: new Set(), open: true, isList: false }];
  let found: string | undefined;
  let isFirst = true;
  for (const line of text.split(/\r?\n/)) {
    const bare = line.trim();
    if (bare === "" || bare.startsWith("#")) continue;
    if (isFirst && bare === "---" && line === "---") {
      isFirst = false;
      continue;
    }
    isFirst = false;
    const [, blanks = "", item] = /^( *)(- )?/.exec(line) ?? [];
    const indent = blanks.length;
    while ((above.at(-1)?.indent ?? -1) >= indent + (item ? 1 : 0)) above.pop();
    const parent = above.at(-1);
    if (!parent) return undefined;
    if (item) {
      // Plain items of a list, below a key that has nothing else.
      if (parent.indent < 0 || !parent.open || parent.seen.size > 0 || !isPlain(bare.slice(2).trim()))
        return undefined;
      if (parent.isList && parent.column !== indent) return undefined;
      parent.isList = true;
      parent.column = indent;
      if (parent.name === key[above.length - 2] && above.length - 1 <= key.length) return undefined;
      continue;
    }
    const [, name, rest = ""] = /^ *([A-Za-z_][\w-]*):(?: +(.*?))?[ ]*$/.exec(line) ?? [];
    if (name === undefined || !parent.open || parent.isList || parent.seen.has(name) || isKeyword(name))
      return undefined;
    // Keys of one mapping stand below each other.
    if (parent.column !== undefined && parent.column !== indent) return undefined;
    parent.column = indent;
    parent.seen.add(name);
    const path = [...above.slice(1).map((each) => each.name), name];
    const isIt = path.length === key.length && path.every((each, at) => each === key[at]);
    const value = rest.replace(/ +#.*$/, "").trim();
    if (value !== "" && !isPlain(value)) return undefined;
    if (isIt) {
      if (value === "" || !/^[A-Za-z_][\w./-]*$/.test(value) || isKeyword(value)) return undefined;
      found = value;
    }
    // What stands on the way to the key has to be a mapping.
    if (value !== "" && path.length < key.length && path.every((each, at) => each === key[at]))
      return undefined;
    above.push({ indent, name, seen: new Set(), open: value === "", isList: false });
  }
  return { value: found };
}

interface Above {
  readonly indent: number;
  readonly name: string;
  readonly seen: Set<string>;
  /** Nothing stands behind it, so something may stand below. */
  readonly open: boolean;
  isList: boolean;
  /** Where what is below it begins. */
  column?: number;
}

const isKeyword = (word: string): boolean => /^(?:true|false|null)$/i.test(word);

/** A text on one line that means itself; a colon within a word, as times have it, is a letter like any other. */
const isPlain = (value: string): boolean =>
  /^(?:"[^"\\]*"|'[^']*'|[\w./+](?:[^\s:#,[\]{}]|:(?=[^\s,[\]{}]))*(?: [^\s:#,[\]{}&*!|>'"%@`-](?:[^\s:#,[\]{}]|:(?=[^\s,[\]{}]))*)*)$/.test(
    value,
  );
