/** What is known about a PowerShell value: its items as texts, which are guesses when it is not known. */
export interface PsValue {
  readonly items: readonly string[];
  readonly known: boolean;
  /** Of a hashtable. */
  readonly fields?: ReadonlyMap<string, PsValue>;
  /** Of an object made by `New-Object`: the name of its class. */
  readonly type?: string;
}

export const constantOf = (...items: string[]): PsValue => ({ items, known: true });
export const unknownOf = (source: string): PsValue => ({
  // Whoever reads a guess sees by the dollar sign that it is one.
  items: [source.includes("$") ? source : `$(${source})`],
  known: false,
});
export const nothing: PsValue = { items: [], known: true };

const maxItems = 2048;
const maxText = 64 * 1024;

/** The whole value as one text, the way PowerShell puts lists into strings. */
export const textOf = (value: PsValue): string => value.items.join(" ");

export function concatenated(left: PsValue, right: PsValue): PsValue {
  if (left.items.length > 1) return listed(left, right);
  const whole = textOf(left) + textOf(right);
  return whole.length > maxText ? unknownOf("$…") : { items: [whole], known: left.known && right.known };
}

export const listed = (left: PsValue, right: PsValue): PsValue =>
  left.items.length + right.items.length > maxItems
    ? unknownOf("$…")
    : { items: [...left.items, ...right.items], known: left.known && right.known };

/** `"{1}{0}" -f "b", "a"` */
export function formatted(pattern: PsValue, values: PsValue): PsValue {
  const known = pattern.known && values.known;
  let room = maxText;
  const whole = textOf(pattern).replace(/\{(\d+)[^{}]*\}/g, (_, at: string) => {
    const value = values.items[Number(at)] ?? "";
    room -= value.length;
    return room < 0 ? "" : value;
  });
  return room < 0 ? unknownOf("$…") : { items: [whole], known };
}

/** The characters or items that an index picks. */
export function picked(value: PsValue, index: PsValue): PsValue {
  if (!value.known || !index.known) return unknownOf("$…");
  const [only = ""] = value.items;
  const pick = (at: number): string => (value.items.length === 1 ? only.at(at) : value.items.at(at)) ?? "";
  return constantOf(...index.items.map((at) => pick(Number(at))));
}

/** `0..3`, `3..0` */
export function ranged(from: PsValue, to: PsValue): PsValue {
  const [start, end] = [Number(textOf(from)), Number(textOf(to))];
  if (!from.known || !to.known || !(Math.abs(end - start) < maxItems)) return unknownOf("$…");
  const step = end < start ? -1 : 1;
  return constantOf(
    ...Array.from({ length: Math.abs(end - start) + 1 }, (_, at) => String(start + at * step)),
  );
}

/** Patterns that mean themselves; real ones are not carried out. */
export function replacedIn(value: PsValue, args: PsValue): PsValue {
  const [from = "", to = ""] = args.items;
  if (!value.known || !args.known || from === "" || /[\\^$.|?*+()[{]/.test(from)) return unknownOf("$…");
  const parts = textOf(value).split(from);
  return parts.length * to.length > maxText ? unknownOf("$…") : constantOf(parts.join(to));
}

/** `"a", "b" -join ""` */
export function joinedBy(value: PsValue, separator: string): PsValue {
  const length = value.items.reduce((sum, item) => sum + item.length + separator.length, 0);
  return length > maxText ? unknownOf("$…") : { items: [value.items.join(separator)], known: value.known };
}
