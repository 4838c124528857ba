import { isStricter } from "../../core/outcome.ts";
import type { World } from "../../core/world.ts";
import { loadPolicy, type LoadedPolicy } from "../../policy/load-policy.ts";
import { iterationsIn } from "../../workflow/ralph-iteration.ts";
import { sessionFiles } from "../../workflow/ralph-layout.ts";
import { nextStates, ralphMachines, transitionBetween } from "../../workflow/ralph-machine.ts";
import { changeMetadata, readMetadata, stateIn } from "../../workflow/ralph-metadata.ts";
import type { RalphProfileName } from "../../workflow/ralph-profiles.ts";
import { carryOut } from "../effects.ts";
import { pass, type Passed } from "../pass.ts";
import { registry } from "../registry.ts";
import { conclude } from "../run.ts";
import { localIso, type Session } from "../signals.ts";
import { iterationEffects } from "./create.ts";
import { unmetCondition } from "./conditions.ts";
import { stateMachine } from "./state-machine.ts";

export interface Step {
  readonly to: string;
  readonly profile?: RalphProfileName;
  /** The version the caller has read; another one means that somebody has written since. */
  readonly expected?: number;
}

export interface Taken {
  readonly from: string | null;
  readonly to: string;
  readonly done: boolean;
  /** Why it was not taken. */
  readonly refusals: readonly string[];
  readonly warnings: readonly string[];
  readonly version: number | null;
}

/** Takes a step of the orchestrator: checked by the machine and its guards, written at once or not at all, then logged. */
export async function takeStep(session: Session, { to, profile: named, expected }: Step): Promise<Taken> {
  const { root, id, world } = session;
  const { folder, metadata } = sessionFiles(root, id);
  const text = world.read(metadata) ?? "";
  const read = readMetadata(text);
  const nothing = { from: null, to, done: false, warnings: [], version: null };
  if ("error" in read)
    return {
      ...nothing,
      refusals: [`metadata.yaml cannot be read (${read.error}); hookline ralph doctor says more`],
    };
  const from = stateIn(read.data);
  const version = typeof read.data["version"] === "number" ? read.data["version"] : null;
  const loaded = await withGuards(await loadPolicy(root, process.env, registry));
  const machine = ralphMachines[named ?? profileOf(loaded)];
  const changes = changesFor(to, read.data["iteration"], folder, world);
  const changed = changeMetadata(text, changes, {
    now: localIso(world.now()),
    ...(expected === undefined ? {} : { expected }),
  });
  const start = { from: from ?? null, to, version };
  if ("error" in changed) return { ...start, done: false, warnings: [], refusals: [changed.error] };

  const passed = await pass(
    { session_id: id, path: metadata, text: changed.text },
    { env: process.env, cwd: root, world, caller: stateMachine, policyOf: () => loaded },
  );
  const said = (isRefusal: boolean): string[] =>
    passed.verdict.findings
      .filter(({ outcome }) => (isRefusal ? isStricter(outcome, "warn") : outcome === "warn"))
      .map(({ message }) => message);
  const isStep = from === undefined || transitionBetween(machine, from, to) !== undefined;
  const next = from === undefined ? [] : nextStates(machine, from);
  const refusals = [
    ...(isStep
      ? []
      : [
          `${from} to ${to} is no step of the orchestrator; from ${from} it goes to ${next.join(" or ") || "nowhere"}`,
        ]),
    ...(passed.verdict.outcome === "block" ? said(true) : []),
  ];
  const unmet = from === undefined || !isStep ? undefined : unmetCondition(session, from, to);
  const warnings = [...(isStep ? said(false) : []), ...(unmet === undefined ? [] : [unmet])];
  if (refusals.length > 0) {
    await finish(passed, false);
    return { ...start, done: false, refusals, warnings };
  }
  const written = carryOut(
    [
      { do: "replace", path: metadata, text: changed.text, was: text },
      ...(typeof changes["iteration"] === "number"
        ? iterationEffects(folder, changes["iteration"], localIso(world.now()), world)
        : []),
    ],
    root,
    world,
  );
  const lost = written[0]?.error;
  await finish(passed, lost === undefined);
  if (lost !== undefined)
    return {
      ...start,
      done: false,
      warnings,
      refusals: [`metadata.yaml version changed (${lost}); read it again`],
    };
  return { ...start, done: true, refusals: [], warnings, version: version === null ? null : version + 1 };
}

/** Feedback for the next iteration makes that the current one. */
function changesFor(to: string, iteration: unknown, folder: string, world: World): Record<string, unknown> {
  const state = { "orchestrator.state": to };
  if (to !== "REPLANNING" || typeof iteration !== "number") return state;
  const isNext = iterationsIn(folder, world).includes(iteration + 1);
  return { ...state, status: "in_progress", ...(isNext ? { iteration: iteration + 1 } : {}) };
}

/** Records the step, and logs it if it was taken. */
async function finish(passed: Passed, done: boolean): Promise<void> {
  const { judgement } = passed;
  const effects = done
    ? judgement.effects
    : judgement.effects.filter(({ path }) => !path.endsWith("state-transitions.jsonl"));
  await conclude(
    { ...passed, judgement: { ...judgement, effects } },
    [],
    { env: process.env, cwd: passed.event.cwd },
    0,
  );
}

const guards = [
  "ralph/state-transition-ledger",
  "ralph/replanning-trigger-guard",
  "ralph/session-review-gate",
];

/** The orchestrator's own guards hold even where the policy does not choose them; it can still turn one off. */
async function withGuards(loaded: LoadedPolicy): Promise<LoadedPolicy> {
  const missing = guards.filter((id) => !loaded.policy.rules.some((rule) => rule.id === id));
  if (missing.length === 0) return loaded;
  const { rules } = await registry();
  const v = await import("valibot");
  const added = missing.flatMap((id) => {
    const rule = rules[id];
    return rule
      ? [{ id, outcome: rule.outcome, failMode: rule.failMode, options: v.parse(rule.options(v), {}) }]
      : [];
  });
  return { ...loaded, policy: { ...loaded.policy, rules: [...loaded.policy.rules, ...added] } };
}

function profileOf({ policy }: LoadedPolicy): RalphProfileName {
  const options = policy.rules.find(({ id }) => id === guards[0])?.options as
    | { profile?: RalphProfileName }
    | undefined;
  return options?.profile ?? "v2.2.0";
}
