import { dirname, join } from "node:path";
import { isInside, pathBelow } from "../core/paths.ts";
import { WorldError, type World } from "../core/world.ts";
import type { RoutingProblem } from "./problem.ts";

/** All that routing asks of the disk. */
export type Files = Pick<World, "read" | "stat" | "list" | "realPath">;

/** A file of the workspace that was read. */
export interface Text {
  /** Below the workspace, with slashes. */
  readonly file: string;
  readonly text: string;
}

const most = 4 * 1024 * 1024;

type Found = { readonly found: string } | { readonly outside: string } | { readonly missing: true };

/**
 * The file a reference names: below the folder of the file that refers to it, or else below the workspace. What leads out of the
 * workspace, by its name or by a link, is found to be outside and never looked at.
 */
export function fileNamed(reference: string, folder: string, root: string, files: Files): Found {
  if (/^[a-z][a-z0-9+.-]+:/i.test(reference)) return { outside: "an address is no file of the workspace" };
  if (/[\0\n]/.test(reference)) return { outside: "no file is called that" };
  if (reference.startsWith("~")) return { outside: "a home folder is not part of the workspace" };
  const name = reference.replaceAll("\\", "/").replace(/^\/+/, "");
  let out = false;
  for (const base of new Set([join(root, folder), root])) {
    const path = join(base, name);
    if (!isInside(root, path)) {
      out = true;
      continue;
    }
    const real = realOr(path, files);
    if (real === undefined || !isInside(root, real))
      return { outside: "a link leads out of the workspace, or nowhere" };
    if (isFile(real, files)) return { found: pathBelow(root, path) ?? path };
  }
  return out ? { outside: "it leads out of the workspace" } : { missing: true };
}

function isFile(path: string, files: Files): boolean {
  try {
    return files.stat(path)?.type === "file";
  } catch (error) {
    // It is there and cannot be looked at: whoever reads it says why.
    if (error instanceof WorldError) return true;
    throw error;
  }
}

const realOr = (path: string, files: Files): string | undefined => {
  try {
    return files.realPath(path);
  } catch {
    return undefined;
  }
};

/** The text of a file of the workspace; nothing when there is none. What cannot be read is a problem. */
export function readFile(
  file: string,
  root: string,
  files: Files,
): { readonly text?: string; readonly problems: readonly RoutingProblem[] } {
  const path = join(root, file);
  const wrong = (text: string, hint: string) => ({
    problems: [{ file, line: 1, level: "error", text, hint, code: "HL_ROUTING_UNREADABLE" }] as const,
  });
  try {
    const real = files.realPath(path);
    if (!isInside(root, real))
      return wrong("a link that leads out of the workspace", "Put the file itself in its place.");
    const stat = files.stat(real);
    if (!stat) return { problems: [] };
    if (stat.type !== "file") return wrong("not a plain file", "Make it a plain file, or remove it.");
    if (stat.size > most)
      return wrong(`larger than ${most / 1024 / 1024} MB`, "Split it; until then nothing of it counts.");
    const text = files.read(real);
    return text === undefined ? { problems: [] } : { text, problems: [] };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    return wrong(`cannot be read (${error.message})`, "Make it a readable plain file, or remove it.");
  }
}

/** The names in a folder of the workspace, sorted; none where there is no such folder. */
export function namesIn(folder: string, root: string, files: Files): readonly string[] {
  try {
    const real = files.realPath(join(root, folder));
    return isInside(root, real) ? (files.list(real) ?? []) : [];
  } catch (error) {
    if (error instanceof WorldError) return [];
    throw error;
  }
}

export const folderOf = (file: string): string => {
  const folder = dirname(file);
  return folder === "." ? "" : folder;
};
