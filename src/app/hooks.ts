import type { Effect } from "../core/effect.ts";
import { lazily } from "../core/lazily.ts";
import { plainName } from "../core/plain-name.ts";
import type { Event } from "../core/event.ts";
import type { Contribution, Finding } from "../core/finding.ts";
import { decides, type HookResult, type HookRun } from "../core/hook.ts";
import { mergeResults } from "../results/merge-results.ts";
import type { Env } from "../platform/places.ts";
import type { Policy } from "../policy/policy.ts";
import { showHookProblem } from "../sources/source.ts";
import { pinNames, realRoot, trustOf } from "../sources/trust.ts";
import { toHostInput } from "../handlers/tool-names.ts";
import type { Json } from "../core/json.ts";
import { activeAt } from "./components/active.ts";
import { waitedFor } from "./components/inherited.ts";
import { asEvaluated } from "./evaluator.ts";
import { logEffects, queueEffects } from "./hook-effects.ts";
import { notDone, notYetDone } from "./once.ts";
import { knownBy } from "./known-by.ts";
import { passedOver } from "./passed-over.ts";
import type { Done } from "./run-chain.ts";
import { selectHooks, type Wanted } from "./select-hooks.ts";

/** What the hooks of an event came to. */
export interface Called {
  readonly findings: readonly Finding[];
  readonly contributions: readonly Contribution[];
  readonly effects: readonly Effect[];
  readonly runs: readonly HookRun[];
  /** What hooks of the registry said together, for routing. */
  readonly said?: HookResult;
  /** The tool's input as the last hook that changed it left it. */
  readonly input?: Json;
  readonly notes: readonly string[];
  /** What the components at work may not do of a call, for one that hooks have changed. */
  readonly beyond?: (changed: Event) => readonly Finding[];
}

/** The environment hooks are filtered by. */
export const environmentOf = (given: string | undefined, env: Env): string =>
  given ?? (env["HOOKS_ENV"] || "dev");

export interface How {
  readonly environment?: string;
  /** The rule that has refused it already. Whoever only wants to know of it shall not make the agent wait for its answer. */
  readonly refusedBy?: string | undefined;
  /** Who is asking waits as long as it takes. */
  readonly patient?: boolean;
}

/** Below the ten seconds we ask agents for, with what it takes to end a hook and to answer. */
const usualDeadlineMs = 8000;

/** An agent that has to wait too long goes ahead, refusal or not. */
const refusedMs = 2000;

/** Runs the hooks an event concerns. Results come in the order of configuration, whichever finishes first. */
export async function callHooks(asked: Event, policy: Policy, env: Env, how: How = {}): Promise<Called> {
  // What was trusted goes by where the workspace really is, by whatever name it was entered.
  const event = { ...asked, root: realRoot(asked.root) };
  const environment = environmentOf(how.environment, env);
  const active = policy.sources.components === "off" ? [] : activeAt(event, env);
  const { wanted, problems } = await selectHooks(event, policy, environment, env, active);
  const trusted: Wanted[] = [];
  const inert: HookRun[] = [];
  // To ask for each of many costs more than to ask which there are.
  const known = wanted.length > few ? pinNames(event.root, env) : undefined;
  for (const { definition, calls } of wanted) {
    const { state, why } = trustOf(definition, event.root, env, known);
    if (state === "trusted")
      trusted.push({ definition: waitedFor(asEvaluated(definition, policy.handlers), event), calls });
    else inert.push({ hook: knownBy(definition), status: "inert", ...(why === undefined ? {} : { why }) });
  }
  const checked = performance.now();
  const { refusedBy } = how;
  const isToDecide = ({ definition }: Wanted): boolean => decides(definition, event.name);
  const limited =
    refusedBy === undefined ? trusted : trusted.filter((each) => !isToDecide(each)).map(hurried);
  const until = how.patient ? Number.POSITIVE_INFINITY : (policy.handlers.deadlineMs ?? usualDeadlineMs);
  const ready = notYetDone(limited, event, env);
  const turns = ready.flatMap(({ definition, calls }) => calls.map((call) => ({ definition, call })));
  const done =
    turns.length === 0
      ? []
      : await (await chaining()).runChain(turns, { event, policy, environment, env, until, checked });
  notDone(
    turns.filter((_, at) => done[at]?.reading === undefined).map(({ definition }) => definition),
    event,
    env,
  );
  const spared =
    refusedBy === undefined
      ? []
      : trusted.filter(isToDecide).map(({ definition }) => passedOver(knownBy(definition), refusedBy));
  const limits = active.length === 0 ? undefined : (await import("./components/limits.ts")).limitsAt;
  const beyond = limits?.(event, active) ?? [];
  const readings = done.flatMap(({ reading }) => reading ?? []);
  const results = readings.flatMap(({ result }) => result ?? []);
  const together = results.length === 0 ? undefined : mergeResults(results);
  const merged = together ? [{ native: { ...together } }] : [];
  const said = done.flatMap(({ run, reading }) =>
    (reading?.contributions ?? []).map((part) =>
      policy.mode === "observe" ? onlyWords(part) : inHostWords(part, event, run.hook.id),
    ),
  );
  const input = said.findLast((part) => part.input !== undefined)?.input;
  const actions =
    policy.handlers.followUps === "queue" ? results.flatMap((each) => each.follow_up_actions ?? []) : [];
  return {
    findings: [...beyond, ...readings.flatMap(({ findings }) => findings)],
    contributions: [
      ...troubleIn(inert, problems.map(showHookProblem)),
      ...said,
      ...(input === undefined ? [] : toldOfChange(done)),
      ...merged,
    ],
    effects: [...logEffects(logged(done), event), ...queueEffects(actions, event)],
    runs: [...done.map(({ run }) => run), ...spared, ...inert.slice(0, mostInert)],
    notes: [
      ...done.flatMap(({ run, reading }) => (reading?.notes ?? []).map((note) => `${run.hook.id}: ${note}`)),
      ...(inert.length > mostInert
        ? [`${inert.length - mostInert} more hooks did not run: nobody trusts them`]
        : []),
    ],
    ...(together ? { said: together } : {}),
    ...(input === undefined ? {} : { input }),
    ...(limits ? { beyond: (changed) => limits({ ...changed, root: event.root }, active, true) } : {}),
  };
}

const few = 16;

/** What nobody trusts must not fill the record. */
const mostInert = 100;
/** Nor what people are told. */
const mostTold = 10;

const chaining = lazily(() => import("./run-chain.ts"));

const hurried = ({ definition, calls }: Wanted): Wanted => ({
  definition: { ...definition, timeoutMs: Math.min(definition.timeoutMs, refusedMs) },
  calls,
});

/** Who only observes changes nothing and stops nothing. */
const onlyWords = ({ input: _input, output: _output, stop: _stop, ...words }: Contribution): Contribution =>
  words;

function inHostWords({ input, ...rest }: Contribution, event: Event, hook: string): Contribution {
  const changed = input && toHostInput(event, input);
  if (!changed) return rest;
  // A change to what it is already may get lost.
  const isChange = !Bun.deepEquals(changed, event.tool?.input);
  return { ...rest, input: changed, ...(isChange ? { by: `hooks/${hook}` } : {}) };
}

const logged = (done: readonly Done[]) =>
  done
    .filter(({ run }) => run.hook.profile === "ability")
    .map(({ run, reading }) => ({ run, ...(reading?.result ? { result: reading.result } : {}) }));

/** Nobody's intent is changed without their knowing. */
function toldOfChange(done: readonly Done[]): Contribution[] {
  const changers = done.filter(({ reading }) =>
    reading?.contributions.some((part) => part.input !== undefined),
  );
  const names = changers.map(({ run }) => run.hook.id).join(", then ");
  return [{ notice: `Hookline: the tool's input was changed by the hook ${names}.` }];
}

/** A hook that does not run is never silently off. */
function troubleIn(inert: readonly HookRun[], problems: readonly string[]): Contribution[] {
  const lines = [
    ...firstOf(
      inert,
      ({ hook, why }) =>
        `Hookline: the hook ${hook.id} (${plainName(hook.file)}:${hook.line}) did not run: ${why}.`,
      "hooks did not run",
    ),
    ...(inert.length === 0 ? [] : ["A person can look at it with `hookline trust` and let it run."]),
    ...firstOf(problems, (problem) => `Hookline: ${problem}`, "problems (hookline hooks validate)"),
  ];
  return lines.length === 0 ? [] : [{ notice: lines.join("\n") }];
}

function firstOf<T>(all: readonly T[], show: (each: T) => string, rest: string): string[] {
  const told = all.slice(0, mostTold).map(show);
  return all.length > mostTold ? [...told, `Hookline: ${all.length - mostTold} more ${rest}.`] : told;
}
