import type { InferOutput } from "valibot";
import { beforeTool } from "../../core/event.ts";
import { imagesOf } from "../../core/images.ts";
import { defineRule, type Judged, type SchemaLibrary } from "../../core/rule.ts";
import { isStatus, statusesIn, type TaskStatus } from "../../workflow/ralph-progress.ts";
import { logHookError } from "./_hook-errors.ts";
import { allowed, isProgress } from "./_progress.ts";
import { changesBetween, originTransitions, transitionWarning } from "./_transitions.ts";

const input = (v: SchemaLibrary) =>
  v.object({
    tool_name: v.string(),
    file_path: v.string(),
    old_content: v.nullish(v.string(), ""),
    new_content: v.string(),
  });

const options = (v: SchemaLibrary) =>
  v.strictObject({
    extra_transitions: v.pipe(
      v.optional(v.array(v.picklist(originTransitions)), []),
      v.description(
        `Steps of the workflow that are expected, too: any of ${originTransitions.map((step) => `\`${step}\``).join(", ")}.`,
      ),
    ),
  });

const session = ".ralph-sessions/260215-173319/iterations/1/progress.md";

export default defineRule({
  summary:
    "Lets a task in `progress.md` have one of the six statuses only, and warns of a step that skips another.",
  why: "The orchestrator routes tasks by these markers; one it does not know is skipped or run again, silently.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p0": {} },
  on: { events: beforeTool, actions: ["write"] },
  options,
  catalogue: {
    number: 14,
    title: "Progress Status Mutation Guard",
    tier: "P0",
    lifecycle: "PreTool",
    serves: "integrity",
    risk: "state routing failures",
  },
  messages: {
    invalid: { what: "{reason}", instead: "Write the line again with one of the six statuses." },
    transition: {
      what: "{reason}",
      why: "A status that is set before its time hides work that was not done.",
      instead: "Check that no step was left out.",
    },
    unknown: {
      what: "which statuses this call leaves in `{path}` cannot be told.",
      instead: "Write or edit the file with a plain file tool.",
    },
  },
  examples: {
    catches: [
      { write: session, text: "- [✓] task-1 (completed)\n" },
      {
        files: { [session]: "# Progress\n- [/] task-1\n" },
        write: session,
        edit: { old: "[/] task-1", new: "[done] task-1" },
      },
      { shell: `echo '- [X] task-1' >> ${session}` },
      {
        files: { [session]: "- [ ] task-1\n" },
        write: session,
        edit: { old: "- [ ] task-1", new: "- [x] task-1" },
      },
      { files: { [session]: "- [P] task-1\n" }, write: session, text: "- [F] task-1\n" },
    ],
    allows: [
      {
        files: { [session]: "- [ ] task-1\n- [P] task-2\n" },
        write: session,
        text: "- [/] task-1 (Attempt 1, Iteration 1)\n- [x] task-2\n- [ ] task-3\n",
      },
      {
        files: { [session]: "- [P] task-1\n" },
        write: session,
        text: "- [F] task-1\n",
        options: { extra_transitions: ["[P] -> [F]"] },
      },
      { write: session, text: "- `[✓]` is no status\n- [✓] plan-init\n" },
      { write: "docs/notes.md", text: "- [✓] task-1\n" },
    ],
  },
  contract: {
    input,
    judge: (given, _world, set) => judgeStatuses(given, set as InferOutput<ReturnType<typeof options>>),
  },
  // What cannot be told of a file it says as well, and more strictly.
  yieldsTo: ["ralph/ssot-write-guard"],
  onFailure: logHookError(14),
  *check({ event, world, options: set }) {
    const images = imagesOf(event.actions, world);
    for (const action of event.actions) {
      if (action.kind !== "write" || !action.target) continue;
      const { given: path, path: absolute, real } = action.target;
      if (!isProgress(real, absolute)) continue;
      const image = images.after(action);
      if (!image) {
        yield { message: "unknown", outcome: "warn", data: { path } };
        continue;
      }
      // A line below the old one of its task is a step from that.
      const after = statusesIn(action.change.by === "append" ? action.change.text : image.text);
      const changed = () => changesBetween(statusesIn(images.before(action) ?? ""), after);
      // Who writes the whole file answers for every line of it, else for those that change.
      const reason = invalidReason(action.change.by === "text" ? after : changed());
      if (reason !== undefined) {
        yield { message: "invalid", data: { reason, path } };
        continue;
      }
      const warning = transitionWarning(changed(), set.extra_transitions);
      if (warning !== undefined)
        yield { message: "transition", outcome: "warn", data: { reason: warning, path } };
    }
  },
});

function judgeStatuses(
  given: InferOutput<ReturnType<typeof input>>,
  set: InferOutput<ReturnType<typeof options>>,
): Judged {
  const after = isProgress(given.file_path) ? statusesIn(given.new_content) : [];
  const invalid = invalidReason(after);
  const changes = changesBetween(statusesIn(given.old_content ?? ""), after);
  const warning = invalid === undefined ? transitionWarning(changes, set.extra_transitions) : undefined;
  return {
    output: {
      verdict: invalid !== undefined ? "BLOCK" : warning !== undefined ? "WARN" : "PASS",
      reason: invalid ?? warning ?? null,
      invalid_statuses: after
        .filter(({ status }) => !isStatus(status))
        .map(({ id, status }) => ({ task_id: id, status })),
    },
  };
}

function invalidReason(tasks: readonly TaskStatus[]): string | undefined {
  const invalid = tasks.filter(({ status }) => !isStatus(status));
  const said = invalid
    .slice(0, 3)
    .map(({ id, status }) => `Invalid status '${status.slice(0, 40)}' for ${id}. ${hintFor(status)}`);
  if (invalid.length > 3) said.push(`And ${invalid.length - 3} more.`);
  return said.length > 0 ? said.join(" ") : undefined;
}

/** What somebody means who writes another sign. */
const meanings: readonly [RegExp, string][] = [
  [/^(?:[X✓✔✅☑√]\uFE0F?|done|completed?)$/iu, "Use [x] for completed tasks."],
  [/^(?:[~>\\⏳🔄🚧]|wip|in[ _-]progress|started)$/iu, "Use [/] for tasks in progress."],
  [/^(?:p|pending|review)$/i, "Use [P] for tasks pending review."],
  [/^(?:[f!✗✘✖❌]\uFE0F?|failed)$/iu, "Use [F] for failed tasks."],
  [/^(?:c|cancell?ed|skipped)$/i, "Use [C] for cancelled tasks."],
  [/^(?:\s*|[_☐□]|todo)$/iu, "Use [ ] for tasks not started."],
];

const hintFor = (status: string): string =>
  meanings.find(([pattern]) => pattern.test(status.trim()))?.[1] ?? `Allowed: ${allowed}.`;
