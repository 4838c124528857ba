/** What is known about the value of an expression without running it. */
export type Value =
  /** One of these; each may have holes. */
  | { readonly is: "text"; readonly options: readonly string[] }
  | { readonly is: "number"; readonly number: number }
  | { readonly is: "list"; readonly items: readonly Value[] }
  | { readonly is: "record"; readonly fields: ReadonlyMap<string, Value> }
  /** Something of the language, a module or a function, with what it was made from: `os.system`. */
  | { readonly is: "name"; readonly name: string; readonly self?: Value }
  | { readonly is: "method"; readonly self: Value; readonly name: string }
  | OpenFile
  | { readonly is: "unknown" };

/** A file opened for writing: the effects that stand for it, so that what is written can be added. */
export interface OpenFile {
  readonly is: "file";
  readonly path: Value;
  readonly effects: readonly number[];
  spoiled: boolean;
}

/** Stands in a text for a part that is only known at run time. */
export const hole = "\uE000";
/** Stands in a text for the home directory. */
export const home = "\uE001";

const maxOptions = 32;
export const maxText = 64 * 1024;

export const unknown: Value = { is: "unknown" };
export const text = (...options: string[]): Value => ({ is: "text", options });
export const nameOf = (name: string, self?: Value): Value =>
  self === undefined ? { is: "name", name } : { is: "name", name, self };
export const listOf = (items: readonly Value[]): Value => ({ is: "list", items });

/** Lists that grow longer than this are given up; a program can double one with every line. */
export const maxGrown = 1024;

export const listOfBoth = (a: readonly Value[], b: readonly Value[]): Value =>
  a.length + b.length > maxGrown ? unknown : listOf([...a, ...b]);

const holed: readonly string[] = [hole];

/** All texts a value may be; a single hole when nothing is known. */
export function optionsOf(value: Value | undefined): readonly string[] {
  if (value?.is === "text") return value.options;
  if (value?.is === "number") return [String(value.number)];
  if (value?.is === "file") return optionsOf(value.path);
  return holed;
}

/** The text, when there is only one and nothing of it is missing. */
export function constant(value: Value | undefined): string | undefined {
  const options = optionsOf(value);
  const [only] = options;
  return options.length === 1 && only !== undefined && !isHoled(only) ? only : undefined;
}

export const isHoled = (option: string): boolean => option.includes(hole) || option.includes(home);

/** One value or another. */
export function either(a: Value, b: Value): Value {
  if (a === b) return a;
  if (a.is === "name" || a.is === "file") return a;
  if (b.is === "name" || b.is === "file") return b;
  if (a.is !== "text" && b.is !== "text")
    return a.is === "number" && b.is === "number" ? unknown : merged(a, b);
  return atMost([...new Set([...optionsOf(a), ...optionsOf(b)])]);
}

const merged = (a: Value, b: Value): Value =>
  a.is === "list" && b.is === "list" && a.items.length + b.items.length <= maxOptions
    ? listOf([...a.items, ...b.items])
    : unknown;

const atMost = (options: readonly string[]): Value =>
  options.length <= maxOptions ? { is: "text", options } : text(hole);

/** Texts one behind the other, in every combination. */
export function joined(parts: readonly Value[], separator = ""): Value {
  let options: readonly string[] = [""];
  for (const [at, part] of parts.entries()) {
    const more = optionsOf(part);
    const glue = at === 0 ? "" : separator;
    if (options.length * more.length > maxOptions) return text(hole);
    options = options.flatMap((option) => more.map((next) => option + glue + next));
    if (options.some((option) => option.length > maxText)) return text(hole);
  }
  return { is: "text", options };
}

/** A change made to each text a value may be. */
export function mapped(value: Value, change: (option: string) => string): Value {
  if (value.is !== "text") return text(hole);
  const options = value.options.map((option) => {
    const result = change(option);
    return result.length > maxText ? hole : result;
  });
  return { is: "text", options };
}

/** What goes around in a loop over the value. */
export function elementOf(value: Value): Value {
  if (value.is === "list") {
    const isShort = value.items.length > 0 && value.items.length <= 2 * maxOptions;
    return isShort ? value.items.reduce(either) : unknown;
  }
  // A pattern of file names stands for all the names it fits.
  return value.is === "text" || value.is === "name" || value.is === "file" ? value : unknown;
}

export function itemOf(value: Value, at: number): Value {
  if (value.is === "list") return value.items.at(at) ?? unknown;
  return unknown;
}

export function repeated(value: Value, times: number): Value {
  const count = Math.max(0, Math.floor(times));
  if (value.is === "list") {
    if (count * value.items.length > maxOptions) return unknown;
    return listOf(Array.from({ length: count }, () => value.items).flat());
  }
  return mapped(value, (option) => (option.length * count > maxText ? hole : option.repeat(count)));
}

/** A path below another; an absolute one begins anew. */
export const underPath = (base: Value, more: Value): Value => {
  const parts = optionsOf(base);
  const rest = optionsOf(more);
  if (parts.length * rest.length > maxOptions) return text(hole);
  return atMost(parts.flatMap((part) => rest.map((name) => pathJoin(part, name))));
};

function pathJoin(base: string, name: string): string {
  if (name.startsWith("/") || name.startsWith(home) || base === "") return name;
  return base.endsWith("/") ? base + name : `${base}/${name}`;
}
