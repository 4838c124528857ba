import { beforeTool } from "../../core/event.ts";
import type { ActionKind } from "../../core/action.ts";
import type { About } from "../../core/rule.ts";
import { formatters } from "../../shell/formatters.ts";
import { editGlobs } from "./forbidden.ts";
import { wantsTodos, type Watch, type Workflow } from "./model.ts";

const gitPrograms = ["git", "git-*"];

/** What each rule about workflows is about, given these; a rule that is missing has nothing to do. */
export function concernsOf(workflows: readonly Workflow[]): Record<string, About> {
  if (workflows.length === 0) return {};
  const forbidden = workflows.flatMap(({ states }) => Object.values(states).flatMap(({ forbid }) => forbid));
  const kinds = new Set<ActionKind>();
  const programs = new Set<string>();
  for (const each of forbidden) {
    for (const word of Object.keys(each.actions))
      if (word === "edit") kinds.add("write").add("delete");
      else kinds.add(word as ActionKind);
    if (editGlobs(each).length > 0) for (const name of [...gitPrograms, ...formatters]) programs.add(name);
    for (const name of each.run.map(programIn)) programs.add(name);
  }
  const isByBranch = workflows.some(({ state }) => state.by === "branch");
  const found: Record<string, About> = {
    "workflow/transition": isByBranch
      ? { events: beforeTool, actions: ["write", "delete", "exec"], programs: gitPrograms }
      : { events: beforeTool, actions: ["write", "delete"] },
  };
  if (forbidden.length > 0)
    found["workflow/forbidden"] = {
      events: beforeTool,
      actions: [...kinds, ...(programs.size > 0 ? (["exec"] as const) : [])],
      // `*` alone is any program.
      ...(programs.size > 0 && !programs.has("*") ? { programs: [...programs] } : {}),
    };
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
    found["workflow/state-file"] = { events: beforeTool, actions: ["write"] };
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

/** The programs that workflows look for by name. */
export function programsOf(workflows: readonly Workflow[]): string[] {
  const names = new Set<string>();
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
