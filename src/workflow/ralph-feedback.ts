import { join } from "node:path";
import type { World } from "../core/world.ts";
import { isoTime } from "./iso-time.ts";
import { readFeedback } from "./ralph-documents.ts";

// This module brings the YAML library along: import it only when such a file is really at stake.

const requiredSections = ["Critical Issues", "Quality Issues", "New Requirements", "Artifacts Index"];

/** What a `feedbacks.md` lacks, one sentence each: frontmatter, its fields, sections. */
export function feedbackFlaws(text: string): string[] {
  const { data, error, sections } = readFeedback(text);
  const missing = requiredSections
    .filter((name) => !sections.some(({ level, title }) => level === 2 && isTitled(title, name)))
    .map((name) => `feedbacks.md lacks the section '## ${name}'`);
  if (error === "no frontmatter")
    return ["feedbacks.md lacks its frontmatter (--- with iteration and timestamp)", ...missing];
  if (error !== undefined) return [`The frontmatter of feedbacks.md cannot be read (${error})`, ...missing];
  return [...iterationFlaws(data["iteration"]), ...timestampFlaws(data["timestamp"]), ...missing];
}

/** `## Critical Issues (Blockers)` is the section Critical Issues. */
const isTitled = (title: string, name: string): boolean => title.toLowerCase().startsWith(name.toLowerCase());

function iterationFlaws(value: unknown): string[] {
  if (typeof value === "number" && Number.isInteger(value) && value > 0) return [];
  return value === undefined || value === null
    ? ["The frontmatter of feedbacks.md lacks 'iteration'"]
    : [`'iteration' in the frontmatter of feedbacks.md must be a positive integer, got '${show(value)}'`];
}

function timestampFlaws(value: unknown): string[] {
  if (value === undefined || value === null) return ["The frontmatter of feedbacks.md lacks 'timestamp'"];
  if (isoTime(value) !== undefined || /^\d{8}-\d{6}$/.test(show(value))) return [];
  return [`'timestamp' in the frontmatter of feedbacks.md must be ISO8601, got '${show(value)}'`];
}

const show = (value: unknown): string =>
  (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 60);

/** Rows of the Artifacts Index whose file is not in the folder. `isThere` knows of files that are about to come. */
export function artifactFlaws(text: string, isThere: (file: string) => boolean): string[] {
  return readFeedback(text).artifacts.flatMap(({ file }, at) => {
    if (/^(?:[-–—]+|n\/?a|none|\(none\))$/i.test(file)) return [];
    const row = `Artifacts Index, row ${at + 1}: '${file}'`;
    if (/^(?:[\\/]|[a-z]:)|(?:^|[\\/])\.\.(?:[\\/]|$)/i.test(file))
      return [`${row} leads out of the folder of feedbacks.md`];
    return isThere(file) ? [] : [`${row} does not exist in the folder of feedbacks.md`];
  });
}

/** All that is wrong with the batches of an iteration as they lie on disk: the folder and what is the matter. */
export function batchFlaws(
  session: string,
  iteration: number,
  batches: readonly string[],
  world: World,
): string[] {
  return batches.flatMap((batch) => {
    const below = `iterations/${iteration}/feedbacks/${batch}`;
    const folder = join(session, below);
    const text = world.read(join(folder, "feedbacks.md"));
    if (text === undefined) return [`${below}/feedbacks.md is missing`];
    const flaws = [
      ...feedbackFlaws(text),
      ...artifactFlaws(text, (file) => world.stat(join(folder, file)) !== undefined),
    ];
    return flaws.map((flaw) => `${below}: ${flaw}`);
  });
}
