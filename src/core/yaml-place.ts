/** Keys and indexes from the top of a document down. */
export type Path = readonly (string | number)[];

/** What is needed of the YAML library's documents. */
interface Tree {
  readonly contents: unknown;
  getIn(path: Iterable<unknown>, keepScalar: boolean): unknown;
}

/** The offset of the deepest node of a path that the file really has; for a key, the key itself. */
export function offsetOf(document: Tree, path: Path): number {
  for (let length = path.length; length > 0; length--) {
    const parent: unknown =
      length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const key = path[length - 1];
    const items = (parent as { items?: unknown[] } | undefined)?.items ?? [];
    const found =
      typeof key === "number"
        ? items[key]
        : items.find((item) => String((item as { key?: { value?: unknown } }).key?.value) === key);
    const node = found as { key?: { range?: number[] }; range?: number[] } | undefined;
    const range = node?.key?.range ?? node?.range;
    if (range?.[0] !== undefined) return range[0];
  }
  return 0;
}
