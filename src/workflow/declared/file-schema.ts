import { frontmatterIn, sectionsIn } from "../markdown.ts";
import { fitsName } from "./glob.ts";
import { isMarkdown, type ReadYaml } from "./keys.ts";
import type { FileSchema } from "./model.ts";
import { misfits } from "./schema.ts";

/** What is wrong with a file, each in a few words. */
export function fileProblems(
  { schema, headings, line, without }: FileSchema,
  path: string,
  text: string,
  yaml: ReadYaml,
): string[] {
  const plain = text.replace(/^\uFEFF/, "");
  const lines = plain.split(/\r?\n/).map((each) => each.trim());
  const heads = sectionsIn(plain).map(({ level, title }) => `${"#".repeat(level)} ${title}`);
  return [
    ...(schema ? schemaMisfits(schema, path, plain, yaml) : []),
    ...headings
      .filter((head) => !heads.some((each) => fitsName(head, each)))
      .map((head) => `there is no heading \`${head}\``),
    ...line
      .filter((each) => !lines.some((one) => fitsName(each, one)))
      .map((each) => `there is no line \`${each}\``),
    ...without
      .filter((each) => lines.some((one) => fitsName(each, one)))
      .map((each) => `there is a line \`${each}\``),
  ];
}

function schemaMisfits(
  schema: NonNullable<FileSchema["schema"]>,
  path: string,
  text: string,
  yaml: ReadYaml,
): string[] {
  const read = valueOf(path, text, yaml);
  if ("error" in read) return [`it cannot be read (${read.error})`];
  return misfits(schema, read.value).map((each) => `${each.path === "" ? "it" : each.path} ${each.text}`);
}

function valueOf(path: string, text: string, yaml: ReadYaml): { value: unknown } | { error: string } {
  if (isMarkdown(path)) return yaml(frontmatterIn(text).yaml ?? "");
  if (!/\.jsonc?$/i.test(path)) return yaml(text);
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
