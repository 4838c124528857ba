import type { AbilityRow, RegistryEntry } from "./ability.ts";
import { readAbilityDocument } from "./ability-document.ts";
import { readRegistryFile } from "./ability-registry.ts";
import { folderOf, namesIn, readFile, type Files } from "./_files.ts";
import { filesBelow } from "./_walk.ts";
import type { KnowledgeHead } from "./knowledge.ts";
import { fitting, registryFolders } from "./load-abilities.ts";
import { loadDocument, loadRoutes, readIndexes } from "./load-knowledge.ts";
import type { RoutingProblem } from "./problem.ts";

export interface RoutingLint {
  readonly problems: readonly RoutingProblem[];
  /** How many of each were looked at. */
  readonly checked: {
    readonly documents: number;
    readonly abilities: number;
    readonly topics: number;
    readonly routes: number;
    readonly knowledge: number;
  };
}

type Report = (
  at: { readonly file: string; readonly line: number },
  level: RoutingProblem["level"],
  code: RoutingProblem["code"],
  text: string,
  hint: string,
) => void;

/** Checks every registry, routing document and knowledge document of a workspace, and all that refer to each other. */
export function lintRouting(root: string, files: Files, hooks?: ReadonlySet<string>): RoutingLint {
  const problems: RoutingProblem[] = [];
  const report: Report = ({ file, line }, level, code, text, hint) =>
    void problems.push({ file, line, level, text, hint, code });
  const { found, whole } = filesBelow(
    "",
    root,
    files,
    (name) => name === "ABILITY.md" || name === "ROUTING.md",
  );
  if (!whole)
    report(
      { file: ".", line: 1 },
      "warning",
      "HL_ROUTING_UNREADABLE",
      "the workspace has too many folders to look through",
      "Routing documents further down were not checked.",
    );
  const documents = found.filter((file) => file.endsWith("ABILITY.md"));
  const abilities = lintAbilities(documents, root, files, hooks, problems, report);
  const routings = found.filter((file) => file.endsWith("ROUTING.md"));
  const knowledge = lintKnowledge(routings, root, files, problems, report);
  return {
    problems: inOrder(problems),
    checked: { documents: found.length, abilities, ...knowledge },
  };
}

const inOrder = (problems: readonly RoutingProblem[]): RoutingProblem[] => {
  const once = new Map(problems.map((each) => [`${each.file} ${each.line} ${each.text}`, each]));
  return [...once.values()].toSorted((a, b) =>
    a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1,
  );
};

function lintAbilities(
  documents: readonly string[],
  root: string,
  files: Files,
  hooks: ReadonlySet<string> | undefined,
  problems: RoutingProblem[],
  report: Report,
): number {
  const entries = new Map<string, RegistryEntry | undefined>();
  const entryIn = (file: string): RegistryEntry | undefined => {
    if (entries.has(file)) return entries.get(file);
    const { text, problems: unread } = readFile(file, root, files);
    problems.push(...unread);
    const read = text === undefined ? undefined : readRegistryFile({ file, text }, root, files);
    problems.push(...(read?.problems ?? []));
    entries.set(file, read?.entry);
    return read?.entry;
  };
  const rows = documents.flatMap((file) => rowsOf(file, root, files, problems));
  for (const row of rows) if (row.registry !== undefined) fitting(row, entryIn(row.registry), problems);
  differing(rows, report);
  const named = new Set(rows.flatMap(({ registry }) => registry ?? []));
  for (const file of registryFolders.flatMap((folder) =>
    namesIn(folder, root, files)
      .filter((name) => /\.ya?ml$/.test(name))
      .map((name) => `${folder}/${name}`),
  )) {
    const entry = entryIn(file);
    if (entry && documents.length > 0 && !named.has(file))
      report(
        entry,
        "warning",
        "HL_ROUTING_ORPHAN",
        `no ABILITY.md names ${entry.id}`,
        "Nobody finds it: give it a row, or remove the file.",
      );
  }
  const known = [...entries.values()].filter((entry) => entry !== undefined);
  lintEntries(known, hooks, report);
  return new Set([...rows.map(({ id }) => id), ...known.map(({ id }) => id)]).size;
}

function rowsOf(file: string, root: string, files: Files, problems: RoutingProblem[]): readonly AbilityRow[] {
  const { text, problems: unread } = readFile(file, root, files);
  problems.push(...unread);
  if (text === undefined) return [];
  const read = readAbilityDocument({ file, text }, root, files);
  problems.push(...read.problems);
  return read.rows;
}

/** Several documents may name one ability, not two of one name. */
function differing(rows: readonly AbilityRow[], report: Report): void {
  const first = new Map<string, AbilityRow>();
  for (const row of rows) {
    const before = first.get(row.id);
    if (!before) first.set(row.id, row);
    else if (before.file !== row.file && before.registry !== row.registry)
      report(
        row,
        "error",
        "HL_ROUTING_DUPLICATE",
        `"${row.id}" is another ability in ${before.file}:${before.line}`,
        "Give one of them an id of its own, or let both name one registry file.",
      );
  }
}

function lintEntries(
  entries: readonly RegistryEntry[],
  hooks: ReadonlySet<string> | undefined,
  report: Report,
): void {
  const byId = new Map<string, RegistryEntry>();
  for (const entry of entries) {
    const before = byId.get(entry.id);
    if (!before) byId.set(entry.id, entry);
    else
      report(
        entry,
        "error",
        "HL_ROUTING_DUPLICATE",
        `"${entry.id}" is taken by ${before.file}:${before.line}`,
        "Give it an id of its own, or remove the file.",
      );
  }
  for (const entry of entries) {
    for (const operation of entry.operations)
      if (!byId.has(operation))
        report(
          entry,
          "error",
          "HL_ROUTING_MISSING",
          `${entry.id} may call ${operation}, and there is no such operation`,
          "Register the operation, or take it out of the list.",
        );
    for (const hook of Object.values(entry.hooks).flat())
      if (hooks && !hooks.has(hook))
        report(
          entry,
          "error",
          "HL_ROUTING_MISSING",
          `${entry.id} names the hook ${hook}, and there is none`,
          "Write .system/hooks/" + hook + ".yaml, or take it out.",
        );
    const { defaultImplementation, allowedImplementations = [] } = entry.config ?? {};
    const ids = entry.implementations.map(({ id }) => id);
    for (const id of [
      ...(defaultImplementation === undefined ? [] : [defaultImplementation]),
      ...allowedImplementations,
    ])
      if (!ids.includes(id))
        report(
          entry,
          "error",
          "HL_ROUTING_MISSING",
          `the configuration of ${entry.id} names the implementation ${id}, and there is none`,
          ids.length === 0 ? "Add the implementation." : `Expected one of ${ids.join(", ")}.`,
        );
  }
}

function lintKnowledge(
  routings: readonly string[],
  root: string,
  files: Files,
  problems: RoutingProblem[],
  report: Report,
): Pick<RoutingLint["checked"], "topics" | "routes" | "knowledge"> {
  const indexes = routings.flatMap((file) => {
    const read = readIndexes(file, root, files);
    problems.push(...read.problems);
    return read.indexes;
  });
  const routes = indexes.flatMap((index) => {
    const loaded = loadRoutes(index, root, files);
    problems.push(...loaded.problems);
    return loaded.routes;
  });
  const routeFiles = new Set(indexes.flatMap(({ routeFile }) => routeFile ?? []));
  for (const folder of new Set(routings.map((file) => `${folderOf(file)}/routes`.replace(/^\//, ""))))
    for (const name of namesIn(folder, root, files))
      if (/\.ya?ml$/.test(name) && !routeFiles.has(`${folder}/${name}`))
        report(
          { file: `${folder}/${name}`, line: 1 },
          "warning",
          "HL_ROUTING_ORPHAN",
          "no ROUTING.md names this route file",
          "Nobody finds it: add it to route_indexes, or remove it.",
        );
  const referred = new Set(routes.flatMap(({ documents }) => documents.map(({ path }) => path)));
  const heads = [...referred].flatMap((path) => {
    const loaded = loadDocument(path, root, files);
    problems.push(...loaded.problems);
    return "head" in loaded && loaded.head ? [loaded.head] : [];
  });
  const orphans = routings.length === 0 ? [] : orphansOf(referred, routings, root, files);
  for (const head of orphans)
    report(
      head,
      "warning",
      "HL_ROUTING_ORPHAN",
      `no route names the document ${head.id || head.file}`,
      "Nobody finds it: name it in a route of its topic, or remove it.",
    );
  sameIds([...heads, ...orphans], report);
  return { topics: indexes.length, routes: routes.length, knowledge: referred.size + orphans.length };
}

/** Documents that say they are knowledge, in the places where knowledge lies, and that no route names. */
function orphansOf(
  referred: ReadonlySet<string>,
  routings: readonly string[],
  root: string,
  files: Files,
): KnowledgeHead[] {
  const places = ["knowledge", ...routings.map((file) => `${folderOf(file)}/knowledge`.replace(/^\//, ""))];
  const below = [...new Set(places)].flatMap(
    (folder) => filesBelow(folder, root, files, (name) => name.endsWith(".md")).found,
  );
  const beside = [...new Set([...referred].map(folderOf))].flatMap((folder) =>
    namesIn(folder, root, files)
      .filter((name) => name.endsWith(".md"))
      .map((name) => (folder === "" ? name : `${folder}/${name}`)),
  );
  return [...new Set([...below, ...beside])]
    .filter((path) => !referred.has(path))
    .flatMap((path) => {
      const loaded = loadDocument(path, root, files);
      const head = "head" in loaded ? loaded.head : undefined;
      return head && head.id !== "" && head.scope !== "" ? [head] : [];
    });
}

function sameIds(heads: readonly KnowledgeHead[], report: Report): void {
  const first = new Map<string, KnowledgeHead>();
  for (const head of heads) {
    const before = first.get(head.id);
    if (!before) first.set(head.id, head);
    else if (head.id !== "")
      report(
        head,
        "error",
        "HL_ROUTING_DUPLICATE",
        `the id "${head.id}" is taken by ${before.file}:${before.line}`,
        "Give it an id of its own.",
      );
  }
}
