import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  YAMLParseError,
  type Document,
  type LineCounter,
  type ParsedNode,
} from "yaml";

/**
 * A YAML text as a document with its mistakes. The library itself compares each key of a mapping with all others, which takes minutes where
 * there are some ten thousands, and files come from repositories nobody has trusted: here a key is looked up.
 */
export function parseYaml(text: string, lineCounter: LineCounter): Document.Parsed {
  const document = parseDocument(text, {
    lineCounter,
    prettyErrors: false,
    stringKeys: true,
    uniqueKeys: false,
  });
  const twice = repeatedKeys(document.contents).map(
    (at) => new YAMLParseError([at, at + 1], "DUPLICATE_KEY", "Map keys must be unique"),
  );
  if (twice.length > 0) document.errors.push(...twice.slice(0, mostErrors));
  document.errors.sort((a, b) => a.pos[0] - b.pos[0]);
  return document;
}

/** More than anybody reads. */
const mostErrors = 100;

/** Where keys stand that their mapping has already. */
function repeatedKeys(contents: ParsedNode | null): number[] {
  const found: number[] = [];
  const pending: unknown[] = [contents];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isSeq(node)) for (const item of node.items) pending.push(item);
    if (!isMap(node)) continue;
    const seen = new Set<unknown>();
    for (const { key, value } of node.items) {
      pending.push(value);
      if (!isScalar(key)) continue;
      if (seen.has(key.value)) found.push(key.range?.[0] ?? 0);
      seen.add(key.value);
    }
  }
  return found;
}
