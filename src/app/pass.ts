import { resolve } from "node:path";
import type { Action } from "../core/action.ts";
import { judge, TimeoutError, type Judgement, type Limits } from "../core/engine.ts";
import { beforeTool, type Event, type EventName } from "../core/event.ts";
import type { Contribution, Finding } from "../core/finding.ts";
import { fit, type Answer, type Call, type Fitted } from "../core/host.ts";
import { isObject, type Json } from "../core/json.ts";
import { lazily } from "../core/lazily.ts";
import { understand } from "../core/understand.ts";
import { merge, type Verdict } from "../core/verdict.ts";
import { recordWorld, type RecordingWorld, type World } from "../core/world.ts";
import { callOf } from "../ledger/call.ts";
import { liveWorld } from "../platform/live-world.ts";
import type { Env } from "../platform/places.ts";
import { loadPolicy, type LoadedPolicy } from "../policy/load-policy.ts";
import { showProblem } from "../policy/policy.ts";
import { isPlain } from "../shell/plain.ts";
import { mayHaveHooks } from "../sources/places.ts";
import { chooseHost, type ChosenHost } from "./choose-host.ts";
import type { Called } from "./hooks.ts";
import { registry, selectRules } from "./registry.ts";
import { workspaceRoot } from "./workspace.ts";

/** What the command line and the machine bring to a pass. */
export interface Setting {
  readonly host?: string;
  readonly event?: string;
  readonly env: Env;
  /** Where we were started, for payloads that do not say. */
  readonly cwd: string;
  /** What to look at instead of the machine as it is at this moment. */
  readonly world?: World;
  /** How the policy of a workspace is found, for callers that judge many events. */
  readonly policyOf?: (root: string) => LoadedPolicy | Promise<LoadedPolicy>;
  /** What command lines do, for callers that judge many events in one world; filled as they come. */
  readonly understood?: Map<string, readonly Action[]>;
  /** Who is calling, if it is nobody that could be recognised. */
  readonly caller?: ChosenHost;
  /** Hooks are run only where something may happen: an answer for a script or a person runs nothing. */
  readonly hooks?: { readonly environment?: string; readonly patient?: boolean };
  /** What hooks had made of the tool's input, for judging a record again. */
  readonly changed?: Json;
}

/** One event from payload to answer, with everything that explains it. */
export interface Passed {
  readonly host: ChosenHost;
  readonly event: Event;
  readonly loaded: LoadedPolicy;
  readonly judgement: Judgement;
  /** What hooks said, where any were concerned. */
  readonly called?: Called;
  readonly verdict: Verdict;
  readonly fitted: Fitted;
  readonly answer: Answer;
  readonly world: RecordingWorld;
  readonly notes: readonly string[];
  /** The same without some of what would have been said. */
  readonly without: (unsaid: readonly Contribution[]) => Passed;
  readonly ms: Readonly<Record<string, number>>;
}

/** The one pass, left to right. Nothing here writes anything. */
export async function pass(payload: Json, setting: Setting): Promise<Passed> {
  const clock = stopwatch();
  const host = setting.caller ?? chooseHost(payload, setting.host);
  const call = host.host.decode(payload, setting.event);
  // A tool call nobody can name cannot be judged; a host that has changed its words must not open the gate.
  if (!call.tool && (beforeTool as readonly string[]).includes(call.name))
    throw new PayloadTrouble(`the payload of ${call.native} names no tool`);
  let root = "";
  let policy = "";
  const memory = looksBack(call.name)
    ? (await recalling()).memoryOf(() => root, setting.env, host.host, payload)
    : undefined;
  const world = recordWorld(setting.world ?? liveWorld(setting.env, memory, () => policy));
  const cwd = resolve(setting.cwd, call.cwd ?? ".");
  root = workspaceRoot(cwd, host.host, world);
  clock.lap("decode");
  const loaded = await (setting.policyOf?.(root) ?? loadPolicy(root, setting.env, registry));
  policy = loaded.digest;
  const { selected, afterDenial, unknown } = selectRules(loaded.policy);
  clock.lap("policy");
  const event = await toEvent(call, host.id, cwd, root, world, payload, setting.understood);
  clock.lap("understand");
  const first = await judge(event, selected, world, watch);
  clock.lap("rules");
  const called = await hooked(event, loaded, setting, first.findings, world);
  // An input that a hook has changed is judged like any other.
  const input = called?.input ?? setting.changed;
  const changed = input
    ? await toEvent(
        host.host.decode((await changing()).withInput(payload, input), setting.event),
        ...([host.id, cwd, root, world, payload, setting.understood] as const),
      )
    : undefined;
  const second = changed ? (await judge(changed, selected, world, watch)).findings : [];
  const judged = changed ? { ...first, findings: [...first.findings, ...second] } : first;
  if (called) clock.lap("hooks");
  const contributions = [
    ...troubleOf(loaded),
    ...judged.contributions,
    ...(called ? called.contributions : []),
  ];
  const findings = called ? [...judged.findings, ...called.findings] : judged.findings;
  const { rules, mode } = loaded.policy;
  const merged = merge(findings, contributions, mode, ({ rule }) =>
    rules.some(({ id, locked }) => locked && id === rule),
  );
  const told = (kept: Verdict): Pick<Passed, "verdict" | "fitted" | "answer"> => {
    const fitted = fit(kept, host.host.can[call.dialect]?.[call.native] ?? []);
    return { verdict: kept, fitted, answer: host.host.encode(fitted.reply, call) };
  };
  const saying = told(merged);
  const isDenied = merged.outcome === "block" || saying.fitted.reply.outcome === "block";
  const audit =
    isDenied && afterDenial.length > 0 ? await judge(event, afterDenial, world, watch, findings) : undefined;
  const verdict = audit ? { ...merged, findings: [...findings, ...audit.findings] } : merged;
  clock.lap("answer");
  const notes = [
    host.how,
    ...loaded.policy.notes,
    ...(called ? called.notes : []),
    ...unknown.map((id) => `the policy names ${id}, which this version does not have`),
  ];
  const without = (unsaid: readonly Contribution[]): Passed => {
    const kept = verdict.contributions.filter((each) => !unsaid.includes(each));
    return { ...passed, ...told({ ...verdict, contributions: kept }) };
  };
  const passed = {
    host,
    event,
    loaded,
    judgement: audit ? withMore(judged, audit) : judged,
    ...(called ? { called } : {}),
    ...saying,
    verdict,
    world,
    notes,
    without,
    ms: clock.laps,
  };
  return passed;
}

/** The answer is given by then, so what comes later only adds to the record and to what is done. */
const withMore = (first: Judgement, later: Judgement): Judgement => ({
  ...first,
  findings: [...first.findings, ...later.findings],
  effects: [...first.effects, ...later.effects],
  considered: [...first.considered, ...later.considered],
});

/** Parses a payload; whatever is wrong with it is a `PayloadTrouble`. */
export function parsePayload(text: string): Json {
  if (text.trim() === "") throw new PayloadTrouble("nothing came on standard input");
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    throw new PayloadTrouble(
      `the payload is not JSON (${error instanceof Error ? error.message : String(error)})`,
    );
  }
  if (isObject(payload)) return payload;
  throw new PayloadTrouble("the payload is not a JSON object");
}

export class PayloadTrouble extends Error {
  override readonly name = "PayloadTrouble";
}

/** Events at which what was said earlier matters. */
const looksBack = (name: EventName): boolean =>
  name === "PostToolUse" ||
  name === "PostToolUseFailure" ||
  name === "UserPromptSubmit" ||
  name === "Stop" ||
  name === "SubagentStop" ||
  name === "SessionEnd";

const recalling = lazily(() => import("./memory.ts"));

/** Loaded when a rule is about to run: most calls concern none. */
const watchdog = async (): Promise<Limits> =>
  (limits = (await import("../platform/limits.ts")).watchedLimits);

let limits: Limits | undefined;

const watch = (): Limits | Promise<Limits> => limits ?? watchdog();

async function toEvent(
  call: Call,
  host: string,
  cwd: string,
  root: string,
  world: RecordingWorld,
  payload: Json,
  understood: Setting["understood"],
): Promise<Event> {
  const { operations, cwd: _given, ...rest } = call;
  const known = rest.tool ? { ...rest, call: callOf(rest.tool) } : rest;
  const actions = understand(operations, cwd, world);
  if (!actions.some(needsParser)) return { ...known, host, cwd, root, actions, payload };
  const key = understood && JSON.stringify([root, operations, cwd]);
  const before = key === undefined ? undefined : understood?.get(key);
  if (before) return { ...known, host, cwd, root, actions: before, payload };
  const { unfoldCommands, watchedLimits, withReaders } = await shell();
  limits ??= watchedLimits;
  try {
    const unfolded = await withReaders(() =>
      watchedLimits.within(watchedLimits.ruleMs, () => unfoldCommands(actions, root, world)),
    );
    if (key !== undefined) understood?.set(key, unfolded);
    return { ...known, host, cwd, root, actions: unfolded, payload };
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    return { ...known, host, cwd, root, actions: actions.map(notUnderstood), payload };
  }
}

/** What took too long to follow nobody has vouched for. */
const notUnderstood = (action: Action): Action =>
  action.kind === "exec" ? { ...action, troubles: ["it took too long to understand"] } : action;

const hooking = lazily(() => import("./hooks.ts"));

const changing = lazily(() => import("./changed-input.ts"));

/** One look at where hooks may lie, and nothing more where there are none. */
async function hooked(
  event: Event,
  { policy }: LoadedPolicy,
  setting: Setting,
  findings: readonly Finding[],
  world: World,
): Promise<Called | undefined> {
  if (!setting.hooks) return undefined;
  if (policy.hooks.length === 0 && !mayHaveHooks(policy.sources, event.root)) return undefined;
  const refused = findings.some(({ outcome }) => outcome === "block");
  return (await hooking()).callHooks(withChanges(event, world), policy, setting.env, {
    ...setting.hooks,
    refused,
  });
}

/** Hooks at the end of a session want to know what it has changed; where nobody says so, git does. */
function withChanges(event: Event, world: World): Event {
  const { name, payload, root } = event;
  if ((name !== "SessionStop" && name !== "SessionEnd") || payload["changed_files"] !== undefined)
    return event;
  const changed_files = world.changed(root);
  return changed_files ? { ...event, payload: { ...payload, changed_files } } : event;
}

const shell = lazily(() => import("./command-line.ts"));

const needsParser = (action: Action): boolean => action.kind === "exec" && !isPlain(action.command);

/** A policy with problems is never silently off: the agent and the person are told at every event. */
function troubleOf(loaded: LoadedPolicy): Contribution[] {
  const said = troubleWith(loaded);
  return said === undefined ? [] : [{ context: said, notice: said }];
}

/** What is wrong with a policy, and what holds instead; nothing when nothing is. */
export function troubleWith({ origin, problems, digest }: LoadedPolicy): string | undefined {
  if (problems.length === 0) return undefined;
  const instead =
    origin === "last-good"
      ? `the last good policy (${digest.slice(0, 12)}) is in force`
      : "the recommended preset is in force";
  return `Hookline: the policy has problems; ${instead}.\n${problems.slice(0, 5).map(showProblem).join("\n")}`;
}

function stopwatch(): { lap(step: string): void; laps: Record<string, number> } {
  const laps: Record<string, number> = {};
  let last = performance.now();
  return {
    laps,
    lap(step) {
      const now = performance.now();
      laps[step] = now - last;
      last = now;
    },
  };
}
