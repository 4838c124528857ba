import type { Effect } from "../core/effect.ts";
import type { Event } from "../core/event.ts";
import type { Contribution, Finding } from "../core/finding.ts";
import type { HookDefinition, HookRun } from "../core/hook.ts";
import { mergeResults } from "../results/merge-results.ts";
import type { Env } from "../platform/places.ts";
import type { Policy } from "../policy/policy.ts";
import { showHookProblem } from "../sources/source.ts";
import { realRoot, trustOf } from "../sources/trust.ts";
import { toHostInput } from "../handlers/tool-names.ts";
import type { Json } from "../core/json.ts";
import { activeAt } from "./components/active.ts";
import { waitedFor } from "./components/inherited.ts";
import { asEvaluated } from "./evaluator.ts";
import { logEffects, queueEffects } from "./hook-effects.ts";
import { notYetDone } from "./once.ts";
import { knownBy } from "./known-by.ts";
import type { Done } from "./run-chain.ts";
import { selectHooks } from "./select-hooks.ts";

/** What the hooks of an event came to. */
export interface Called {
  readonly findings: readonly Finding[];
  readonly contributions: readonly Contribution[];
  readonly effects: readonly Effect[];
  readonly runs: readonly HookRun[];
  /** The tool's input as the last hook that changed it left it. */
  readonly input?: Json;
  readonly notes: readonly string[];
}

/** The environment hooks are filtered by. */
export const environmentOf = (given: string | undefined, env: Env): string =>
  given ?? (env["HOOKS_ENV"] || "dev");

export interface How {
  readonly environment?: string;
  /** It is refused already: whoever only wants to know of it shall not make the agent wait for its answer. */
  readonly refused?: boolean;
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
  const { definitions, problems } = await selectHooks(event, policy, environment, env, active);
  const trusted: HookDefinition[] = [];
  const inert: HookRun[] = [];
  for (const definition of definitions) {
    const { state, why } = trustOf(definition, event.root, env);
    if (state === "trusted") trusted.push(waitedFor(asEvaluated(definition, policy.handlers)));
    else inert.push({ hook: knownBy(definition), status: "inert", ...(why === undefined ? {} : { why }) });
  }
  const limited = how.refused ? trusted.map(hurried) : trusted;
  const until = how.patient ? Number.POSITIVE_INFINITY : (policy.handlers.deadlineMs ?? usualDeadlineMs);
  const ready = notYetDone(limited, event, env);
  const done =
    ready.length === 0
      ? []
      : await (await import("./run-chain.ts")).runChain(ready, { event, policy, environment, env, until });
  const beyond = active.length === 0 ? [] : (await import("./components/limits.ts")).limitsAt(event, active);
  const readings = done.flatMap(({ reading }) => reading ?? []);
  const results = readings.flatMap(({ result }) => result ?? []);
  const merged = results.length === 0 ? [] : [{ native: { ...mergeResults(results) } }];
  const said = readings
    .flatMap(({ contributions }) => contributions)
    .map((part) => inHostWords(policy.mode === "observe" ? onlyWords(part) : part, event));
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
    runs: [...done.map(({ run }) => run), ...inert],
    notes: done.flatMap(({ run, reading }) =>
      (reading?.notes ?? []).map((note) => `${run.hook.id}: ${note}`),
    ),
    ...(input === undefined ? {} : { input }),
  };
}

const hurried = (definition: HookDefinition): HookDefinition => ({
  ...definition,
  timeoutMs: Math.min(definition.timeoutMs, refusedMs),
});

/** Who only observes changes nothing and stops nothing. */
const onlyWords = ({ input: _input, output: _output, stop: _stop, ...words }: Contribution): Contribution =>
  words;

const inHostWords = (part: Contribution, event: Event): Contribution =>
  part.input === undefined ? part : { ...part, input: toHostInput(event, part.input) };

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
    ...inert.map(
      ({ hook, why }) => `Hookline: the hook ${hook.id} (${hook.file}:${hook.line}) did not run: ${why}.`,
    ),
    ...(inert.length === 0 ? [] : ["A person can look at it with `hookline trust` and let it run."]),
    ...problems.map((problem) => `Hookline: ${problem}`),
  ];
  return lines.length === 0 ? [] : [{ notice: lines.slice(0, 12).join("\n") }];
}
