import { join } from "node:path";
import type { Effect } from "../../core/effect.ts";
import { isObject, type Json } from "../../core/json.ts";
import { nodeFs, readText } from "../../platform/files.ts";
import { carryOut } from "../effects.ts";
import { runId, toolCallPath, type Attempt, type Before, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";
import { inputSummary, oneLine } from "./words.ts";

const logFile = ".system/logs/tool_call.md";
const usageFile = ".system/cache/ability_usage.json";

/** What is known of the calls of an ability. Other fields are somebody else's and are kept. */
interface Usage {
  readonly calls: number;
  readonly failures: number;
  readonly skipped: number;
  readonly total_ms: number;
  readonly last: string;
  /** The latest runs that were counted here, so that none is counted twice. */
  readonly runs: readonly string[];
}

/** So many runs are remembered: more than can be under way at once. */
const remembered = 100;

const largest = 64 * 1024 * 1024;

/** How log and counts stand, before hooks are told of a call. */
export function standBefore({ root }: TaskStore, ability: string): Before {
  try {
    const { calls, runs } = usageIn(textOf(root), ability);
    return { logSize: logSize(root), calls, runs };
  } catch {
    // What cannot be read cannot be written either, and then that is said.
    return { logSize: 0, calls: 0, runs: [] };
  }
}

/** What has become of putting a run on record. */
export interface Recorded {
  readonly logged: boolean;
  readonly counted: boolean;
  /** Troubles in words. */
  readonly warnings: readonly string[];
}

/**
 * Puts a run that has ended on record: a line in the log, and the counts of its ability, as far as they do not have it. What a hook has
 * put there itself is not put there again: its line names the task, and its count is one that none of ours explains.
 */
export function recordRun(store: TaskStore, task: Task, attempt: Attempt): Recorded {
  const log = attempt.logged ? there : tried(logFile, () => logRun(store, task, attempt));
  const count = attempt.counted ? there : tried(usageFile, () => countRun(store, task, attempt));
  return { logged: log.done, counted: count.done, warnings: [...log.warnings, ...count.warnings] };
}

interface Step {
  readonly done: boolean;
  readonly warnings: readonly string[];
}

const there: Step = { done: true, warnings: [] };
const undone = (...warnings: readonly string[]): Step => ({ done: false, warnings });

function tried(file: string, step: () => Step): Step {
  try {
    return step();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return undone(why.includes(file) ? why : `${file}: ${why}`);
  }
}

function logRun(store: TaskStore, task: Task, attempt: Attempt): Step {
  const from = attempt.before?.logSize ?? 0;
  if (linesFrom(store.root, from).some((line) => isAbout(line, task.key, attempt))) return there;
  const line = logLine(task, attempt);
  const wrong = troubles(store, [{ do: "append", path: join(store.root, logFile), text: `${line}\n` }]);
  return wrong.length === 0 ? there : undone(...wrong);
}

/** `- TIME **ability** status | … | path`, and behind the path which run it was if not the first. */
function logLine({ key, ability, input, reason }: Task, attempt: Attempt): string {
  const { number, ended, status, ms, detail, summary } = attempt;
  const facts = [
    attempt.interrupted ? "interrupted" : status,
    ms === undefined ? "" : `${Math.round(ms)} ms`,
    inputSummary(input, reason),
    detail ?? summary,
    `${toolCallPath(key)}${number === 1 ? "" : ` (run ${number})`}`,
  ];
  const shown = facts.map((fact) => oneLine(fact ?? "").replaceAll("|", "\\|")).filter(Boolean);
  return `- ${ended} **${ability}** ${shown.join(" | ")}`;
}

/** A hook's line has no number of the run; written since hooks were told, it speaks of the one that has just ended. */
function isAbout(line: string, key: string, { number, before }: Attempt): boolean {
  if (!line.includes(toolCallPath(key))) return false;
  const named = /\(run (\d+)\)$/.exec(line)?.[1];
  return named === undefined ? before !== undefined || number === 1 : Number(named) === number;
}

function linesFrom(root: string, from: number): string[] {
  const fs = nodeFs();
  const path = join(root, logFile);
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size <= from) return [];
  const file = fs.openSync(path, "r");
  try {
    const bytes = new Uint8Array(Math.min(stat.size - from, largest));
    return new TextDecoder()
      .decode(bytes.subarray(0, fs.readSync(file, bytes, 0, bytes.length, from)))
      .split("\n");
  } finally {
    fs.closeSync(file);
  }
}

const logSize = (root: string): number =>
  nodeFs().lstatSync(join(root, logFile), { throwIfNoEntry: false })?.size ?? 0;

/** How long others are waited for who count at the same moment, or have died doing so. */
const patienceMs = 15_000;

function countRun(store: TaskStore, task: Task, attempt: Attempt): Step {
  const path = join(store.root, usageFile);
  const id = runId(task.key, attempt.number);
  const until = performance.now() + patienceMs;
  for (;;) {
    const text = textOf(store.root);
    const all = parsed(text);
    const usage = usageIn(text, task.ability);
    if (usage.runs.includes(id) || (attempt.hookRecorded && isCountedByHook(usage, attempt.before)))
      return there;
    const aside: readonly Effect[] =
      text !== null && !all ? [{ do: "copy", path: `${path}.broken-${Date.now()}`, from: path }] : [];
    const next = {
      ...all,
      [task.ability]: { ...entryIn(all, task.ability), ...counted(usage, attempt, id) },
    };
    const wrong = troubles(store, [
      ...aside,
      { do: "replace", path, text: `${JSON.stringify(next, undefined, 2)}\n`, was: text },
    ]);
    if (wrong.length === 0 && aside.length === 0) return there;
    if (wrong.length === 0)
      return { done: true, warnings: [`${usageFile} could not be read; it was put aside and begun anew`] };
    const isSoonOver = wrong.some((each) => /changed in the meantime|held by somebody else/.test(each));
    if (!isSoonOver || performance.now() > until) return undone(...wrong);
    Bun.sleepSync(5 + Math.random() * 20);
  }
}

/** Calls that came since, and that we have not counted. */
function isCountedByHook(usage: Usage, before: Before | undefined): boolean {
  if (!before) return false;
  const ours = usage.runs.filter((id) => !before.runs.includes(id)).length;
  return usage.calls - before.calls > ours;
}

const counted = (usage: Usage, { status, ms = 0, ended = "" }: Attempt, id: string): Usage => ({
  calls: usage.calls + 1,
  failures: usage.failures + (status === "failure" ? 1 : 0),
  skipped: usage.skipped + (status === "skipped" ? 1 : 0),
  total_ms: usage.total_ms + Math.round(ms),
  last: ended > usage.last ? ended : usage.last,
  runs: [...usage.runs, id].slice(-remembered),
});

const textOf = (root: string): string | null => readText(join(root, usageFile), largest) ?? null;

function parsed(text: string | null): Json | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const entryIn = (all: Json | undefined, ability: string): Json => {
  const entry = all && Object.hasOwn(all, ability) ? all[ability] : undefined;
  return isObject(entry) ? entry : {};
};

function usageIn(text: string | null, ability: string): Usage {
  const entry = entryIn(parsed(text), ability);
  const number = (key: string): number => (Number.isFinite(entry[key]) ? Number(entry[key]) : 0);
  const { last, runs } = entry;
  return {
    calls: number("calls"),
    failures: number("failures"),
    skipped: number("skipped"),
    total_ms: number("total_ms"),
    last: typeof last === "string" ? last : "",
    runs: Array.isArray(runs) ? runs.filter((each) => typeof each === "string") : [],
  };
}

function troubles({ root, world }: TaskStore, effects: readonly Effect[]): string[] {
  for (const effect of effects) {
    const [done] = carryOut([effect], root, world);
    if (done?.error !== undefined) return [done.error];
  }
  return [];
}
