import { redact, redactText } from "../../secrets/redact.ts";
import { clipped, oneLine } from "./words.ts";
import type { Attempt, Task, TaskState } from "./task.ts";

const mostOutput = 8000;
const mostInput = 20_000;

/** `tool_call.md`: what was asked for, why, and how it went, with secrets masked. */
export function toolCallPage(task: Task, state: TaskState): string {
  const { key, ability, operation, implementation, kind, environment, created, expires, parent } = task;
  const head = {
    key,
    ability_id: ability,
    operation_key: operation,
    implementation,
    kind,
    environment,
    status: state,
    created,
    ...(task.attempts.length === 0 ? { expires } : {}),
    ...(parent === undefined ? {} : { parent }),
    ...(task.session === undefined ? {} : { session_id: task.session }),
  };
  const input = JSON.stringify(redact(task.input).value, undefined, 2) ?? "null";
  return [
    "---",
    // Every line of JSON is a line of YAML, and nothing in a value can end the frontmatter.
    ...Object.entries(head).map(([name, value]) => `${name}: ${JSON.stringify(masked(value))}`),
    "---",
    "",
    `# ${ability}`,
    "",
    ...(task.reason === undefined ? [] : [`Reason: ${oneLine(masked(task.reason))}`, ""]),
    ...(task.expect === undefined ? [] : [`Expected: ${oneLine(masked(task.expect))}`, ""]),
    "## Input",
    "",
    ...fenced(clipped(input, mostInput), "json"),
    ...task.attempts.flatMap(attemptLines),
    ...(task.feedback.length === 0
      ? []
      : [
          "",
          "## Feedback",
          "",
          ...task.feedback.map(({ time, text }) => `- ${time} ${oneLine(masked(text))}`),
        ]),
    "",
  ].join("\n");
}

function attemptLines(attempt: Attempt): string[] {
  const { number, started, ended, status, detail, ms, caller, output, notes = [], interrupted } = attempt;
  const by = [caller.source, caller.triggered_by, caller.job_id].filter(Boolean).join(", ");
  return [
    "",
    `## Run ${number}`,
    "",
    `- started ${started} by ${oneLine(masked(by))}`,
    ...(ended === undefined
      ? ["- running"]
      : [`- ended ${ended}${ms === undefined ? "" : ` after ${Math.round(ms)} ms`}`]),
    ...(status === undefined ? [] : [`- status ${status}${interrupted ? " (interrupted)" : ""}`]),
    ...(detail === undefined ? [] : [`- ${oneLine(masked(detail))}`]),
    ...notes.map((note) => `- ${oneLine(masked(note))}`),
    ...(output === undefined || output === ""
      ? []
      : ["", ...fenced(clipped(masked(output), mostOutput), "text")]),
  ];
}

const masked = (text: string): string => redactText(text).text;

/** Longer than any fence inside, so that output cannot end it. */
function fenced(text: string, language: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return [`${fence}${language}`, text, fence];
}
