import { beforeTool } from "../../core/event.ts";
import type { ActionKind } from "../../core/action.ts";
import type { About } from "../../core/rule.ts";
import { wantsTodos, type Watch, type Workflow } from "./model.ts";

/** What each rule about workflows is about, given these; a rule that is missing has nothing to do. */
export function concernsOf(workflows: readonly Workflow[]): Record<string, About> {
  if (workflows.length === 0) return {};
  const forbidden = workflows.flatMap(({ states }) => Object.values(states).flatMap(({ forbid }) => forbid));
  const kinds = new Set<ActionKind>();
  for (const { actions } of forbidden)
    for (const word of Object.keys(actions))
      if (word === "edit") kinds.add("write").add("delete");
      else kinds.add(word as ActionKind);
  // Any command line may run a script that does what is forbidden, or takes a step.
  const found: Record<string, About> = {
    "workflow/transition": { events: beforeTool, actions: ["write", "delete", "exec"] },
  };
  if (forbidden.length > 0)
    found["workflow/forbidden"] = { events: beforeTool, actions: [...new Set([...kinds, "exec" as const])] };
  const watches = workflows.flatMap(({ watch }) => Object.values(watch));
  const hasTodos = workflows.some(wantsTodos);
  // An end has no actions, and is heard by whoever listens.
  if (watches.length > 0 || hasTodos)
    found["workflow/watch"] = watches.some(({ says }) => says)
      ? { events: [...over, "Stop", "SubagentStop"] }
      : { events: over, ...aboutCalls(watches, hasTodos) };
  const budgets = workflows.flatMap(({ retries }) => retries);
  // A prompt has no actions, and is heard by whoever counts.
  if (budgets.length > 0)
    found["workflow/retry-budget"] = { events: [...beforeTool, ...over, "UserPromptSubmit"] };
  if (workflows.some(({ stop }) => stop.length > 0))
    found["workflow/stop"] = { events: ["Stop", "UserPromptSubmit"] };
  if (workflows.some(({ schemas }) => schemas.length > 0))
    found["workflow/state-file"] = { events: beforeTool, actions: ["write", "exec"] };
  return found;
}

const over = ["PostToolUse", "PostToolUseFailure"] as const;

/** The actions and programs that watching is about. */
function aboutCalls(watches: readonly Watch[], hasTodos: boolean): Pick<About, "actions" | "programs"> {
  const programs = [...new Set(watches.flatMap(({ run }) => run.map(programIn)))];
  return {
    actions: [
      ...(watches.some(({ edit }) => edit.length > 0) ? (["write", "delete"] as const) : []),
      ...(watches.some(({ delegate }) => delegate.length > 0) ? (["delegate"] as const) : []),
      ...(programs.length > 0 ? (["exec"] as const) : []),
      ...(hasTodos ? (["todo"] as const) : []),
    ],
    ...(programs.length > 0 && !programs.includes("*") ? { programs } : {}),
  };
}

/** What looks harmless, and starts whatever stands in a file or changes one. */
export const starters = ["make", "npm", "pnpm", "yarn", "go mod"];

/** The programs that workflows look for by name. */
export function programsOf(workflows: readonly Workflow[]): string[] {
  const names = new Set<string>();
  if (workflows.some(({ bare }) => !bare)) for (const name of starters) names.add(name);
  for (const { states, watch, retries } of workflows) {
    for (const { forbid } of Object.values(states))
      for (const { run, actions } of forbid) {
        for (const name of run.map(programIn)) names.add(name);
        // A plain `cat` reads, too.
        if (actions.read) names.add("*");
      }
    for (const { run } of [...Object.values(watch), ...retries])
      for (const name of run.map(programIn)) names.add(name);
  }
  return [...names].map((name) => (name.includes("*") ? "*" : name));
}

const programIn = (pattern: string): string => pattern.trim().split(/\s+/)[0] ?? "";
