import { LineCounter, type Document } from "yaml";
import { parseYaml } from "../core/yaml-parse.ts";

export type YamlResult = { readonly value: unknown } | { readonly error: string };

/** Parses YAML strictly. Import this module only when a YAML file is really at stake: the library is large. */
export function readYaml(text: string): YamlResult {
  const parsed = parse(text);
  if ("error" in parsed) return parsed;
  try {
    return { value: parsed.document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** The text with other values at some paths, such as `orchestrator.state`; comments and order stay. */
export function changeYaml(
  text: string,
  changes: Readonly<Record<string, unknown>>,
): { readonly text: string } | { readonly error: string } {
  const parsed = parse(text);
  if ("error" in parsed) return parsed;
  try {
    for (const [path, value] of Object.entries(changes)) parsed.document.setIn(path.split("."), value);
    return { text: parsed.document.toString({ lineWidth: 0 }) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function parse(text: string): { readonly document: Document } | { readonly error: string } {
  const lineCounter = new LineCounter();
  const document = parseYaml(text, lineCounter);
  const [first] = document.errors;
  if (first) return { error: `line ${lineCounter.linePos(first.pos[0]).line}: ${first.message}` };
  return { document };
}
