import type { Event } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { roleOf } from "../../workflow/ralph-roles.ts";
import { callEffects, openCalls } from "../../workflow/ralph-calls.ts";
import { placeOf } from "../../workflow/ralph-layout.ts";
import { logHookError } from "./_hook-errors.ts";

const session = ".ralph-sessions/260215-173319";
const plan = `${session}/iterations/1/plan.md`;
const called = (subagent: string, ...modes: string[]) => ({
  [`${session}/logs/subagent-calls.jsonl`]: `${JSON.stringify({ phase: "start", key: "c", host_session: null, subagent, modes })}\n`,
});
const written = { [plan]: "# Plan\n" };

export default defineRule({
  summary: "Lets a plan that is written be changed only by the Planner in UPDATE mode.",
  why: "Tasks and reviews refer to the plan as it was agreed; one that changes under them makes both wrong.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/all": {} },
  on: {
    events: ["PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"],
    actions: ["write", "delete", "delegate"],
  },
  options: (v) =>
    v.strictObject({
      modes: v.pipe(
        v.optional(v.array(v.string()), ["UPDATE"]),
        v.description("The modes in which the Planner may change a plan that is there."),
      ),
    }),
  catalogue: {
    number: 15,
    title: "Plan Snapshot Integrity Check",
    tier: "P2",
    lifecycle: "PreTool",
    serves: "integrity",
  },
  messages: {
    overwritten: {
      what: "`{path}` is written already, and {writer} may not change it.",
      instead: "Call the planner with `MODE: UPDATE`, or put the change into the task or its report.",
    },
  },
  examples: {
    catches: [
      { files: written, write: plan, text: "# Another\n" },
      { files: written, agent: "Ralph-v2-Executor", write: plan, edit: { old: "# Plan", new: "# My plan" } },
      {
        files: { ...written, ...called("Ralph-v2-Planner", "TASK_BREAKDOWN") },
        agent: "Ralph-v2-Planner",
        write: plan,
        text: "",
      },
      { files: written, shell: `rm ${plan}` },
    ],
    allows: [
      { files: { [`${session}/metadata.yaml`]: "" }, write: plan, text: "# Plan\n" },
      {
        files: { ...written, ...called("Ralph-v2-Planner", "UPDATE") },
        agent: "Ralph-v2-Planner",
        write: plan,
        text: "# New\n",
      },
      { files: { ...written, ...called("Ralph-v2-Planner", "UPDATE") }, write: plan, text: "# New\n" },
      { files: written, write: `${session}/iterations/2/plan.md`, text: "# Plan\n" },
      { files: { "iterations/1/plan.md": "" }, write: "iterations/1/plan.md", text: "x" },
    ],
  },
  onFailure: logHookError(15),
  *check({ event, world, options }) {
    // Who writes, and in which mode, is known from the calls that were announced.
    for (const effect of callEffects(event, world)) yield { effect };
    if (event.name !== "PreToolUse" && event.name !== "PermissionRequest") return;
    const root = world.realPath(event.root);
    for (const action of event.actions) {
      if ((action.kind !== "write" && action.kind !== "delete") || !action.target) continue;
      const { given: path, real } = action.target;
      const place = placeOf(root, real);
      if (place?.kind !== "plan" || place.iteration === undefined || world.stat(real) === undefined) continue;
      const writer = writerOf(event, place.session, world);
      const mayWrite =
        roleOf(writer.agent) === "Planner" &&
        writer.modes.some((mode) => options.modes.includes(mode.toUpperCase()));
      if (!mayWrite) yield { message: "overwritten", data: { path, writer: nameOf(writer) } };
    }
  },
});

interface Writer {
  readonly agent: string;
  readonly modes: readonly string[];
}

/** The subagent the host names; where it names none, the one that was called last and is not done. */
function writerOf(event: Event, session: string, world: World): Writer {
  const calls = openCalls(event, session, world);
  const agent = event.agent?.type;
  const call =
    agent === undefined ? calls[0] : calls.find(({ subagent }) => roleOf(subagent) === roleOf(agent));
  return { agent: agent ?? call?.subagent ?? "", modes: call?.modes ?? [] };
}

const nameOf = ({ agent, modes }: Writer): string =>
  agent === ""
    ? "the main agent"
    : `${agent}${modes.length > 0 ? ` in mode ${modes.join(", ")}` : " in no known mode"}`;
