import { relative, resolve } from "node:path";
import type { DelegateAction } from "../core/action.ts";
import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import type { Json } from "../core/json.ts";
import type { World } from "../core/world.ts";
import { isRalphSubagent } from "./ralph-roles.ts";
import { readInvocation } from "./ralph-invocation.ts";
import { isSessionId, logFile, sessionsFolder } from "./ralph-layout.ts";
import { logEffects, readLog } from "./ralph-logs.ts";
import { validSession } from "./ralph-session.ts";

/** A call of one of the workflow's subagents. */
export interface SubagentCall {
  readonly subagent: string;
  readonly modes: readonly string[];
  readonly taskIds: readonly string[];
  readonly iteration?: number;
  /** Tells the call from others, before and after it. */
  readonly key?: string;
}

/** What a call of a subagent asks for. */
export function toCall({ agent = "", prompt }: DelegateAction): SubagentCall {
  const iteration = valueOf(prompt, "ITERATION", /^\d{1,6}/);
  return {
    subagent: agent,
    ...readInvocation(prompt),
    ...(iteration === undefined ? {} : { iteration: Number(iteration) }),
  };
}

/** The session a call names by its `SESSION_PATH`, else the event's own. */
export function sessionOfCall(event: Event, { prompt }: DelegateAction, world: World): string | undefined {
  const given = valueOf(prompt, "SESSION_PATH", /^[^\s"'`,;]+/);
  const named =
    given === undefined
      ? undefined
      : relative(resolve(event.root, sessionsFolder), resolve(event.root, given));
  return named !== undefined && isSessionId(named) ? named : validSession(event, world);
}

/** The first value of a key, wherever it stands. */
function valueOf(prompt: string, key: string, shape: RegExp): string | undefined {
  const found = new RegExp(
    `(?<![\\w-])${key}[*\`"']{0,4}[ \\t]{0,20}[:=][ \\t]{0,20}[*\`"']{0,4}[ \\t]{0,20}`,
  ).exec(prompt);
  return found
    ? shape.exec(prompt.slice(found.index + found[0].length, found.index + found[0].length + 400))?.[0]
    : undefined;
}

/** Lines for `logs/subagent-calls.jsonl`: that a subagent is called, and that it is done. */
export function callEffects(event: Event, world: World): Effect[] {
  const phase = phases[event.name];
  if (phase === undefined) return [];
  return event.actions.flatMap((action) => {
    if (action.kind !== "delegate" || !isRalphSubagent(action.agent ?? "")) return [];
    const { subagent, modes, taskIds, iteration } = toCall(action);
    const entry = {
      phase,
      key: event.call ?? null,
      subagent,
      modes,
      task_ids: taskIds,
      iteration: iteration ?? null,
    };
    return logEffects(event, world, "subagent-calls.jsonl", entry).map((effect) =>
      effect.do === "log" ? { ...effect, unlessDenied: true as const } : effect,
    );
  });
}

const phases: Readonly<Record<string, string>> = {
  PreToolUse: "start",
  PostToolUse: "end",
  PostToolUseFailure: "end",
};

/** The subagents that the event's host session has called and that are not done yet, the last one first. */
export function openCalls(event: Event, session: string, world: World): SubagentCall[] {
  const open: Json[] = [];
  for (const entry of readLog(logFile(event.root, session, "subagent-calls.jsonl"), world)) {
    if (entry["host_session"] !== (event.session ?? null) || isOld(entry, world)) continue;
    if (entry["phase"] === "start") open.unshift(entry);
    const at = entry["phase"] === "end" ? open.findIndex(({ key }) => key === entry["key"]) : -1;
    if (at !== -1) open.splice(at, 1);
  }
  return open.map(({ subagent, modes, task_ids: taskIds, iteration, key }) => ({
    subagent: String(subagent),
    modes: texts(modes),
    taskIds: texts(taskIds),
    ...(typeof iteration === "number" ? { iteration } : {}),
    ...(typeof key === "string" ? { key } : {}),
  }));
}

/** Nobody hears the end of a call that was broken off. */
const isOld = ({ timestamp }: Json, world: World): boolean =>
  typeof timestamp === "string" && world.now() - Date.parse(timestamp) > longestCall;

const longestCall = 2 * 60 * 60 * 1000;

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
