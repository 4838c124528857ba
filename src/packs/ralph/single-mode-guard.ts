import type { InferOutput } from "valibot";
import { beforeTool } from "../../core/event.ts";
import { defineRule, type Judged, type SchemaLibrary } from "../../core/rule.ts";
import { distinct, readInvocation } from "../../workflow/ralph-invocation.ts";
import { isRalphSubagent, roleOf } from "../../workflow/ralph-roles.ts";
import { logHookError } from "./_hook-errors.ts";

const input = (v: SchemaLibrary) =>
  v.object({
    tool_name: v.string(),
    invocation_text: v.string(),
    agent_target: v.string(),
    parsed_params: v.optional(
      v.object({
        modes: v.optional(v.array(v.string())),
        task_ids: v.optional(v.array(v.string())),
        session_path: v.nullish(v.string()),
      }),
      {},
    ),
  });

/** The agents that the workflow calls without a mode, and the one they then have. */
const implicit = (v: SchemaLibrary) =>
  v.strictObject({ Executor: v.optional(v.string()), "Reviewer with TASK_ID": v.optional(v.string()) });

export default defineRule({
  summary: "Lets a subagent be called for one mode and at most one task.",
  why: "A call that mixes modes or tasks breaks their isolation, and nobody can tell what comes out of it.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p0": {} },
  on: { events: beforeTool, actions: ["delegate"] },
  options: (v) =>
    v.strictObject({
      implicit_modes: v.pipe(
        v.optional(implicit(v), {}),
        v.description(
          "The mode of a call that names none: `Executor: EXECUTE`, and `Reviewer with TASK_ID: TASK_REVIEW` for a review of a task.",
        ),
      ),
    }),
  catalogue: {
    number: 9,
    title: "Single-Mode Subagent Guard",
    tier: "P0",
    lifecycle: "PreTool",
    serves: "scope",
    risk: "isolation violations",
  },
  messages: {
    noMode: {
      what: "{reason}",
      why: "Without it the subagent chooses itself which of its instructions it follows.",
      instead: "Put one line such as `MODE: EXECUTE` into the call.",
    },
    modes: { what: "{reason}", instead: "Call the subagent once for each mode." },
    tasks: { what: "{reason}", instead: "Call the subagent once for each task." },
  },
  examples: {
    catches: [
      { delegate: { agent: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-1, task-2" } },
      { delegate: { agent: "Ralph-v2-Planner", prompt: "MODE: UPDATE\nMODE: REBREAKDOWN" } },
      {
        delegate: { agent: "Ralph-v2-Reviewer", prompt: "MODE: TASK_REVIEW TASK_ID: task-1 TASK_ID: task-2" },
      },
      { delegate: { agent: "Ralph-v2-Executor", prompt: "TASK_ID: task-1" } },
      {
        delegate: { agent: "Ralph-v2-Reviewer", prompt: "Review the session." },
        options: { implicit_modes: { Executor: "EXECUTE", "Reviewer with TASK_ID": "TASK_REVIEW" } },
      },
    ],
    allows: [
      {
        delegate: {
          agent: "Ralph-v2-Executor",
          prompt: "MODE: EXECUTE\nTASK_ID: task-1\nIt builds on task-2.",
        },
      },
      { delegate: { agent: "Ralph-v2-Planner", prompt: "**MODE:** INITIALIZE\n**ITERATION:** 1" } },
      { delegate: { agent: "Ralph-v2-Questioner", prompt: "MODE: brainstorm CYCLE=1\nMODE: BRAINSTORM" } },
      {
        delegate: { agent: "Ralph-v2-Executor", prompt: "TASK_ID: task-1" },
        options: { implicit_modes: { Executor: "EXECUTE", "Reviewer with TASK_ID": "TASK_REVIEW" } },
      },
      { delegate: { agent: "Explore", prompt: "Where is the parser?" } },
    ],
  },
  contract: { input, judge: judgeInvocation },
  onFailure: logHookError(9),
  *check({ event, options }) {
    for (const action of event.actions) {
      if (action.kind !== "delegate") continue;
      const { agent = "", prompt } = action;
      const isOurs = isRalphSubagent(agent);
      // Other agents are called in plain prose, which may speak of a MODE as of anything else.
      const { modes, taskIds } = readInvocation(prompt, isOurs ? "anywhere" : "lines");
      const all = modes.length > 0 ? modes : implicitModes(options.implicit_modes, agent, taskIds.length > 0);
      if (all.length === 0 && isOurs) yield { message: "noMode", data: { reason: noMode } };
      if (all.length > 1) yield { message: "modes", data: { reason: severalModes(all) } };
      if (taskIds.length > 1) yield { message: "tasks", data: { reason: severalTasks(taskIds) } };
    }
  },
});

function implicitModes(
  map: InferOutput<ReturnType<typeof implicit>>,
  agent: string,
  hasTask: boolean,
): string[] {
  const isReview = roleOf(agent) === "Reviewer" && hasTask;
  const mode =
    roleOf(agent) === "Executor" ? map.Executor : isReview ? map["Reviewer with TASK_ID"] : undefined;
  return mode === undefined ? [] : [mode];
}

function judgeInvocation(given: InferOutput<ReturnType<typeof input>>): Judged {
  const { agent_target: agent, parsed_params: parsed } = given;
  const read = readInvocation(given.invocation_text);
  const modes = distinct(parsed.modes?.flatMap(listed) ?? read.modes);
  const own = parsed.task_ids?.flatMap(listed) ?? [];
  // Of a reviewer the tasks in its text count in any case: that is hook 10.
  const taskIds = distinct(parsed.task_ids && roleOf(agent) !== "Reviewer" ? own : [...own, ...read.taskIds]);
  const reasons = [
    ...(modes.length === 0 ? [noMode] : []),
    ...(modes.length > 1 ? [severalModes(modes)] : []),
    ...(taskIds.length > 1 ? [severalTasks(taskIds)] : []),
  ];
  return {
    output: {
      verdict: reasons.length > 0 ? "BLOCK" : "PASS",
      reason: reasons.length > 0 ? reasons.join(" ") : null,
      modes_found: modes,
      task_ids_found: taskIds,
    },
  };
}

/** `task-1, task-2` in one element is a list that somebody has not taken apart. */
const listed = (element: string): string[] =>
  element
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const noMode = "No MODE detected. Each subagent call must handle exactly one mode.";

const severalModes = (modes: readonly string[]): string =>
  `Multiple MODEs detected: [${few(modes)}]. Each subagent call must handle exactly one mode.`;

const severalTasks = (taskIds: readonly string[]): string =>
  `Multiple TASK_IDs detected: [${few(taskIds)}]. Each subagent call must handle exactly one task.`;

const few = (names: readonly string[]): string =>
  names.length > 10 ? `${names.slice(0, 10).join(", ")}, …` : names.join(", ");
