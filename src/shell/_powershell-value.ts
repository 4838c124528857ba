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

const maxItems = 64;
const maxText = 64 * 1024;

/** The whole value as one text, the way PowerShell puts lists into strings. */
export const textOf = (value: PsValue): string => value.items.join(" ");

export function concatenated(left: PsValue, right: PsValue): PsValue {
  if (left.items.length > 1) return listed(left, right);
  const whole = textOf(left) + textOf(right);
  return whole.length > maxText ? unknownOf("$…") : { items: [whole], known: left.known && right.known };
}

export const listed = (left: PsValue, right: PsValue): PsValue =>
  left.items.length + right.items.length > maxItems * maxItems
    ? unknownOf("$…")
    : { items: [...left.items, ...right.items], known: left.known && right.known };

/** `"{1}{0}" -f "b", "a"` */
export function formatted(pattern: PsValue, values: PsValue): PsValue {
  const known = pattern.known && values.known;
  const whole = textOf(pattern).replace(
    /\{(\d+)[^{}]*\}/g,
    (_, at: string) => values.items[Number(at)] ?? "",
  );
  return whole.length > maxText ? unknownOf("$…") : { items: [whole], known };
}

/** The characters or items that an index picks. */
export function picked(value: PsValue, index: PsValue): PsValue {
  if (!value.known || !index.known) return unknownOf(`$${textOf(value)}`);
  const [only = ""] = value.items;
  const from = value.items.length === 1 ? [...only.slice(0, maxText)] : value.items;
  return constantOf(...index.items.slice(0, maxItems * maxItems).map((at) => from.at(Number(at)) ?? ""));
}

/** `0..3`, `3..0` */
export function ranged(from: PsValue, to: PsValue): PsValue {
  const [start, end] = [Number(textOf(from)), Number(textOf(to))];
  if (!from.known || !to.known || !(Math.abs(end - start) < maxItems * maxItems)) return unknownOf("$…");
  const step = end < start ? -1 : 1;
  return constantOf(
    ...Array.from({ length: Math.abs(end - start) + 1 }, (_, at) => String(start + at * step)),
  );
}

/** Patterns that mean themselves; real ones are not carried out. */
export function replacedIn(value: PsValue, args: PsValue): PsValue {
  const [from = "", to = ""] = args.items;
  if (!value.known || !args.known || from === "" || /[\\^$.|?*+()[{]/.test(from))
    return unknownOf(`$${textOf(value)}`);
  const whole = textOf(value).split(from).join(to);
  return whole.length > maxText ? unknownOf("$…") : constantOf(whole);
}
