import { resolve } from "node:path";
import type { Action } from "../core/action.ts";
import { judging, TimeoutError, type Judgement, type Limits } from "../core/engine.ts";
import { beforeTool, type Event, type EventName } from "../core/event.ts";
import type { Contribution, Finding } from "../core/finding.ts";
import { abilitiesAt, fit, type Answer, type Call, type Fitted, type Host } from "../core/host.ts";
import { isObject, type Json } from "../core/json.ts";
import { lazily } from "../core/lazily.ts";
import { understand } from "../core/understand.ts";
import { merge, type Verdict } from "../core/verdict.ts";
import { done, wait, type Work } from "../core/work.ts";
import { recordWorld, type RecordingWorld, type World } from "../core/world.ts";
import { callOf } from "../ledger/call.ts";
import { bringGit, liveWorld } from "../platform/live-world.ts";
import type { Env } from "../platform/places.ts";
import { loadPolicy, type LoadedPolicy } from "../policy/load-policy.ts";
import { showProblem } from "../policy/policy.ts";
import { isPlain } from "../shell/plain.ts";
import { mayHave, mayHaveHooks } from "../sources/places.ts";
import { chooseHost, type ChosenHost } from "./choose-host.ts";
import type { Called } from "./hooks.ts";
import { registry, selectRules } from "./registry.ts";
import type { Routed } from "./routing/at-prompt.ts";
import type { Seen } from "./standing/standing.ts";
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
  /** What the work on an event may take, for callers that keep a watch of their own. */
  readonly limits?: Limits;
  /** Who is calling, if it is nobody that could be recognised. */
  readonly caller?: ChosenHost;
  /**
   * Hooks are run only where something may happen: an answer for a script or a person runs nothing. `elsewhere`: not by us, so an
   * event that may concern any is not answered at all.
   */
  readonly hooks?: { readonly environment?: string; readonly patient?: boolean } | "elsewhere";
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
  /** What routing suggests, where the policy asks for it. */
  readonly routed?: Routed;
  readonly verdict: Verdict;
  readonly fitted: Fitted;
  readonly answer: Answer;
  readonly world: RecordingWorld;
  readonly notes: readonly string[];
  /** The same without some of what would have been said. */
  readonly without: (unsaid: readonly Contribution[]) => Passed;
  /** Remembers what was seen of the agents' settings, for whoever may write. */
  readonly keep?: () => void;
  readonly ms: Readonly<Record<string, number>>;
}

/** The one pass, left to right. Nothing here writes anything. */
export const pass = async (payload: Json, setting: Setting): Promise<Passed> =>
  done(passing(payload, setting));

/** The same for whoever judges one event after the other: it waits for nothing that is there already. */
export function* passing(payload: Json, setting: Setting): Work<Passed> {
  const clock = stopwatch();
  const host = setting.caller ?? (yield* chooseHost(payload, setting.host));
  const decoded = host.host.decode(payload, setting.event);
  // A tool call nobody can name cannot be judged; a host that has changed its words must not open the gate.
  if (!decoded.tool && (beforeTool as readonly string[]).includes(decoded.name))
    throw new PayloadTrouble(`the payload of ${decoded.native} names no tool`);
  let root = "";
  let policy = "";
  const memory = looksBack(decoded.name)
    ? (yield* wait(recalling())).memoryOf(() => root, setting.env, host.host, payload)
    : undefined;
  const world = recordWorld(setting.world ?? liveWorld(setting.env, memory, () => policy));
  const call = atStop(decoded, host.host, world);
  const cwd = resolve(setting.cwd, call.cwd ?? ".");
  root = workspaceRoot(cwd, host.host, world);
  clock.lap("decode");
  const loaded = yield* wait(setting.policyOf?.(root) ?? loadPolicy(root, setting.env, registry));
  policy = loaded.digest;
  if (loaded.policy.asksGit) yield* wait(bringGit());
  const { selected, afterDenial, unknown } = selectRules(loaded.policy);
  clock.lap("policy");
  const { programs } = loaded.policy;
  const event = yield* toEvent(call, host.id, cwd, root, world, payload, setting, programs);
  clock.lap("understand");
  const watch = setting.limits ?? watched;
  const first = yield* judging(event, selected, world, watch);
  clock.lap("rules");
  const { rules, mode, workflows = [] } = loaded.policy;
  const isLocked = ({ rule, data }: Finding): boolean =>
    rule === "hookline/switched-off" ||
    rules.some(({ id, locked }) => locked && id === rule) ||
    (rule.startsWith("workflow/") &&
      workflows.some(({ name, locked }) => locked && name === data["workflow"]));
  let refusal: Finding | undefined;
  for (const finding of first.findings)
    if (finding.outcome === "block" && (mode === "enforce" || isLocked(finding))) refusal ??= finding;
  const called = setting.hooks
    ? yield* wait(hooked(event, loaded, setting, setting.hooks, refusal?.rule, world))
    : undefined;
  // An input that a hook has changed is judged like any other.
  const input = called?.input ?? setting.changed;
  const changed = input
    ? yield* toEvent(
        host.host.decode((yield* wait(changing())).withInput(payload, input), setting.event),
        ...([host.id, cwd, root, world, payload, setting, programs] as const),
      )
    : undefined;
  const second = changed
    ? [...(yield* judging(changed, selected, world, watch)).findings, ...(called?.beyond?.(changed) ?? [])]
    : [];
  const judged = changed ? { ...first, findings: [...first.findings, ...second] } : first;
  if (called) clock.lap("hooks");
  const routed = setting.hooks
    ? yield* wait(routedAt(event, loaded, setting, setting.hooks, called))
    : undefined;
  if (routed) clock.lap("routing");
  const contributions = [
    ...troubleOf(loaded),
    ...judged.contributions,
    ...(called ? called.contributions : []),
    ...(routed ? routed.contributions : []),
  ];
  const occasion = { ...call, host: host.id, root };
  const { findings: off, keep } = yield* switchedOffAt(occasion, setting);
  const findings = [...judged.findings, ...(called ? called.findings : []), ...off];
  const merged = merge(findings, contributions, mode, isLocked);
  const told = (kept: Verdict): Pick<Passed, "verdict" | "fitted" | "answer"> => {
    const fitted = fit(kept, abilitiesAt(host.host, call) ?? []);
    return { verdict: kept, fitted, answer: host.host.encode(fitted.reply, call) };
  };
  const saying = told(merged);
  const isDenied = merged.outcome === "block" || saying.fitted.reply.outcome === "block";
  const audit =
    isDenied && afterDenial.length > 0
      ? yield* judging(event, afterDenial, world, watch, findings)
      : undefined;
  const verdict = audit ? { ...merged, findings: [...findings, ...audit.findings] } : merged;
  clock.lap("answer");
  const notes = [
    host.how,
    ...loaded.policy.notes,
    ...(called ? called.notes : []),
    ...(routed ? routed.notes : []),
  ];
  for (const id of unknown) notes.push(`the policy names ${id}, which this version does not have`);
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
    ...(routed ? { routed } : {}),
    ...saying,
    verdict,
    world,
    notes,
    without,
    ...(keep ? { keep } : {}),
    ms: clock.laps,
  };
  return passed;
}

/** The answer is given by then, so what comes later only adds to the record and to what is done. */
const withMore = (first: Judgement, later: Judgement): Judgement => ({
  ...first,
  findings: [...first.findings, ...later.findings],
  effects: [...first.effects, ...later.effects],
  rules: [...first.rules, ...later.rules],
  looked: [...first.looked, ...later.looked],
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

/** Somebody else has to judge it; nothing has been done yet. */
export class Elsewhere extends Error {
  override readonly name = "Elsewhere";
}

/** Who wants to be kept from stopping has to know how often that is of any use. */
function atStop(call: Call, host: Host, world: World): Call {
  const mostHolds = call.name === "Stop" ? host.mostHolds?.((name) => world.env(name)) : undefined;
  return mostHolds === undefined ? call : { ...call, mostHolds };
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

/** Events at which it is seen whether the agents' settings still make them ask us; no call waits for that before a tool. */
const mayHaveLost = ({ name, settings }: Pick<Call, "name" | "settings">): boolean =>
  settings === true || name === "SessionStart" || (looksBack(name) && name !== "SubagentStop");

const standing = lazily(() => import("./standing/standing.ts"));

/** What agents' settings have lost is said whatever the policy says, which may have been emptied along with them. */
function* switchedOffAt(
  occasion: Call & Pick<Event, "host" | "root">,
  { hooks, env, caller }: Setting,
): Work<Seen> {
  if (!hooks || caller || !mayHaveLost(occasion)) return { findings: [] };
  return yield* wait((yield* wait(standing())).standingAt(occasion, env));
}

/** Loaded when a rule is about to run: most calls concern none. */
const watchdog = async (): Promise<Limits> =>
  (limits = (await import("../platform/limits.ts")).watchedLimits);

let limits: Limits | undefined;

const watched = (): Limits | Promise<Limits> => limits ?? watchdog();

function* toEvent(
  call: Call,
  host: string,
  cwd: string,
  root: string,
  world: RecordingWorld,
  payload: Json,
  { understood, limits: given }: Setting,
  programs: readonly string[] | undefined,
): Work<Event> {
  const { operations, cwd: _given, ...rest } = call;
  const known = rest.tool ? { ...rest, call: callOf(rest.tool) } : rest;
  const actions = understand(operations, cwd, world);
  if (!needsParser(actions, programs)) return { ...known, host, cwd, root, actions, payload };
  const key = understood && JSON.stringify([root, operations, cwd]);
  const before = key === undefined ? undefined : understood?.get(key);
  if (before) return { ...known, host, cwd, root, actions: before, payload };
  const { foreseeReaders, unfoldCommands, watchedLimits, withReaders } = yield* wait(shell());
  const watch = given ?? (limits ??= watchedLimits);
  for (const action of actions) {
    const coming = action.kind === "exec" ? foreseeReaders(action.command) : undefined;
    if (coming) yield* wait(coming);
  }
  try {
    const unfolded = yield* wait(
      withReaders(
        () => unfoldCommands(actions, root, world, programs),
        (work) => watch.within(watch.ruleMs, work),
      ),
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
  { env }: Setting,
  hooks: NonNullable<Setting["hooks"]>,
  refusedBy: string | undefined,
  world: World,
): Promise<Called | undefined> {
  if (policy.hooks.length === 0 && !mayHaveHooks(policy.sources, event.root)) return undefined;
  if (hooks === "elsewhere") throw new Elsewhere("hooks of the workspace may be concerned");
  return (await hooking()).callHooks(await withChanges(event, policy, world), policy, env, {
    ...hooks,
    refusedBy,
  });
}

const routing = lazily(() => import("./routing/at-prompt.ts"));

/** Like hooks, only where something may happen: a replay asks neither the registry nor a model. */
async function routedAt(
  event: Event,
  { policy }: LoadedPolicy,
  { env }: Setting,
  hooks: NonNullable<Setting["hooks"]>,
  called: Called | undefined,
): Promise<Routed | undefined> {
  if (policy.routing === undefined || event.name !== "UserPromptSubmit") return undefined;
  if (hooks === "elsewhere") throw new Elsewhere("the policy has prompts routed");
  const environment = hooks.environment ?? (env["HOOKS_ENV"] || "dev");
  return (await routing()).routeAtPrompt(event, policy.routing, policy, env, environment, called?.said);
}

/** Hooks at the end of a session want to know what it has changed; where nobody says so, git does. */
async function withChanges(event: Event, { sources }: LoadedPolicy["policy"], world: World): Promise<Event> {
  const { name, payload, root } = event;
  const isEnd = name === "SessionStop" || name === "SessionEnd";
  // The registry's hooks of a session's stop run at an agent's, too.
  const mayBeEnd = name === "Stop" && mayHave("registry", sources, root);
  if (!(isEnd || mayBeEnd) || payload["changed_files"] !== undefined) return event;
  await bringGit();
  const changed_files = world.changed(root);
  return changed_files ? { ...event, payload: { ...payload, changed_files } } : event;
}

const shell = lazily(() => import("./command-line.ts"));

function needsParser(actions: readonly Action[], programs: readonly string[] | undefined): boolean {
  for (const action of actions) if (action.kind === "exec" && !isPlain(action.command, programs)) return true;
  return false;
}

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
