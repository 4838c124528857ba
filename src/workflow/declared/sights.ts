import type { Action, ExecAction } from "../../core/action.ts";
import type { Event } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";
import { isSink, pathBelow } from "../../core/paths.ts";
import type { Seen } from "./conditions.ts";
import { isRun } from "./forbidden.ts";
import { fitsGlob, fitsName, mayFitBelow } from "./glob.ts";
import type { Result, Says, Watch, Workflow } from "./model.ts";
import { mayAct } from "./actors.ts";
import { realRoot } from "./moment.ts";
import type { World } from "../../core/world.ts";
import { extract, isGoodEnough, isSubagents, lastWords } from "../signals.ts";
import { testResultIn } from "./test-output.ts";

/** What an event that is over shows of what a workflow watches. Commands judge what they find: edits before them count first. */
export function sightsIn({ watch }: Workflow, event: Event, world: World): Seen[] {
  const all = Object.entries(watch);
  if (isEnd(event)) return all.flatMap(([name, { says }]) => (says ? saidIn(name, says, event, world) : []));
  const place = realRoot(event.root, world);
  const ran = event.actions.flatMap((action) => (action.kind === "exec" ? action.commands : []));
  const last = ran.findLastIndex((each) => all.some(([, { run }]) => run.some((one) => isRun(one, each))));
  const isLater = (action: Action): boolean =>
    "by" in action && action.by !== undefined && ran.indexOf(action.by) > last;
  const edits = (are: (action: Action) => boolean): Seen[] =>
    all
      .filter(([, each]) => event.actions.some((action) => are(action) && isEdit(each, action, place)))
      .map(([name]) => ({ watch: name }));
  const calls = all.flatMap(([name, each]) => {
    const result = callResult(each, event);
    return result === undefined ? [] : [{ watch: name, ...(result === "unknown" ? {} : { result }) }];
  });
  if (calls.length === 0) return edits(() => true);
  return [...edits((action) => !isLater(action)), ...calls, ...edits(isLater)];
}

const isEnd = ({ name }: Event): boolean => name === "Stop" || name === "SubagentStop";

/** The last value of the tag in what the agent said last, if there is one. */
function saidIn(name: string, says: Says, event: Event, world: World): Seen[] {
  // Where a subagent's own stop is told as well, its end is still to come.
  if ((event.name === "Stop" && isSubagents(event)) || !mayAct(says.by, event)) return [];
  const value = extract(lastWords(event, world) ?? "", says.tag).at(-1);
  return value === undefined
    ? []
    : [{ watch: name, result: isGoodEnough(value, says) ? "passed" : "failed" }];
}

function isEdit({ edit, except }: Watch, action: Action, place: string): boolean {
  if (edit.length === 0 || (action.kind !== "write" && action.kind !== "delete")) return false;
  // It may have been any file.
  if (!action.target) return true;
  if (action.kind === "write" && isSink(action.target)) return false;
  const path = pathBelow(place, action.target.real);
  if (path === undefined || except.some((glob) => fitsGlob(glob, path))) return false;
  return edit.some((glob) => fitsGlob(glob, path) || (action.kind === "delete" && mayFitBelow(glob, path)));
}

/** How a command or a subagent ended, if it was one that is watched; `unknown` when nobody can tell. */
export function callResult(
  { run, delegate, passed = [], failed = [], tests }: Pick<Watch, "run" | "delegate"> & Partial<Watch>,
  event: Event,
): Result | "unknown" | undefined {
  for (const action of event.actions) {
    if (action.kind === "delegate" && delegate.some((name) => fitsName(name, action.agent ?? "")))
      return event.name === "PostToolUseFailure" || event.tool?.error !== undefined ? "failed" : "passed";
    if (
      action.kind !== "exec" ||
      !action.commands.some((each) => run.some((pattern) => isRun(pattern, each)))
    )
      continue;
    return (
      byOutput(event, passed, failed) ??
      byExitCode(event, action, run) ??
      (tests ? testResultIn(linesOf(event)) : undefined) ??
      "unknown"
    );
  }
  return undefined;
}

const mostOutput = 1_000_000;

const linesOf = ({ tool }: Event): string[] =>
  [...textsIn(tool?.output), tool?.error ?? ""]
    .join("\n")
    .slice(-mostOutput)
    .split(/\r?\n/)
    .map((line) => line.trim());

function byOutput(event: Event, passed: readonly string[], failed: readonly string[]): Result | undefined {
  if (passed.length + failed.length === 0) return undefined;
  const lines = linesOf(event);
  const has = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => lines.some((line) => fitsName(pattern, line)));
  if (has(failed)) return "failed";
  return has(passed) ? "passed" : undefined;
}

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (depth > 4 || typeof value !== "object" || value === null) return [];
  return (Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []).flatMap((each) =>
    textsIn(each, depth + 1),
  );
}

/** The exit code of a command line says how a command ended, if nothing behind it has the last word. */
function byExitCode({ tool }: Event, { command }: ExecAction, run: readonly string[]): Result | undefined {
  const code = tool?.exitCode;
  if (code === undefined) return undefined;
  const bare = command
    .replace(/\\\r?\n/g, " ")
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, "''")
    .replace(/\d?>&\d|&>>?|\d?>\||\|&/g, (sign) => (sign === "|&" ? "|" : ">"));
  if (/[|;\n!()`]|&(?!&)(?<!&&)/.test(bare.trim())) return undefined;
  const parts = bare.split("&&").map((part) => part.trim());
  if (code === 0) return "passed";
  // Something else in front of it may have failed instead.
  const before = parts
    .slice(0, -1)
    .every((part) => /^(?:cd|export|set|source|\.|pushd|true|:|\w+=)(?:\s|$)?/.test(part));
  const last = parts.at(-1) ?? "";
  return before && run.some((pattern) => last.includes(pattern.split(/\s+/)[0]?.replaceAll("*", "") ?? ""))
    ? "failed"
    : undefined;
}
