/** A regular expression as `sed` has them, for texts and patterns nobody can vouch for: it gives up after so many steps. */
export interface PosixPattern {
  /** The first match from a place on: where the whole and each group begin and end. */
  find(text: readonly string[], from: number): readonly (readonly [number, number] | undefined)[] | undefined;
}

/** What cannot be followed, or would take too many steps. */
export class NotFollowed extends Error {
  override readonly name = "NotFollowed";
}

type Atom =
  | { readonly is: "one"; test(character: string): boolean }
  | { readonly is: "place"; test(text: readonly string[], at: number): boolean }
  | { readonly is: "group"; readonly index: number; readonly parts: readonly Part[] }
  | { readonly is: "again"; readonly index: number };

interface Part {
  readonly atom: Atom;
  readonly min: number;
  readonly max: number;
}

/**
 * Reads a basic or extended regular expression. Nothing when it has something we do not follow: alternatives, of which the
 * longest counts, are among that.
 */
export function posixPattern(
  source: string,
  { extended, ignoreCase }: { extended: boolean; ignoreCase: boolean },
): PosixPattern | undefined {
  const characters = Array.from(source);
  let at = 0;
  let groups = 0;
  const fold = (character: string): string => (ignoreCase ? character.toLowerCase() : character);
  const literal = (character: string): Atom => {
    const wanted = fold(character);
    return { is: "one", test: (each) => fold(each) === wanted };
  };
  const closes = (): boolean => characters[at] === ")" && extended;
  const closesBasic = (): boolean => characters[at] === "\\" && characters[at + 1] === ")" && !extended;

  const sequence = (depth: number): Part[] => {
    const parts: Part[] = [];
    const isInGroup = depth > 0;
    for (;;) {
      if (at >= characters.length || (isInGroup && (closes() || closesBasic()))) return parts;
      const atom = next(parts.length === 0, depth);
      parts.push({ atom, ...repetition(atom) });
    }
  };

  const next = (isFirst: boolean, depth: number): Atom => {
    const character = characters[at++] ?? "";
    if (character === "\\") return escaped(characters[at++], depth);
    if (character === ".") return { is: "one", test: () => true };
    if (character === "[") return set();
    if (character === "^" && (extended || isFirst)) return { is: "place", test: (_, place) => place === 0 };
    if (character === "$" && (extended || isAtEnd()))
      return { is: "place", test: (text, place) => place === text.length };
    if (character === "*" && isFirst && !extended) return literal(character);
    if (extended && character === "(") return group(depth);
    if (character === "*" || (extended && "+?{}|)".includes(character))) throw new NotFollowed();
    return literal(character);
  };

  const isAtEnd = (): boolean =>
    at === characters.length || (characters[at] === "\\" && characters[at + 1] === ")");

  const escaped = (character: string | undefined, depth: number): Atom => {
    if (character === undefined) throw new NotFollowed();
    if (character === "(" && !extended) return group(depth);
    if (/[1-9]/.test(character)) return { is: "again", index: Number(character) };
    const known = Object.hasOwn(escapes, character) ? escapes[character] : undefined;
    if (known) return known;
    // What is left of letters means something we do not know, and `\{` here begins a repetition of nothing.
    if (/[a-z0-9<>]/i.test(character) || (!extended && "{}|+?)".includes(character))) throw new NotFollowed();
    return literal(character);
  };

  const group = (depth: number): Atom => {
    const index = ++groups;
    const parts = sequence(depth + 1);
    if (!closes() && !closesBasic()) throw new NotFollowed();
    at += extended ? 1 : 2;
    return { is: "group", index, parts };
  };

  const repetition = (atom: Atom): { min: number; max: number } => {
    let found = { min: 1, max: 1 };
    for (let count = 0; ; count++) {
      const rest = characters.slice(at, at + 20).join("");
      const sign = (
        extended ? /^(?:[*+?]|\{(\d{1,3})(,?)(\d{0,3})\})/ : /^(?:\*|\\[+?]|\\\{(\d{1,3})(,?)(\d{0,3})\\\})/
      ).exec(rest);
      if (!sign) return found;
      if (count > 0 || atom.is === "place") throw new NotFollowed();
      at += sign[0].length;
      const kind = sign[0].at(-1);
      if (kind === "*") found = { min: 0, max: Infinity };
      else if (kind === "+") found = { min: 1, max: Infinity };
      else if (kind === "?") found = { min: 0, max: 1 };
      else {
        const min = Number(sign[1]);
        found = { min, max: sign[2] === "" ? min : sign[3] === "" ? Infinity : Number(sign[3]) };
      }
    }
  };

  const set = (): Atom => {
    const isNot = characters[at] === "^";
    if (isNot) at++;
    const tests: ((character: string) => boolean)[] = [];
    for (let first = true; first || characters[at] !== "]"; first = false) {
      const character = characters[at++];
      if (character === undefined) throw new NotFollowed();
      const named = character === "[" ? /^[:.=]/.exec(characters[at] ?? "")?.[0] : undefined;
      if (named !== undefined) {
        const name = /^:(\w{1,10}):\]/.exec(characters.slice(at, at + 14).join(""))?.[1];
        const known = name !== undefined && Object.hasOwn(classes, name) ? classes[name] : undefined;
        if (!known) throw new NotFollowed();
        at += (name?.length ?? 0) + 3;
        tests.push((each) => known.test(each));
        continue;
      }
      // GNU's sed knows a tab and a line end here, and nothing else of that kind.
      if (character === "\\" && /[nt]/.test(characters[at] ?? "")) {
        const meant = characters[at++] === "n" ? "\n" : "\t";
        tests.push((each) => each === meant);
        continue;
      }
      const last = characters[at] === "-" && characters[at + 1] !== "]" ? characters[at + 1] : undefined;
      if (last === undefined) tests.push((each) => fold(each) === fold(character));
      else {
        at += 2;
        const [from, to] = [character.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
        const within = (each: string): boolean =>
          (each.codePointAt(0) ?? 0) >= from && (each.codePointAt(0) ?? 0) <= to;
        tests.push(
          (each) =>
            within(each) || (ignoreCase && (within(each.toLowerCase()) || within(each.toUpperCase()))),
        );
      }
    }
    at++;
    return { is: "one", test: (each) => tests.some((test) => test(each)) !== isNot };
  };

  try {
    const parts = sequence(0);
    return { find: (text, from) => search(parts, groups, text, from) };
  } catch (error) {
    if (error instanceof NotFollowed) return undefined;
    throw error;
  }
}

const isWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

const one = (test: (character: string) => boolean): Atom => ({ is: "one", test });
const between = (test: (before: boolean, behind: boolean) => boolean): Atom => ({
  is: "place",
  test: (text, at) => test(isWord(text[at - 1]), isWord(text[at])),
});

const escapes: Readonly<Record<string, Atom>> = {
  n: one((each) => each === "\n"),
  t: one((each) => each === "\t"),
  w: one(isWord),
  W: one((each) => !isWord(each)),
  s: one((each) => /\s/.test(each)),
  S: one((each) => !/\s/.test(each)),
  b: between((before, behind) => before !== behind),
  B: between((before, behind) => before === behind),
  "<": between((before, behind) => !before && behind),
  ">": between((before, behind) => before && !behind),
};

const classes: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /\d/,
  alnum: /[\p{L}\p{N}]/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  space: /\s/,
  blank: /[ \t]/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[\da-fA-F]/,
};

const mostSteps = 200_000;

type Spans = ([number, number] | undefined)[];

/** Step by step instead of by the engine's own expressions, which nothing can stop. */
function search(
  parts: readonly Part[],
  groups: number,
  text: readonly string[],
  from: number,
): Spans | undefined {
  let steps = 0;
  const spans: Spans = [];
  const step = (): void => {
    if (++steps > mostSteps) throw new NotFollowed();
  };
  const all = (list: readonly Part[], index: number, at: number, then: (at: number) => boolean): boolean => {
    step();
    const part = list[index];
    return part ? repeat(part, 0, at, (next) => all(list, index + 1, next, then)) : then(at);
  };
  const repeat = (part: Part, count: number, at: number, then: (at: number) => boolean): boolean => {
    const { atom, min, max } = part;
    if (atom.is === "one") {
      let end = at;
      while (end < text.length && end - at < max && atom.test(text[end] ?? "")) {
        step();
        end++;
      }
      for (let next = end; next >= at + min; next--) if (then(next)) return true;
      return false;
    }
    step();
    const again = (next: number): boolean =>
      next === at && count >= min ? false : repeat(part, count + 1, next, then);
    return (count < max && once(atom, at, again)) || (count >= min && then(at));
  };
  const once = (atom: Atom, at: number, then: (at: number) => boolean): boolean => {
    if (atom.is === "place") return atom.test(text, at) && then(at);
    if (atom.is === "again") {
      const [start, end] = spans[atom.index] ?? [0, -1];
      const isSame =
        end >= start && text.slice(start, end).every((each, offset) => text[at + offset] === each);
      return isSame && then(at + end - start);
    }
    if (atom.is === "one") return at < text.length && atom.test(text[at] ?? "") && then(at + 1);
    const before = spans[atom.index];
    return (
      all(atom.parts, 0, at, (end) => {
        const inner = spans[atom.index];
        spans[atom.index] = [at, end];
        if (then(end)) return true;
        spans[atom.index] = inner;
        return false;
      }) || ((spans[atom.index] = before), false)
    );
  };
  for (let start = from; start <= text.length; start++) {
    let found = -1;
    spans.length = 0;
    if (all(parts, 0, start, (end) => ((found = end), true))) {
      spans[0] = [start, found];
      spans.length = groups + 1;
      return spans;
    }
  }
  return undefined;
}
