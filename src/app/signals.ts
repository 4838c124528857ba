import { join } from "node:path";
import type { World } from "../core/world.ts";
import { nodeFs } from "../platform/files.ts";
import { sessionFiles } from "../workflow/ralph-layout.ts";
import { currentIteration } from "../workflow/ralph-iteration.ts";
import type { Role } from "../workflow/ralph-roles.ts";
import { stateOf } from "../workflow/ralph-metadata.ts";
import { abortEffects, flowOf, takeSignal } from "../workflow/ralph-signal-flow.ts";
import {
  normalTarget,
  orderOf,
  signalNames,
  signalsOf,
  timeDigits,
  type PlacedSignal,
} from "../workflow/ralph-signals.ts";
import { carryOut } from "./effects.ts";

export interface Session {
  readonly root: string;
  readonly id: string;
  readonly world: World;
}

/**
 * Writes a signal. Its name is the next free second, never earlier than that of any signal there is, so that signals keep the
 * order in which they were sent whatever the clock does; its text is complete as soon as it can be seen.
 */
export function sendSignal(
  session: Session,
  { type, target, message }: { readonly type: string; readonly target: string; readonly message: string },
): { readonly name: string; readonly path: string } {
  const { root, id, world } = session;
  const { folder, inputs, processed } = sessionFiles(root, id);
  const iteration = currentIteration(folder, world);
  const text = [
    `type: ${type}`,
    `target: ${JSON.stringify(normalTarget(target))}`,
    `message: ${JSON.stringify(message)}`,
    ...(iteration === undefined ? [] : [`iteration: ${iteration}`]),
    `created_at: ${JSON.stringify(localIso(world.now()))}`,
    "",
  ].join("\n");
  const fs = nodeFs();
  fs.mkdirSync(inputs, { recursive: true });
  fs.mkdirSync(processed, { recursive: true });
  // Begins with a dot, so nobody takes it for a signal before it has its name.
  const part = join(inputs, `.signal.${process.pid}.part`);
  fs.writeFileSync(part, text, { flag: "wx", mode: 0o644 });
  try {
    let second = Math.floor(Math.max(world.now(), latest([inputs, processed], world)) / 1000) * 1000;
    for (;;) {
      const digits = timeDigits(second);
      const name = `signal.${digits.slice(0, 6)}-${digits.slice(6, 12)}.yaml`;
      try {
        fs.linkSync(part, join(inputs, name));
        return { name, path: join(inputs, name) };
      } catch (error) {
        if ((error as { code?: unknown }).code !== "EEXIST") throw error;
        second += 1000;
      }
    }
  } finally {
    fs.rmSync(part, { force: true });
  }
}

/** A second after the newest signal, so that a clock that went back changes nothing. */
function latest(folders: readonly string[], world: World): number {
  const orders = folders.flatMap((folder) =>
    signalNames(folder, world).map((name) => orderOf(join(folder, name), world)),
  );
  const newest = orders.toSorted().at(-1);
  return newest === undefined ? 0 : momentOf(newest) + 1000;
}

function momentOf(digits: string): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (digits.match(/\d\d/g) ?? []).map(
    Number,
  );
  const at = new Date(2000 + year, month - 1, day, hour, minute, second).getTime();
  // Names have two digits for the year: behind the last one there is no later name.
  return Number.isNaN(at) || at >= Date.UTC(2099, 11, 30) ? 0 : at;
}

/** Local time with its offset, as the workflow writes its times. */
export function localIso(ms: number): string {
  const offset = -new Date(ms).getTimezoneOffset();
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const shifted = new Date(ms + offset * 60_000).toISOString().slice(0, 19);
  return `${shifted}${offset < 0 ? "-" : "+"}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
}

export interface Handled {
  readonly signal: PlacedSignal;
  readonly action: string;
}

/**
 * Takes what a consumer may take, oldest first. Moving a signal is owning it: what another has moved in the meantime is not
 * among what comes back. The orchestrator also takes what is for other agents, to pass it on with their next call.
 */
export function pollSignals(session: Session, role: Role, types: readonly string[], most: number): Handled[] {
  const { root, id, world } = session;
  const { folder } = sessionFiles(root, id);
  const { all } = signalsOf(folder, types, world);
  const flow = flowOf(all, { role, state: stateOf(folder, world) });
  const due = all.filter(
    (each) => flow.due.includes(each) || (role === "Orchestrator" && isForAnother(each)),
  );
  const at = localIso(world.now());
  const handled: Handled[] = [];
  for (const signal of due) {
    if (handled.length >= most) break;
    const action = actionOf(signal, role);
    const effect = takeSignal(folder, signal, { by: role, at, action }, world);
    const [done] = carryOut([effect], root, world);
    if (done?.error !== undefined) continue;
    handled.push({ signal, action });
    if (signal.type === "ABORT" && !isForAnother(signal))
      carryOut(abortEffects(root, id, world), root, world);
  }
  return handled;
}

const isForAnother = ({ state, type, target }: PlacedSignal): boolean =>
  state === "pending" &&
  type !== "APPROVE" &&
  type !== "SKIP" &&
  !["ALL", "Orchestrator"].includes(normalTarget(target));

function actionOf(signal: PlacedSignal, role: Role): string {
  const target = normalTarget(signal.target);
  if (target !== "ALL" && target !== role && signal.type !== "APPROVE" && signal.type !== "SKIP")
    return `buffered as SIGNAL_CONTEXT for ${target}`;
  return actions[signal.type] ?? "taken";
}

const actions: Readonly<Record<string, string>> = {
  STEER: "adjusted to it",
  INFO: "added to the context",
  PAUSE: "paused",
  ABORT: "aborted the session",
  APPROVE: "approved",
  SKIP: "skipped",
};
