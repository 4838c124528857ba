import { join } from "node:path";
import type { World } from "../../core/world.ts";
import { isoTime } from "../../workflow/iso-time.ts";
import { feedbackBatches, tasksOf, wavesOf } from "../../workflow/ralph-documents.ts";
import { readInstructions } from "../../workflow/ralph-instructions.ts";
import { currentIteration } from "../../workflow/ralph-iteration.ts";
import { logFile, sessionFiles, type LogName } from "../../workflow/ralph-layout.ts";
import { nonAuthoritative, readLog } from "../../workflow/ralph-logs.ts";
import { readMetadata, stateIn } from "../../workflow/ralph-metadata.ts";
import { ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { currentStatuses, legend, progressOf, type ProgressLine } from "../../workflow/ralph-progress.ts";
import { flowOf } from "../../workflow/ralph-signal-flow.ts";
import { normalTarget, signalsOf } from "../../workflow/ralph-signals.ts";
import type { Session } from "../signals.ts";

/** What the files of a session say, in one place. */
export type Board = ReturnType<typeof boardOf>;

export function boardOf({ root, id, world }: Session) {
  const { folder, metadata } = sessionFiles(root, id);
  const read = readMetadata(world.read(metadata) ?? "");
  const data = "data" in read ? read.data : {};
  const iteration = currentIteration(folder, world) ?? null;
  const progress = iteration === null ? undefined : progressOf(folder, iteration, world);
  const tasks = currentStatuses(progress?.tasks ?? []);
  const state = stateIn(data) ?? null;
  const entries = (name: LogName): readonly Record<string, unknown>[] =>
    readLog(logFile(root, id, name), world);
  const denials = entries("policy-denials.jsonl");
  return {
    label: nonAuthoritative,
    session: id,
    path: folder,
    trouble: "error" in read ? read.error : null,
    state,
    status: typeof data["status"] === "string" ? data["status"] : null,
    iteration,
    version: typeof data["version"] === "number" ? data["version"] : null,
    updated_at: typeof data["updated_at"] === "string" ? data["updated_at"] : null,
    planning: [...currentStatuses(progress?.planning ?? [])].map(([name, { status }]) => ({
      id: name,
      status,
    })),
    tasks: Object.fromEntries(
      Object.keys(legend).map((status) => [
        status,
        [...tasks].filter(([, line]) => line.status === status).map(([task]) => task),
      ]),
    ),
    waves: wavesIn(folder, iteration, tasks, world),
    overdue: overdueIn(root, id, tasks, world),
    signals: signalsIn(folder, state ?? undefined, world),
    feedbacks:
      iteration === null
        ? []
        : [iteration, iteration + 1].flatMap((each) =>
            feedbackBatches(folder, each, world).map((batch) => `iterations/${each}/feedbacks/${batch}`),
          ),
    denials: {
      count: denials.length,
      last: denials.slice(-3).map(({ timestamp, rule, tool }) => ({ timestamp, rule, tool })),
    },
    timeouts: entries("timeouts.jsonl").length,
    errors: entries("errors.log").length,
    hook_errors: entries("hook-errors.jsonl").length,
    recovery: entries("recovery.jsonl")
      .filter(({ tag }) => tag === "recovery")
      .map(({ timestamp, key, decision, failures }) => ({ timestamp, key, decision, failures })),
    snapshots: world.list(join(folder, "logs/failures"))?.length ?? 0,
  };
}

function wavesIn(
  folder: string,
  iteration: number | null,
  tasks: ReadonlyMap<string, ProgressLine>,
  world: World,
) {
  if (iteration === null) return [];
  return wavesOf(tasksOf(folder, iteration, world)).map((wave) =>
    wave.map((id) => ({ id, status: tasks.get(id)?.status ?? null })),
  );
}

function signalsIn(folder: string, state: string | undefined, world: World) {
  const { all, broken } = signalsOf(folder, ralphProfiles["v2.2.0"].signalTypes, world);
  const { paused, aborted } = flowOf(all, { role: "Orchestrator", state });
  const pending = all.filter((signal) => signal.state === "pending");
  return {
    pending: pending.map(({ name, type, target, message }) => ({
      name,
      type,
      target: normalTarget(target),
      message,
    })),
    processed: all.length - pending.length,
    broken: broken.map(({ name }) => name),
    paused: paused?.name ?? null,
    aborted: aborted?.name ?? null,
  };
}

/** Tasks in progress for longer than the instructions allow. */
function overdueIn(root: string, id: string, tasks: ReadonlyMap<string, ProgressLine>, world: World) {
  const limit = readInstructions(root, id, world).settings.task_wip_minutes ?? 60;
  return [...tasks].flatMap(([task, { status, note }]) => {
    const started = isoTime(/started:\s*([^\s,)]+)/.exec(note)?.[1]);
    const minutes = started === undefined ? 0 : Math.floor((world.now() - started) / 60_000);
    return status === "/" && minutes > limit ? [{ task, minutes, limit }] : [];
  });
}
