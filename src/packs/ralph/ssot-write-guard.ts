import { basename } from "node:path";
import type { InferOutput } from "valibot";
import type { Action } from "../../core/action.ts";
import { beforeTool } from "../../core/event.ts";
import { imagesOf } from "../../core/images.ts";
import { defineRule, type Judged, type SchemaLibrary } from "../../core/rule.ts";
import { ralphProfileNames, type RalphProfileName } from "../../workflow/ralph-profiles.ts";
import { sessionsFolder } from "../../workflow/ralph-layout.ts";
import { logHookError } from "./_hook-errors.ts";
import type { checkMetadata } from "./_metadata.ts";
import { checkProgress, type Violation } from "./_progress.ts";

const input = (v: SchemaLibrary) =>
  v.object({
    tool_name: v.string(),
    file_path: v.string(),
    new_content: v.string(),
    session_id: v.optional(v.string()),
    file_type: v.optional(v.string()),
  });

const options = (v: SchemaLibrary) =>
  v.strictObject({
    profile: v.pipe(
      v.optional(v.picklist(ralphProfileNames), "v2.2.0"),
      v.description("The Ralph version whose state names count."),
    ),
    where: v.pipe(
      v.optional(v.picklist(["everywhere", "sessions"]), "everywhere"),
      v.description("Guard every progress.md and metadata.yaml, or only those below .ralph-sessions."),
    ),
  });

/** Tools that replace a file as a whole; what any other tool brings is a piece of one. */
const wholeFileTools = new Set(["create_file", "create", "Write", "write_file", "write"]);

export default defineRule({
  summary: "Lets `progress.md` and `metadata.yaml` change only to something their readers understand.",
  why: "They are the single source of truth of a session; a bad line in them breaks every later step.",
  since: "0.1.0",
  outcome: "block",
  failMode: "closed",
  presets: { "ralph/p0": { where: "everywhere" }, recommended: { where: "sessions" } },
  on: { events: beforeTool, actions: ["write"] },
  options,
  catalogue: {
    number: 8,
    title: "SSOT File Write Guard",
    tier: "P0",
    lifecycle: "PreTool",
    serves: "integrity",
    risk: "state corruption",
  },
  messages: {
    invalid: { what: "{reason}.", instead: "Write the file so that it keeps its schema." },
    suspicious: { what: "{reason}.", instead: "Check that this is meant." },
    unknown: {
      what: "what this call leaves in `{path}` cannot be told.",
      instead: "Write or edit the file with a plain file tool.",
    },
  },
  examples: {
    catches: [
      { write: ".ralph-sessions/260215-173319/iterations/1/progress.md", text: "- [Z] task-1\n" },
      {
        files: { ".ralph-sessions/260215-173319/iterations/1/progress.md": "# Progress\n- [ ] task-1\n" },
        write: ".ralph-sessions/260215-173319/iterations/1/progress.md",
        edit: { old: "[ ]", new: "[Z]" },
      },
      {
        write: ".ralph-sessions/260215-173319/metadata.yaml",
        text: "iteration: 1\norchestrator:\n  state: DONE\n",
      },
      { write: ".ralph-sessions/260215-173319/iterations/2/metadata.yaml", text: "iteration: two\n" },
      {
        write: ".ralph-sessions/260215-173319/iterations/1/progress.md",
        text: "- [x] task-1\n- [ ] task-1\n",
      },
    ],
    allows: [
      {
        write: ".ralph-sessions/260215-173319/iterations/1/progress.md",
        text: "- `[ ]` Not started\n- [x] plan-init\n- [/] task-1\n",
      },
      {
        write: ".ralph-sessions/260215-173319/metadata.yaml",
        text: "iteration: 1\norchestrator:\n  state: PLANNING\n",
      },
      {
        write: ".ralph-sessions/260215-173319/iterations/2/metadata.yaml",
        text: "iteration: 2\nstarted_at: 2026-02-15T17:33:19+0700\n",
      },
      { write: "docs/progress.txt", text: "- [Z] task-1\n" },
      { write: "chart/metadata.yaml", text: "iteration: two\n", options: { where: "sessions" } },
    ],
  },
  contract: {
    input,
    judge: (given, _world, set) =>
      judgeWrite(given, (set as InferOutput<ReturnType<typeof options>>).profile),
  },
  onFailure: logHookError(8),
  load: (event) =>
    event.actions.some((action) => typeOf(action) === "metadata") ? metadataCheck() : undefined,
  *check({ event, world, options: set, loaded }) {
    const images = imagesOf(event.actions, world);
    for (const action of event.actions) {
      const type = typeOf(action);
      if (action.kind !== "write" || !action.target || type === "other") continue;
      const { target } = action;
      const isOurs = isBelowSessions(target.real) || isBelowSessions(target.path);
      if (set.where === "sessions" && !isOurs) continue;
      const image = images.after(action);
      if (!image) {
        // Elsewhere other people's files have these names, and other tools write them.
        if (isOurs) yield { message: "unknown", data: { path: target.given } };
        continue;
      }
      const violations = violationsOf(
        target.real,
        type,
        image.text,
        isOurs && image.whole && image.last,
        set.profile,
        loaded,
      );
      const worst = violations.find((violation) => violation.severity === "block") ?? violations[0];
      if (!worst) continue;
      if (worst.severity === "block") yield { message: "invalid", data: { reason: worst.text } };
      else yield { message: "suspicious", outcome: "warn", data: { reason: worst.text } };
    }
  },
});

type FileType = "progress" | "metadata" | "other";

function fileType(path: string): FileType {
  const name = basename(path.replaceAll("\\", "/")).toLowerCase();
  if (name === "progress.md") return "progress";
  return name === "metadata.yaml" ? "metadata" : "other";
}

/** By the resolved name and by the given one: a link must not hide either. */
function typeOf(action: Action): FileType {
  if (action.kind !== "write" || !action.target) return "other";
  const type = fileType(action.target.real);
  return type === "other" ? fileType(action.target.path) : type;
}

const metadataCheck = async (): Promise<typeof checkMetadata> =>
  (await import("./_metadata.ts")).checkMetadata;

const isBelowSessions = (path: string): boolean => path.split(/[\\/]/).includes(sessionsFolder);

async function judgeWrite(
  given: InferOutput<ReturnType<typeof input>>,
  profile: RalphProfileName,
): Promise<Judged> {
  const type = fileType(given.file_path);
  const whole = wholeFileTools.has(given.tool_name);
  const loaded = type === "metadata" ? await metadataCheck() : undefined;
  const violations = violationsOf(given.file_path, type, given.new_content, whole, profile, loaded);
  const worst = violations.find((violation) => violation.severity === "block") ?? violations[0];
  const verdict = worst === undefined ? "PASS" : worst.severity === "block" ? "BLOCK" : "WARN";
  const validation_errors = violations.map(({ field, expected, actual }) => ({ field, expected, actual }));
  return { output: { verdict, reason: worst?.text ?? null, validation_errors } };
}

function violationsOf(
  path: string,
  type: FileType,
  text: string,
  whole: boolean,
  profile: RalphProfileName,
  metadata: typeof checkMetadata | undefined,
): Violation[] {
  if (type === "progress") return checkProgress(text);
  if (type === "other") return [];
  if (!metadata) throw new Error("the check of metadata.yaml is not loaded");
  return metadata(text, whole, { profile, required: requiredKeys(path) });
}

/** Only the session's own metadata carries the state; an iteration's has its number. */
function requiredKeys(path: string): string[] {
  const parts = path.split(/[\\/]/);
  if (parts.at(-3) === "iterations") return ["iteration"];
  return parts.at(-3) === sessionsFolder ? ["orchestrator.state", "iteration"] : [];
}
