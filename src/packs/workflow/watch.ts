import type { Event } from "../../core/event.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import { logEffect, todosEntry, type Entry } from "../../workflow/declared/log.ts";
import { wantsTodos, type Workflow } from "../../workflow/declared/model.ts";
import { memoriesOf } from "../../workflow/declared/remember.ts";
import { testFirst } from "./_examples.ts";
import { loading, readersFor, sceneOf, type Asked } from "./_scene.ts";

const ended = { event: "PostToolUseFailure", declared: [testFirst], shell: "npm test", exitCode: 1 } as const;

export default defineRule({
  summary:
    "Remembers what a workflow watches, tools and what agents say, and takes the steps that wait for it.",
  why: "What a guard asks to have been seen must be on record, and not in somebody's memory.",
  since: "0.1.0",
  outcome: "warn",
  presets: { workflow: {} },
  on: { events: ["PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop"] },
  options: (v) => v.strictObject({}),
  messages: {
    moved: { what: "{workflow} has gone from {from} to {to}: {saw}." },
    waits: {
      what: "{workflow} stays at {from}: {saw}, but {missing}.",
      why: "The step to {to} waits for it.",
      instead: "Do what is missing.",
    },
  },
  examples: {
    catches: [
      ended,
      {
        ...ended,
        declared: [
          {
            ...testFirst,
            transitions: testFirst.transitions.map((step) => ({
              ...step,
              when: [{ is: "file", file: "PLAN.md", line: [], without: [] }],
            })),
          },
        ],
      },
    ],
    allows: [
      { event: "PostToolUse", declared: [testFirst], shell: "ls" },
      { event: "PostToolUse", declared: [testFirst], shell: "npm test", exitCode: 0 },
    ],
  },
  load: loading(judge, readersFor),
  check: judge,
});

function* judge({ event, world, declared, loaded }: Asked): Iterable<Yield<"moved" | "waits">> {
  const scene = sceneOf(event, world, declared, loaded);
  for (const workflow of scene.workflows) {
    for (const entry of todosFor(workflow, event)) yield { effect: logEffect(workflow, event, world, entry) };
    for (const { seen, entry, step } of memoriesOf(workflow, scene)) {
      if (entry) yield { effect: logEffect(workflow, event, world, entry) };
      if (!step) continue;
      const { from, to, missing } = step;
      const saw = [seen.watch, seen.result].filter(Boolean).join(" ");
      const data = { workflow: workflow.name, from, to, saw };
      if (missing.length > 0) {
        yield { message: "waits", data: { ...data, missing: missing.join("; ") } };
        continue;
      }
      yield { message: "moved", outcome: "pass", data };
      yield { add: { context: `Hookline: ${workflow.name} has gone from ${from} to ${to} (${saw}).` } };
    }
  }
}

/** A subagent's list is its own, but it may tick off what is on another's. */
const todosFor = (workflow: Workflow, { name, actions, agent }: Event): Entry[] =>
  name !== "PostToolUse" || !wantsTodos(workflow)
    ? []
    : actions.flatMap((action) =>
        action.kind === "todo" && !(action.whole && agent?.id) ? [todosEntry(action)] : [],
      );
