import { join } from "node:path";
import { WorldError } from "../core/world.ts";
import { namesIn, type Files } from "./_files.ts";

/** Nobody's own documents lie here, and there may be very many of them. */
const foreign = new Set(["node_modules", ".git", ".hookline", "vendor", "dist", "build", "target", ".venv"]);

const mostFolders = 20_000;
const deepest = 12;

/** Every file below a folder of the workspace whose name is wanted, as paths below the workspace. Links are not followed. */
export function filesBelow(
  folder: string,
  root: string,
  files: Files,
  isWanted: (name: string) => boolean,
): { readonly found: readonly string[]; readonly whole: boolean } {
  const found: string[] = [];
  const waiting: { folder: string; depth: number }[] = [{ folder, depth: 0 }];
  let looked = 0;
  let whole = true;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (++looked > mostFolders) return { found: found.toSorted(), whole: false };
    for (const name of namesIn(next.folder, root, files)) {
      const path = next.folder === "" ? name : `${next.folder}/${name}`;
      if (isWanted(name)) found.push(path);
      else if (!foreign.has(name) && !/\.\w{1,5}$/.test(name) && isFolder(join(root, path), files)) {
        if (next.depth < deepest) waiting.push({ folder: path, depth: next.depth + 1 });
        else whole = false;
      }
    }
  }
  return { found: found.toSorted(), whole };
}

function isFolder(path: string, files: Files): boolean {
  try {
    return files.realPath(path) === path && files.stat(path)?.type === "directory";
  } catch (error) {
    if (error instanceof WorldError) return false;
    throw error;
  }
}
