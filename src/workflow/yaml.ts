import { LineCounter, parseDocument } from "yaml";

export type YamlResult = { readonly value: unknown } | { readonly error: string };

/** Parses YAML strictly. Import this module only when a YAML file is really at stake: the library is large. */
export function readYaml(text: string): YamlResult {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true });
  const [first] = document.errors;
  if (first) return { error: `line ${lineCounter.linePos(first.pos[0]).line}: ${first.message}` };
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
