import type { Effect } from "../../core/effect.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { imageAfter } from "../../core/image.ts";
import { isObject } from "../../core/json.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { logFile, placeOf, sessionFiles, sessionFolder } from "../../workflow/ralph-layout.ts";
import { readLog } from "../../workflow/ralph-logs.ts";
import { ralphProfileNames, ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { roleOf, type Role } from "../../workflow/ralph-roles.ts";
import { validSession } from "../../workflow/ralph-session.ts";
import type { PlacedSignal } from "../../workflow/ralph-signals.ts";
import { headOf, signalContext, told } from "./_words.ts";

export default defineRule({
  summary:
    "Brings live signals to the agent: STEER and INFO as context, PAUSE holds its tools, ABORT ends the work.",
  why: "A person must be able to reach a running session without waiting for its turn to end.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p0": {} },
  on: {
    events: [
      "SessionStart",
      "UserPromptSubmit",
      ...beforeTool,
      "PostToolUse",
      "PostToolUseFailure",
      "SubagentStart",
    ],
  },
  options: (v) =>
    v.strictObject({
      profile: v.pipe(
        v.optional(v.picklist(ralphProfileNames), "v2.2.0"),
        v.description("The Ralph version whose signal types count."),
      ),
    }),
  messages: {
    paused: {
      what: "Paused by signal. {signal}.",
      why: "No tool runs until a later APPROVE, SKIP or STEER comes.",
      instead:
        "Note “Paused by signal” in progress.md with a file tool, which is still possible, then stop and return `paused`.",
    },
    aborted: {
      what: "Aborted by signal. {signal}.",
      why: "The session is over: its tasks in progress are failed, and nothing that was written is reverted.",
      instead: "Stop here and return `blocked` with the reason “Aborted by signal”.",
    },
  },
  examples: {
    catches: [
      { files: signal("PAUSE", "wait for the review"), shell: "npm run build" },
      { files: signal("ABORT", "wrong branch"), write: "src/a.ts", text: "" },
      {
        files: signal("PAUSE", "hold the executors", "Ralph-v2-Executor"),
        delegate: { agent: "Ralph-v2-Executor", prompt: "MODE: EXECUTE\nTASK_ID: task-1" },
      },
    ],
    allows: [
      { files: signal("STEER", "use the new endpoint"), shell: "npm run build" },
      { files: signal("INFO", "the tests are slow today"), shell: "npm test" },
      {
        files: { ...signal("PAUSE", "wait"), ...signal("APPROVE", "go on", "ALL", "260215-180500") },
        shell: "npm run build",
      },
      { files: signal("PAUSE", "hold the reviewers", "Reviewer"), shell: "npm run build" },
      {
        files: {
          ...signal("PAUSE", "wait for the review"),
          ".ralph-sessions/.active-session": "260215-173319",
          ".ralph-sessions/260215-173319/metadata.yaml": "orchestrator:\n  state: COMPLETE\n",
        },
        shell: "npm run build",
      },
    ],
  },
  load: (event, world) => (hasSignals(event, world) ? modules() : undefined),
  *check({ event, world, options, loaded }) {
    const id = validSession(event, world);
    if (!loaded || id === undefined) return;
    const session = sessionFolder(event.root, id);
    const { all } = loaded.signalsOf(session, ralphProfiles[options.profile].signalTypes, world);
    const state = loaded.stateOf(session, world);
    const role = consumerOf(event);
    const flow = loaded.flowOf(all, { role, state });
    const take = (given: PlacedSignal, action: string): Effect =>
      loaded.takeSignal(session, given, { by: nameOf(event), at: isoNow(world), action }, world);
    const isGate = event.name === "PreToolUse" || event.name === "PermissionRequest";

    // Whoever is only asked for permission has been at a boundary a moment ago.
    for (const due of event.name === "PermissionRequest" ? [] : flow.due) {
      if (due.type === "PAUSE" || due.type === "ABORT") continue;
      const isLoop = due.type === "STEER" && isSteerLoop(event, all);
      const action = isLoop ? "escalated: [STEER-LOOP]" : actions[due.type];
      const add = { context: told(due, isLoop), after: take(due, action ?? "injected as context") };
      yield { add: event.name === "PreToolUse" ? { ...add, insist: true } : add };
    }
    yield* passOn(event, all, flow.due, take);

    for (const due of flow.due)
      if (due.type === "PAUSE" || due.type === "ABORT")
        yield { effect: take(due, due.type === "PAUSE" ? "paused" : "aborted the session") };

    const aborted = flow.aborted && (isReleased(event, id, flow.aborted, world) ? undefined : flow.aborted);
    if (aborted) yield* abort(event, id, aborted, world, loaded.abortEffects(event.root, id, world));
    // There is nothing to hold in a session that is over.
    const isOver = aborted !== undefined || state === "COMPLETE";
    const held = isOver
      ? undefined
      : (flow.paused ??
        targets(event).flatMap((each) => loaded.flowOf(all, { role: each, state }).paused ?? [])[0]);
    if (!held) return;
    if (isGate && !isNote(event, id, world)) yield { message: "paused", data: { signal: headOf(held) } };
    else if (!isGate)
      yield {
        add: {
          context: `Paused by signal. ${headOf(held)}. No tool runs until a later APPROVE, SKIP or STEER comes.`,
        },
      };
  },
});

const actions: Readonly<Record<string, string>> = {
  STEER: "injected as context",
  INFO: "injected as context",
  APPROVE: "approved: work goes on",
  SKIP: "skipped: work goes on",
};

const modules = async () => ({
  ...(await import("../../workflow/ralph-signals.ts")),
  ...(await import("../../workflow/ralph-signal-flow.ts")),
  ...(await import("../../workflow/ralph-metadata.ts")),
});

/** Looked at before anything is loaded: is there a signal to deliver, or an old one that may still hold? */
function hasSignals(event: Event, world: World): boolean {
  const id = validSession(event, world);
  if (id === undefined) return false;
  const { inputs, processed } = sessionFiles(event.root, id);
  if ((world.list(inputs) ?? []).some((name) => /^[^.].*\.ya?ml$/i.test(name))) return true;
  return (world.list(processed) ?? []).some((name) => mayHold(`${processed}/${name}`, world));
}

function mayHold(path: string, world: World): boolean {
  try {
    return /\b(?:PAUSE|ABORT)\b/.test(world.read(path) ?? "");
  } catch {
    // What cannot be read is looked at again, one by one.
    return true;
  }
}

/** The main agent is the orchestrator, under whatever name; a subagent is who its name says, or nobody of the workflow's. */
function consumerOf({ agent, name }: Event): Role | undefined {
  const role = agent?.type === undefined ? undefined : roleOf(agent.type);
  return role ?? (agent?.id === undefined && name !== "SubagentStart" ? "Orchestrator" : undefined);
}

const nameOf = ({ agent }: Event): string =>
  agent === undefined ? "Orchestrator" : [agent.type ?? "subagent", agent.id ?? ""].join(" ").trim();

const isoNow = (world: World): string => new Date(world.now()).toISOString();

/** The agents a call is for, whose pause holds the call as well. */
const targets = (event: Event): Role[] =>
  event.actions.flatMap((action) => (action.kind === "delegate" ? (roleOf(action.agent ?? "") ?? []) : []));

/** A signal for another agent travels with the next call of that agent; one with each, so that none is said twice. */
function* passOn(
  event: Event,
  all: readonly PlacedSignal[],
  due: readonly PlacedSignal[],
  take: (signal: PlacedSignal, action: string) => Effect,
): Iterable<Yield<never>> {
  if (event.name !== "PreToolUse" || consumerOf(event) !== "Orchestrator") return;
  const input = event.tool?.input;
  for (const role of new Set(targets(event))) {
    const theirs = all.find(
      (each) =>
        each.state === "pending" &&
        !due.includes(each) &&
        (each.type === "STEER" || each.type === "INFO") &&
        roleOf(each.target) === role,
    );
    if (!theirs || !isObject(input) || typeof input["prompt"] !== "string") continue;
    const prompt = `${input["prompt"]}${signalContext(theirs)}`;
    const after = take(theirs, `passed on to ${role} as SIGNAL_CONTEXT`);
    yield { add: { input: { ...input, prompt }, after } };
  }
}

/** A reviewer evaluates twice more at most; then somebody else has to look. */
function isSteerLoop({ agent }: Event, all: readonly PlacedSignal[]): boolean {
  if (agent?.id === undefined || roleOf(agent.type ?? "") !== "Reviewer") return false;
  const by = `handled_by: ${JSON.stringify([agent.type ?? "subagent", agent.id].join(" "))}`;
  return all.filter((each) => each.type === "STEER" && each.text.includes(by)).length >= 2;
}

/** The person has spoken to the agent since. */
const isReleased = (event: Event, id: string, { name }: PlacedSignal, world: World): boolean =>
  readLog(logFile(event.root, id, "signals.jsonl"), world).some(
    (entry) => entry["signal"] === name && entry["action"] === "released",
  );

function* abort(
  event: Event,
  id: string,
  signal: PlacedSignal,
  world: World,
  effects: readonly Effect[],
): Iterable<Yield<"aborted" | "paused">> {
  for (const effect of effects) yield { effect };
  const data = { signal: headOf(signal) };
  const reason = `Aborted by signal. ${headOf(signal)}.`;
  if (event.name === "UserPromptSubmit" && signal.state === "processed") {
    const path = logFile(event.root, id, "signals.jsonl");
    yield {
      effect: {
        do: "log",
        path,
        entry: { timestamp: isoNow(world), session_id: id, signal: signal.name, action: "released" },
      },
    };
    yield {
      add: {
        context: `${reason} The session is COMPLETE with status aborted; go on with it only if the user says so.`,
      },
    };
  } else if (
    event.name === "PreToolUse" ||
    event.name === "PermissionRequest" ||
    event.name === "UserPromptSubmit"
  ) {
    yield { message: "aborted", data };
    yield { add: { stop: reason } };
  } else {
    yield { add: { context: `${reason} Stop here and return \`blocked\`.` } };
  }
}

/** The one thing an agent still has to do when it is paused: say so in progress.md, by a file tool. */
function isNote(event: Event, id: string, world: World): boolean {
  return (
    event.actions.length > 0 &&
    event.actions.every((action) => {
      if (action.kind === "read") return true;
      if (action.kind !== "write" || !action.target || action.by) return false;
      const place = placeOf(world.realPath(event.root), action.target.real);
      return (
        place?.session === id &&
        place.kind === "progress" &&
        imageAfter(action, world)?.text.includes("Paused by signal") === true
      );
    }) &&
    event.actions.some((action) => action.kind === "write")
  );
}

function signal(type: string, message: string, target = "ALL", at = "260215-180000"): Record<string, string> {
  return {
    [`.ralph-sessions/260215-173319/signals/inputs/signal.${at}.yaml`]: `type: ${type}\ntarget: ${target}\nmessage: ${message}\n`,
  };
}
