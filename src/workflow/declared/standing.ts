import type { Location, Workflow } from "./model.ts";
import { keyIn, type ReadYaml } from "./keys.ts";
import type { Moment } from "./moment.ts";
import { fitsName } from "./glob.ts";

/** Where one run of a workflow stands. */
export interface Standing {
  /** The file it is kept in; empty where it is kept in none, or in several. */
  readonly file: string;
  /** Nothing when it cannot be told, or is none of the states. */
  readonly state?: string;
  /** What stands there instead. */
  readonly found?: string;
  /** Why nobody can tell. */
  readonly trouble?: string;
}

/** Every run of a workflow, as things are at a moment. One that is kept in a single place is always there. */
export function standingsAt(workflow: Workflow, moment: Moment, yaml?: ReadYaml): readonly Standing[] {
  const { state, initial } = workflow;
  switch (state.by) {
    case "key":
    case "marker": {
      const files = state.file.includes("*") ? moment.files(state.file).slice(0, mostRuns) : [state.file];
      return files.map((file) => standingIn(file, workflow, state, moment, yaml));
    }
    case "presence": {
      const found = Object.entries(state.files).find(([, glob]) => moment.files(glob).length > 0);
      return [{ file: "", state: found?.[0] ?? initial }];
    }
    case "branch": {
      const branch = moment.branch();
      if (branch === "?") return [{ file: "", trouble: "which branch is checked out cannot be told" }];
      const found = Object.entries(state.branches).find(
        ([, patterns]) => branch !== undefined && patterns.some((pattern) => fitsBranch(pattern, branch)),
      );
      return [{ file: "", state: found?.[0] ?? initial }];
    }
    case "record":
      return [];
  }
}

const mostRuns = 200;

/** `*` stands for anything in a branch's name, also for `/`. */
export const fitsBranch = fitsName;

function standingIn(
  file: string,
  workflow: Workflow,
  state: Extract<Location, { by: "key" | "marker" }>,
  moment: Moment,
  yaml: ReadYaml | undefined,
): Standing {
  const content = moment.content(file);
  if (content === "untold") return { file, trouble: `what ${file} says cannot be told` };
  if (content === "missing") return { file, state: workflow.initial };
  if (state.by === "marker") return known(file, markedIn(content.text, state.marker), workflow);
  const read = keyIn(file, content.text, state.key, yaml);
  if ("error" in read) return { file, trouble: `${file} cannot be read (${read.error})` };
  const { value } = read;
  if (value === undefined || value === null) return { file, state: workflow.initial };
  if (typeof value === "object")
    return {
      file,
      trouble: `${state.key.join(".")} of ${file} is no word but a ${Array.isArray(value) ? "list" : "mapping"}`,
    };
  return known(file, typeof value === "string" ? value : JSON.stringify(value), workflow);
}

function known(file: string, found: string | undefined, { states, initial }: Workflow): Standing {
  if (found === undefined) return { file, state: initial };
  return Object.hasOwn(states, found) ? { file, state: found } : { file, found };
}

/** The state that the first line with the marker names. */
function markedIn(text: string, marker: string): string | undefined {
  const [before = "", after = ""] = marker.split("{state}");
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const bare = line.trim();
    if (bare.length < before.trim().length + after.trim().length) continue;
    if (!bare.startsWith(before.trimStart()) || !bare.endsWith(after.trimEnd())) continue;
    const name = bare.slice(before.trimStart().length, bare.length - after.trimEnd().length).trim();
    if (name !== "") return name;
  }
  return undefined;
}

export const shown = ({ state, found, trouble }: Standing): string =>
  state ?? (found === undefined ? (trouble ?? "unknown") : JSON.stringify(found.slice(0, 80)));
