/** A unique id that sorts by time. */
export const newId = (): string => Bun.randomUUIDv7();
