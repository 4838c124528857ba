import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import type { World } from "../core/world.ts";
import { iterationFiles, logFile, sessionFiles } from "./ralph-layout.ts";
import { changeMetadata, readMetadata, stateIn } from "./ralph-metadata.ts";
import { currentStatuses, readProgress, withStatus } from "./ralph-progress.ts";
import { currentIteration } from "./ralph-iteration.ts";
import type { Role } from "./ralph-roles.ts";
import { isFor, normalTarget, type PlacedSignal } from "./ralph-signals.ts";

// This module brings the YAML library along: import it only when there are signals.

/** Who looks at the signals, and where the session stands. `role` is absent for a subagent that is none of Ralph's. */
export interface Consumer {
  readonly role: Role | undefined;
  /** The orchestrator's state; APPROVE and SKIP mean something in one of them only. */
  readonly state: string | undefined;
}

export interface Flow {
  /** What this consumer may take now, in the order in which it must. */
  readonly due: readonly PlacedSignal[];
  /** The signal that holds the consumer up, taken or not. */
  readonly paused?: PlacedSignal;
  /** The signal that ended the work, taken or not. */
  readonly aborted?: PlacedSignal;
}

const universal = ["STEER", "INFO", "PAUSE", "ABORT"];

/**
 * Goes through the signals in the order of their times. A pause holds until a later APPROVE, SKIP or STEER; INFO changes
 * nothing. What the consumer may not take, it passes over: a signal for somebody else must not stall the others.
 */
export function flowOf(signals: readonly PlacedSignal[], { role, state }: Consumer): Flow {
  const due: PlacedSignal[] = [];
  let paused: PlacedSignal | undefined;
  let aborted: PlacedSignal | undefined;
  for (const signal of signals) {
    const { type } = signal;
    const isDecision = type === "APPROVE" || type === "SKIP";
    const held = paused ?? aborted;
    if (signal.state === "pending") {
      const isMine = isDecision
        ? role === "Orchestrator" && (state === "KNOWLEDGE_APPROVAL" || held !== undefined)
        : role !== undefined && universal.includes(type) && isFor(signal, role);
      if (isMine) due.push(signal);
      // Nobody may wait for whoever takes it: a pause holds from the moment it is there.
      else if (isDecision || !isFor(signal, role)) continue;
    }
    if (type === "PAUSE" && isFor(signal, role)) paused = signal;
    else if (type === "ABORT" && isFor(signal, role)) [aborted, paused] = [signal, undefined];
    else if (held && (isDecision || (type === "STEER" && covers(signal, held))))
      [aborted, paused] = [undefined, undefined];
  }
  return { due, ...(paused ? { paused } : {}), ...(aborted ? { aborted } : {}) };
}

/** Does a later signal speak to everybody an earlier one spoke to? */
function covers(later: PlacedSignal, earlier: PlacedSignal): boolean {
  const to = normalTarget(later.target);
  return to === "ALL" || to === "Orchestrator" || to === normalTarget(earlier.target);
}

/** Takes a signal: it moves to `processed/` with what was done about it, and whoever moves it has it. */
export function takeSignal(
  session: string,
  signal: PlacedSignal,
  handling: { readonly by: string; readonly at: string; readonly action: string },
  world: World,
): Effect {
  const end = signal.text.endsWith("\n") ? "" : "\n";
  const text = [
    `${signal.text}${end}handling_metadata:`,
    `  handled_by: ${JSON.stringify(handling.by)}`,
    `  handled_at: ${JSON.stringify(handling.at)}`,
    `  action_taken: ${JSON.stringify(handling.action)}`,
    "",
  ].join("\n");
  return { do: "take", from: signal.path, path: freeName(session, signal, world), text };
}

/**
 * Somebody may have given a new signal the name of an old one. A name under which this very signal lies already is no free one,
 * but the one to fail at: another was faster.
 */
function freeName(session: string, { name, text }: PlacedSignal, world: World): string {
  const folder = join(session, "signals/processed");
  const [stem, end] = [name.replace(/\.ya?ml$/i, ""), /\.ya?ml$/i.exec(name)?.[0] ?? ".yaml"];
  for (let at = 1; ; at++) {
    const path = join(folder, at === 1 ? name : `${stem}-${at}${end}`);
    const there = world.read(path);
    if (there === undefined || there.startsWith(text)) return path;
  }
}

/**
 * What ABORT leaves behind: tasks in progress are failed, the iteration is over, the session is complete and aborted. Nothing
 * else is touched, and nothing when it is done already.
 */
export function abortEffects(root: string, id: string, world: World): Effect[] {
  const { folder, metadata } = sessionFiles(root, id);
  const now = new Date(world.now()).toISOString();
  const effects: Effect[] = [];
  const replace = (path: string, change: (text: string) => string | undefined): void => {
    const was = world.read(path);
    const text = was === undefined ? undefined : change(was);
    if (was !== undefined && text !== undefined && text !== was)
      effects.push({ do: "replace", path, text, was });
  };
  const iteration = currentIteration(folder, world) ?? 1;
  const files = iterationFiles(folder, iteration);
  replace(files.progress, (text) => failOpenTasks(text));
  replace(files.metadata, (text) => {
    const read = readMetadata(text);
    if ("error" in read || typeof read.data["completed_at"] === "string") return undefined;
    const changed = changeMetadata(text, { completed_at: now }, { now });
    return "text" in changed ? changed.text : undefined;
  });
  replace(metadata, (text) => {
    const read = readMetadata(text);
    const state = "data" in read ? stateIn(read.data) : undefined;
    if ("error" in read || (state === "COMPLETE" && read.data["status"] === "aborted")) return undefined;
    const changes = { "orchestrator.state": "COMPLETE", status: "aborted" };
    const changed = changeMetadata(text, changes, { now });
    if ("error" in changed) return undefined;
    if (state !== "COMPLETE") effects.unshift(stepEntry(root, id, state, now));
    return changed.text;
  });
  return effects;
}

/** The line of the step an abort is. */
const stepEntry = (root: string, id: string, from: string | undefined, timestamp: string): Effect => ({
  do: "log",
  path: logFile(root, id, "state-transitions.jsonl"),
  entry: {
    timestamp,
    session_id: id,
    event: "StateTransition",
    host_session: null,
    agent: null,
    tool: null,
    call: null,
    previous_state: from ?? null,
    next_state: "COMPLETE",
    source: "abort",
  },
});

function failOpenTasks(text: string): string {
  let changed = text;
  for (const [id, { status }] of currentStatuses(readProgress(text).tasks))
    if (status === "/") changed = withStatus(changed, id, "F", "(Aborted by signal)") ?? changed;
  return changed;
}
