import { isObject } from "../../core/json.ts";
import { frontmatterIn } from "../markdown.ts";
import { quickKey } from "./quick-yaml.ts";

/** Reads YAML that the quick look cannot tell; it comes with a large library, so it is brought only when it is wanted. */
export type ReadYaml = (text: string) => { readonly value: unknown } | { readonly error: string };

export type Found = { readonly value: unknown } | { readonly error: string };

/** What a key of a YAML or JSON text says, or one of the head of a Markdown text. */
export function keyIn(path: string, text: string, key: readonly string[], yaml?: ReadYaml): Found {
  const plain = text.replace(/^\uFEFF/, "");
  if (/\.jsonc?$/i.test(path)) return jsonKey(plain, key);
  const source = isMarkdown(path) ? (frontmatterIn(plain).yaml ?? "") : plain;
  const quick = quickKey(source, key);
  if (quick) return quick;
  if (!yaml) return { error: "it cannot be read at a glance" };
  const read = yaml(source);
  return "error" in read ? read : valueAt(read.value, key);
}

/** Does it take the library to read a key of a file? */
export const needsYaml = (path: string, text: string, key: readonly string[]): boolean =>
  !/\.jsonc?$/i.test(path) &&
  quickKey(isMarkdown(path) ? (frontmatterIn(text).yaml ?? "") : text.replace(/^\uFEFF/, ""), key) ===
    undefined;

export const isMarkdown = (path: string): boolean => /\.(?:md|mdx|markdown)$/i.test(path);

function jsonKey(text: string, key: readonly string[]): Found {
  if (text.trim() === "") return { value: undefined };
  try {
    return valueAt(JSON.parse(text), key);
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function valueAt(data: unknown, key: readonly string[]): Found {
  let value = data;
  for (const [at, name] of key.entries()) {
    if (value === undefined || value === null) return { value: undefined };
    if (!isObject(value)) return { error: `${key.slice(0, at).join(".") || "the file"} is no mapping` };
    value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return { value };
}
