import { join, resolve } from "node:path";
import { isMissing, lookAt, nodeFs } from "../platform/files.ts";

/** How hook files are looked for. */
export interface Search {
  /** Gets every place that was looked at. */
  readonly looked: string[];
  /** Below the workspace: what is to be found before anything else. */
  readonly first: ReadonlySet<string>;
  /** How many more names are looked at. Nobody has trusted a repository's folders, and each name costs every event. */
  left: number;
  /** Folders that have more in them than that, with how much was passed over. */
  readonly beyond: Map<string, number>;
}

export const newSearch = (first: ReadonlySet<string> = new Set()): Search => ({
  looked: [],
  first,
  left: mostNames,
  beyond: new Map(),
});

const mostNames = 4000;

/** A pattern with `*` for one name as the files there are, links among them. */
export function expand(pattern: string, root: string, search: Search): string[] {
  let found = [""];
  for (const part of pattern.split("/")) {
    found = found.flatMap((folder) => {
      const below = (name: string): string => (folder === "" ? name : `${folder}/${name}`);
      if (!part.includes("*")) return [below(part)];
      search.looked.push(join(root, folder));
      const fits = new Bun.Glob(part);
      const names = namesIn(join(root, folder)).filter((name) => fits.match(name));
      return chosen(names.map(below), folder, search);
    });
  }
  search.looked.push(...found.map((file) => resolve(root, file)));
  return found.filter((file) => lookAt(resolve(root, file)) !== "missing");
}

/** As many as are still looked at, in their order; those that somebody has trusted in any case. */
function chosen(paths: readonly string[], folder: string, search: Search): readonly string[] {
  // A name with a line break is nobody's idea of a hook file, and could not be kept in the cache.
  const plain = paths.filter((path) => !/[\n\0]/.test(path));
  const isFirst = (path: string): boolean =>
    search.first.has(path) || [...search.first].some((file) => file.startsWith(`${path}/`));
  const wanted = plain.length > search.left ? new Set(plain.filter(isFirst)) : undefined;
  let left = Math.max(search.left - (wanted?.size ?? 0), 0);
  const kept = wanted ? plain.filter((path) => wanted.has(path) || left-- > 0) : plain;
  search.left = Math.max(search.left - kept.length, 0);
  if (kept.length < paths.length) search.beyond.set(folder, paths.length - kept.length);
  return kept;
}

function namesIn(folder: string): string[] {
  try {
    return nodeFs().readdirSync(folder).toSorted();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
