/** One piece of a shell pattern: any text, or one character that fits. */
type Piece = "any" | ((char: string) => boolean);

/** Patterns and texts longer than this are not worked out; matching takes as many steps as both multiplied. */
const most = 4096;

/** The pieces of a pattern such as `*.[ch]`; nothing when it is more than this can follow. */
function piecesOf(pattern: string): Piece[] | undefined {
  if (pattern.length > 256 || /[?*+@!]\(/.test(pattern)) return undefined;
  const pieces: Piece[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern.charAt(at);
    if (char === "*") pieces.push("any");
    else if (char === "?") pieces.push(() => true);
    else if (char === "[" && pattern.indexOf("]", at + 2) !== -1) {
      const end = pattern.indexOf(
        "]",
        pattern.startsWith("[:", at + 1) ? pattern.indexOf(":]", at) + 2 : at + 2,
      );
      if (end === -1) return undefined;
      pieces.push(setOf(pattern.slice(at + 1, end)));
      at = end;
    } else {
      const plain = char === "\\" ? pattern.charAt(++at) : char;
      pieces.push((each) => each === plain);
    }
  }
  return pieces;
}

const classes: Readonly<Record<string, RegExp>> = {
  alpha: /[a-zA-Z]/,
  digit: /\d/,
  alnum: /[a-zA-Z\d]/,
  lower: /[a-z]/,
  upper: /[A-Z]/,
  space: /\s/,
  blank: /[ \t]/,
  punct: /[^\w\s]|_/,
};

function setOf(inner: string): (char: string) => boolean {
  const isNegated = /^[!^]/.test(inner);
  const set = isNegated ? inner.slice(1) : inner;
  const named = /^\[:(\w+):$|^\[:(\w+):\]$/.exec(set);
  const known = classes[named?.[1] ?? named?.[2] ?? ""];
  return (char) => {
    if (known) return known.test(char) !== isNegated;
    for (let at = 0; at < set.length; at++) {
      const [from = "", dash, to] = set.slice(at, at + 3);
      const isRange = dash === "-" && to !== undefined;
      if (isRange ? char >= from && char <= to : char === from) return !isNegated;
      if (isRange) at += 2;
    }
    return isNegated;
  };
}

/** Where a match that begins at a place may end, in order. */
function endsOf(pieces: readonly Piece[], text: string, start: number): number[] {
  let places = new Set([start]);
  for (const piece of pieces) {
    const next = new Set<number>();
    if (piece === "any") {
      const least = Math.min(...places);
      for (let at = least; at <= text.length; at++) next.add(at);
    } else {
      for (const at of places) if (at < text.length && piece(text.charAt(at))) next.add(at + 1);
    }
    if (next.size === 0) return [];
    places = next;
  }
  return [...places].toSorted((a, b) => a - b);
}

/** `${x#pattern}` and its relatives; nothing when it cannot be told. */
export function withoutMatch(text: string, pattern: string, operator: string): string | undefined {
  const pieces = piecesOf(pattern);
  if (!pieces || text.length > most) return undefined;
  const isLongest = operator.length === 2;
  if (operator.startsWith("#")) {
    const end = endsOf(pieces, text, 0).at(isLongest ? -1 : 0);
    return end === undefined ? text : text.slice(end);
  }
  const mirrored = [...text].toReversed().join("");
  const end = endsOf(pieces.toReversed(), mirrored, 0).at(isLongest ? -1 : 0);
  return end === undefined ? text : text.slice(0, text.length - end);
}

/** `${x/pattern/other}` and its relatives; nothing when it cannot be told. */
export function replacedMatch(
  text: string,
  pattern: string,
  other: string,
  operator: string,
): string | undefined {
  const pieces = piecesOf(pattern);
  // Every place may begin a match, so long texts take too many steps.
  if (!pieces || text.length > most / 4) return undefined;
  if (pieces.length === 0) return text;
  let out = "";
  let at = 0;
  while (at <= text.length) {
    const ends = operator === "/#" && at > 0 ? [] : endsOf(pieces, text, at);
    const end = operator === "/%" ? ends.find((each) => each === text.length) : ends.at(-1);
    if (end === undefined || (end === at && at === text.length)) {
      out += text.charAt(at++);
      continue;
    }
    out += other;
    if (operator !== "//") return out + text.slice(end);
    out += end === at ? text.charAt(at) : "";
    at = Math.max(end, at + 1);
  }
  return out.length > most * 4 ? undefined : out;
}

/** Does a text fit a pattern as a whole? What is more than this can follow fits nothing. */
export function fits(text: string, pattern: string): boolean {
  const pieces = piecesOf(pattern);
  return pieces !== undefined && text.length <= most && endsOf(pieces, text, 0).at(-1) === text.length;
}
