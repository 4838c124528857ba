/** Reading values nobody has checked yet. */
export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

export const asFlag = (value: unknown): boolean | undefined =>
  typeof value === "boolean" ? value : undefined;

/** With a small letter, as the names of events do with some hosts. */
export const beginsSmall = (name: string): boolean => name >= "a" && name < "{";

/** Leaves out keys without a value, which `exactOptionalPropertyTypes` asks for. */
export function defined<T extends Record<string, unknown>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as never;
}
