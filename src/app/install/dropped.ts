import { stripComments } from "jsonc-parser";
import type { BesideJson, ConfigFile } from "../../core/install.ts";
import { readConfig } from "./json-edit.ts";

/** Why a host reads nothing of a file that we can read, said of the file: the hooks in it do not run, and it says nothing. */
export function droppedFor(text: string, { layout }: ConfigFile): string | undefined {
  if (layout.kind !== "json" || text.trim() === "") return undefined;
  const unread = layout.reads && besideJson(text).find((each) => !layout.reads?.includes(each));
  if (unread !== undefined)
    return `holds ${unread === "a mark" ? "a byte order mark" : unread}, which its host does not read`;
  return layout.spoilt?.(readConfig(text));
}

function besideJson(text: string): BesideJson[] {
  const bare = text.replace(/^\uFEFF/, "");
  const uncommented = stripComments(bare);
  return [
    ...(bare === text ? [] : ["a mark" as const]),
    ...(uncommented === bare ? [] : ["comments" as const]),
    ...(isPlain(uncommented) ? [] : ["trailing commas" as const]),
  ];
}

function isPlain(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
