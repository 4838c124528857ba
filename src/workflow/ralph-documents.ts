import { join } from "node:path";
import { isObject, type Json } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { frontmatterIn, sectionOf, sectionsIn, tableIn, type Section } from "./markdown.ts";
import { readYaml } from "./yaml.ts";

// This module brings the YAML library along: import it only when such a file is really at stake.

/** A Markdown file of a session: its frontmatter, or what is wrong with it, and its sections. */
export interface RalphDocument {
  readonly data: Json;
  /** Why there is no `data`. */
  readonly error?: string;
  readonly body: string;
  readonly sections: readonly Section[];
}

function readDocument(text: string): RalphDocument {
  const { yaml, body } = frontmatterIn(text);
  const sections = sectionsIn(body);
  if (yaml === undefined) return { data: {}, error: "no frontmatter", body, sections };
  const parsed = readYaml(yaml);
  if ("error" in parsed) return { data: {}, error: parsed.error, body, sections };
  return isObject(parsed.value)
    ? { data: parsed.value, body, sections }
    : { data: {}, error: "the frontmatter is not a mapping", body, sections };
}

/** A task file. */
export interface RalphTask extends RalphDocument {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly inheritedBy: readonly string[];
  /** References under `Grounded In`, each once. */
  readonly groundedIn: readonly string[];
  readonly criteria: readonly string[];
  readonly files: readonly string[];
}

/** `id` is the name of the file, for a task that does not say its own. */
export function readTask(id: string, text: string): RalphTask {
  const document = readDocument(text);
  const { data, body } = document;
  const listed = (key: string): string[] => [...idsIn(data[key]), ...idsIn(valueOf(body, key))];
  return {
    ...document,
    id: typeof data["id"] === "string" ? data["id"] : id,
    dependsOn: [...new Set(listed("depends_on"))].filter((each) => each !== id),
    inheritedBy: [...new Set(listed("inherited_by"))],
    groundedIn: [...new Set(itemsIn(sectionOf(body, "Grounded In")))],
    criteria: itemsIn(sectionOf(body, "Success Criteria")),
    files: itemsIn(sectionOf(body, "Files")),
  };
}

const idsIn = (value: unknown): string[] => JSON.stringify(value ?? "").match(/\btask-\w[\w-]*/g) ?? [];

/** `- depends_on: [task-1]`, or the list below such a line. */
function valueOf(body: string, key: string): string {
  const lines = body.split(/\r?\n/);
  const at = lines.findIndex((line) => new RegExp(`^[\\s*_\`-]*${key}\\b[\\s*_\`]*:`).test(line));
  if (at === -1) return "";
  const own = lines[at]?.slice(lines[at].indexOf(":") + 1) ?? "";
  if (own.replace(/[*_`\s]/g, "") !== "") return own;
  const below = lines.slice(at + 1);
  const end = below.findIndex((line) => !/^\s*[-*+]\s+`?task-/.test(line));
  return below.slice(0, end === -1 ? undefined : end).join("\n");
}

const itemsIn = (section: string): string[] =>
  section.split(/\r?\n/).flatMap((line) => {
    const item = /^\s*[-*+]\s+(?:\[[ xX]\]\s+)?(.+)$/.exec(line)?.[1]?.trim();
    return item === undefined ? [] : [item];
  });

/** The tasks of an iteration by id; in a session older than iterations, those of the session. */
export function tasksOf(session: string, iteration: number, world: World): ReadonlyMap<string, RalphTask> {
  const folder = [join(session, "iterations", String(iteration), "tasks"), join(session, "tasks")].find(
    (each) => world.isDirectory(each),
  );
  const names = folder === undefined ? [] : (world.list(folder) ?? []).filter((name) => name.endsWith(".md"));
  return new Map(
    names.map((name) => {
      const id = name.slice(0, -3);
      return [id, readTask(id, world.read(join(folder ?? "", name)) ?? "")];
    }),
  );
}

/**
 * Tasks in waves: each only depends on tasks of earlier ones. What depends on itself in the end is in none, and neither is
 * what waits for it.
 */
export function wavesOf(tasks: ReadonlyMap<string, Pick<RalphTask, "dependsOn">>): string[][] {
  const waves: string[][] = [];
  const done = new Set<string>();
  for (;;) {
    const wave = [...tasks]
      .filter(
        ([id, task]) => !done.has(id) && task.dependsOn.every((each) => done.has(each) || !tasks.has(each)),
      )
      .map(([id]) => id);
    if (wave.length === 0) return waves;
    for (const id of wave) done.add(id);
    waves.push(wave);
  }
}

/** A batch of feedback: `iterations/<N>/feedbacks/<timestamp>/feedbacks.md`. */
export interface Feedback extends RalphDocument {
  /** First cells of its Artifacts Index, without backticks. */
  readonly artifacts: readonly { readonly file: string; readonly line: number }[];
}

export function readFeedback(text: string): Feedback {
  const document = readDocument(text);
  const index = sectionOf(document.body, "Artifacts Index");
  const artifacts = tableIn(index).flatMap(({ cells, line }) => {
    const file = (cells[0] ?? "").replace(/^[`*_]+|[`*_]+$/g, "").trim();
    return file === "" ? [] : [{ file, line }];
  });
  return { ...document, artifacts };
}

/** The names of an iteration's feedback batches, in order. */
export const feedbackBatches = (session: string, iteration: number, world: World): string[] => {
  const folder = join(session, "iterations", String(iteration), "feedbacks");
  return (world.list(folder) ?? []).filter((name) => world.isDirectory(join(folder, name)));
};

export interface Plan extends RalphDocument {
  /** The iterations it was replanned for. */
  readonly replanned: readonly number[];
}

export function readPlan(text: string): Plan {
  const document = readDocument(text);
  const replanned = document.sections.flatMap(({ title }) => {
    const iteration = /^Replanning History \(Iteration (\d+)\)/i.exec(title)?.[1];
    return iteration === undefined ? [] : [Number(iteration)];
  });
  return { ...document, replanned };
}

/** The reports of a task in the order of its attempts, and what the next one is called. */
export function reportsOf(
  task: string,
  names: readonly string[],
): { readonly reports: readonly string[]; readonly next: string } {
  const attempts = names
    .flatMap((name) => {
      const found = /^(.+)-report(?:-r(\d+))?\.md$/.exec(name);
      return found?.[1] === task ? [{ name, attempt: Number(found[2] ?? 1) }] : [];
    })
    .toSorted((a, b) => a.attempt - b.attempt);
  const attempt = attempts.length + 1;
  return {
    reports: attempts.map(({ name }) => name),
    next: attempt === 1 ? `${task}-report.md` : `${task}-report-r${attempt}.md`,
  };
}
