import type { Action } from "../../core/action.ts";
import { beforeTool } from "../../core/event.ts";
import { imagesOf } from "../../core/images.ts";
import type { Json } from "../../core/json.ts";
import { lazily } from "../../core/lazily.ts";
import { defineRule } from "../../core/rule.ts";
import { isoTime } from "../../workflow/iso-time.ts";
import { logHookError } from "./_hook-errors.ts";

const file = ".ralph-sessions/260215-173319/iterations/1/metadata.yaml";

export default defineRule({
  summary: "Lets the times in an iteration's `metadata.yaml` be ISO8601 only, and in their order.",
  why: "Time limits and reviews are computed from them; a time that cannot be read or runs backwards makes both wrong.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/all": {} },
  on: { events: beforeTool, actions: ["write"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 16,
    title: "Iteration Metadata Guard",
    tier: "P2",
    lifecycle: "PreTool",
    serves: "integrity",
  },
  messages: {
    format: {
      what: "`{field}` in `{path}` is not ISO8601: '{value}'.",
      instead: "Write it like 2026-02-15T17:33:19+07:00, or null while it has not happened.",
    },
    order: {
      what: "`{field}` ({value}) in `{path}` is earlier than `{before}` ({earlier}).",
      instead: "Write each time as it was: an iteration starts, is planned, and is completed, in that order.",
    },
  },
  examples: {
    catches: [
      { write: file, text: "iteration: 1\nstarted_at: yesterday\n" },
      {
        write: file,
        text: "iteration: 1\nstarted_at: 2026-02-15T18:00:00Z\ncompleted_at: 2026-02-15T17:00:00Z\n",
      },
      {
        files: {
          [file]: "iteration: 1\nstarted_at: 2026-02-15T18:00:00+0700\nplanning_completed_at: null\n",
        },
        write: file,
        edit: { old: "planning_completed_at: null", new: "planning_completed_at: 2026-02-15T10:59:00Z" },
      },
    ],
    allows: [
      {
        write: file,
        text: "iteration: 1\nstarted_at: 2026-02-15T18:00:00+0700\nplanning_completed_at: 2026-02-15T11:00:00Z\ncompleted_at: null\n",
      },
      { write: ".ralph-sessions/260215-173319/metadata.yaml", text: "created_at: yesterday\n" },
      { write: "chart/iterations/1/metadata.yaml", text: "started_at: yesterday\n" },
    ],
  },
  onFailure: logHookError(16),
  load: (event) => (event.actions.some(isIterationMetadata) ? metadata() : undefined),
  *check({ event, world, loaded }) {
    const images = imagesOf(event.actions, world);
    for (const action of event.actions) {
      if (!loaded || action.kind !== "write" || !action.target || !isIterationMetadata(action)) continue;
      const { given: path } = action.target;
      const image = images.after(action);
      const read = image && loaded.readMetadata(image.text);
      // What cannot be read or told is for the guard of the whole file.
      if (!read || "error" in read) continue;
      for (const problem of problemsIn(read.data)) {
        if (problem.before === undefined)
          yield { message: "format", data: { path, field: problem.field, value: problem.value } };
        else yield { message: "order", data: { ...problem, path } };
      }
    }
  },
});

const metadata = lazily(() => import("../../workflow/ralph-metadata.ts"));

/** By the resolved name or by the given one: a link must not hide either. */
const isIterationMetadata = (action: Action): boolean =>
  action.kind === "write" &&
  action.target !== undefined &&
  [action.target.real, action.target.path].some((path) =>
    /[\\/]\.ralph-sessions[\\/]\d{6}-\d{6}[\\/]iterations[\\/]\d+[\\/]metadata\.yaml$/.test(path),
  );

type Problem =
  | { readonly field: string; readonly value: string; readonly before?: undefined }
  | { readonly field: string; readonly value: string; readonly before: string; readonly earlier: string };

const inOrder = ["started_at", "planning_completed_at", "completed_at"] as const;

function problemsIn(data: Json): Problem[] {
  const problems: Problem[] = [];
  let last: { field: string; value: string; time: number } | undefined;
  for (const field of inOrder) {
    const value = data[field];
    if (value === undefined || value === null) continue;
    const time = isoTime(value);
    const shown = (typeof value === "string" ? value : JSON.stringify(value)).slice(0, 60);
    if (time === undefined) problems.push({ field, value: shown });
    else if (last && time < last.time)
      problems.push({ field, value: shown, before: last.field, earlier: last.value });
    else last = { field, value: shown, time };
  }
  return problems;
}
