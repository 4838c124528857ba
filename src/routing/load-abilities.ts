import { dirname, join } from "node:path";
import { isInside, pathBelow } from "../core/paths.ts";
import type { Ability, AbilityRow, RegistryEntry } from "./ability.ts";
import { readAbilityDocument } from "./ability-document.ts";
import { readRegistryFile } from "./ability-registry.ts";
import { namesIn, readFile, type Files } from "./_files.ts";
import type { RoutingProblem } from "./problem.ts";

export const registryFolders = [".system/registry/high-level", ".system/registry/low-level"] as const;

export interface LoadedAbilities {
  /** The rows of the document in its order, then what is in the pool without a row. */
  readonly abilities: readonly Ability[];
  readonly problems: readonly RoutingProblem[];
  /** The `ABILITY.md` that counts here, below the workspace. */
  readonly document?: string;
  /** How many registry files were left unread. */
  readonly unread: number;
  /** Files and folders that were looked at, below the workspace. */
  readonly looked: readonly string[];
}

/**
 * All abilities as seen from a folder of the workspace: the nearest `ABILITY.md` above it, or else that of `integration`. One run reads
 * one. `root` is the workspace with its links followed. Once it is late, registry files are left unread and the rows have to do.
 */
export function loadAbilities(
  root: string,
  files: Files,
  from: string = root,
  isLate: () => boolean = () => false,
): LoadedAbilities {
  const { document, looked } = documentFor(root, files, from);
  const problems: RoutingProblem[] = [];
  const rows = document === undefined ? [] : rowsIn(document, root, files, problems);
  const pool = new Map<string, RegistryEntry>();
  let unread = 0;
  const read = (file: string): RegistryEntry | undefined => {
    looked.add(file);
    if (unread > 0 || isLate()) {
      unread++;
      return undefined;
    }
    const { text, problems: trouble } = readFile(file, root, files);
    problems.push(...trouble);
    if (text === undefined) return undefined;
    const { entry, problems: wrong } = readRegistryFile({ file, text }, root, files);
    problems.push(...wrong);
    for (const { file: linked } of entry?.implementations ?? []) looked.add(linked);
    looked.add(`.system/registry/config/${entry?.id ?? ""}.yaml`);
    return entry;
  };
  const listed = rows.map((row): Ability => {
    const entry = row.registry === undefined ? undefined : fitting(row, read(row.registry), problems);
    if (entry) pool.set(entry.file, entry);
    return { ...row, ...(entry ? { entry } : {}), listed: true };
  });
  const named = new Set(rows.flatMap(({ registry }) => registry ?? []));
  const ids = new Map(listed.map(({ id, file, line }) => [id, `${file}:${line}`]));
  const others = poolFiles(root, files, looked)
    .filter((file) => !named.has(file))
    .flatMap((file) => {
      const entry = read(file);
      if (!entry) return [];
      const before = ids.get(entry.id);
      if (before === undefined) {
        ids.set(entry.id, `${entry.file}:${entry.line}`);
        return [unlisted(entry, document === undefined)];
      }
      problems.push({
        file,
        line: entry.line,
        level: "error",
        text: `"${entry.id}" is taken by ${before}`,
        hint: "Give it an id of its own, or remove the file; until then it does not count.",
        code: "HL_ROUTING_DUPLICATE",
      });
      return [];
    });
  return {
    abilities: [...listed, ...others],
    problems,
    unread,
    looked: [...looked],
    ...(document === undefined ? {} : { document }),
  };
}

/** One ability with its registry file, without reading the files of the others where its name tells enough. */
export function findAbility(
  id: string,
  root: string,
  files: Files,
  from: string = root,
): { readonly ability?: Ability; readonly problems: readonly RoutingProblem[] } {
  const problems: RoutingProblem[] = [];
  const { document } = documentFor(root, files, from);
  const row =
    document === undefined
      ? undefined
      : rowsIn(document, root, files, problems).find((each) => each.id === id);
  const direct = row
    ? row.registry
    : registryFolders.map((folder) => `${folder}/${id}.yaml`).find((file) => files.stat(join(root, file)));
  const { text } = direct === undefined ? {} : readFile(direct, root, files);
  if (direct !== undefined && text !== undefined) {
    const read = readRegistryFile({ file: direct, text }, root, files);
    if (row) {
      const own: RoutingProblem[] = [...read.problems];
      const entry = fitting(row, read.entry, own);
      return { ability: { ...row, ...(entry ? { entry } : {}), listed: true }, problems: own };
    }
    if (read.entry?.id === id)
      return { ability: unlisted(read.entry, document === undefined), problems: read.problems };
  }
  const all = loadAbilities(root, files, from);
  const ability = all.abilities.find((each) => each.id === id || each.entry?.operationKey === id);
  const about = ability ? new Set([ability.registry, ability.entry?.file]) : undefined;
  return {
    ...(ability ? { ability } : {}),
    problems: all.problems.filter(({ file }) => about === undefined || about.has(file)),
  };
}

/** What a row and its registry file have to agree on. */
export function fitting(
  row: AbilityRow,
  entry: RegistryEntry | undefined,
  problems: RoutingProblem[],
): RegistryEntry | undefined {
  if (!entry) return undefined;
  const wrong = (text: string): undefined =>
    void problems.push({
      file: row.file,
      line: row.line,
      level: "error",
      text: `${row.id}: ${text}`,
      hint: "Make the row and the file agree; until then only the row counts.",
      code: "HL_ROUTING_MISMATCH",
    });
  if (entry.id !== row.id || entry.level !== row.level)
    return wrong(
      `${entry.file}:${entry.line} is about the ${entry.level === "high" ? "high" : "low"}-level ability "${entry.id}"`,
    );
  if (entry.kind !== undefined && entry.kind !== row.kind)
    wrong(`it is ${row.kind} here, and ${entry.kind} in ${entry.file}`);
  return entry;
}

const unlisted = (entry: RegistryEntry, alone: boolean): Ability => ({
  level: entry.level,
  id: entry.id,
  kind: entry.kind ?? entry.implementations[0]?.kind ?? "script",
  scopes: entry.modules,
  use: entry.summary,
  registry: entry.file,
  file: entry.file,
  line: entry.line,
  entry,
  // Without any routing document the pool is all there is.
  listed: alone,
});

function rowsIn(file: string, root: string, files: Files, problems: RoutingProblem[]): readonly AbilityRow[] {
  const { text, problems: unread } = readFile(file, root, files);
  problems.push(...unread);
  if (text === undefined) return [];
  const read = readAbilityDocument({ file, text }, root, files);
  problems.push(...read.problems);
  return read.rows;
}

function documentFor(
  root: string,
  files: Files,
  from: string,
): { readonly document?: string; readonly looked: Set<string> } {
  const looked = new Set<string>();
  const isThere = (file: string): boolean => {
    looked.add(file);
    return files.stat(join(root, file)) !== undefined;
  };
  for (let folder = isInside(root, from) ? from : root; isInside(root, folder); folder = dirname(folder)) {
    const file = pathBelow(root, join(folder, "ABILITY.md")) ?? "";
    if (isThere(file)) return { document: file, looked };
    if (folder === root) break;
  }
  const integration = "integration/ABILITY.md";
  return isThere(integration) ? { document: integration, looked } : { looked };
}

function poolFiles(root: string, files: Files, looked: Set<string>): string[] {
  return registryFolders.flatMap((folder) => {
    looked.add(folder);
    return namesIn(folder, root, files)
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => `${folder}/${name}`);
  });
}
