import { decides, type HookDefinition, type HookRun } from "../core/hook.ts";
import type { Event } from "../core/event.ts";
import type { Json } from "../core/json.ts";
import { toHostInput, toolFor } from "../handlers/tool-names.ts";
import { said, type Reading } from "../results/reading.ts";
import { knownBy } from "./known-by.ts";
import { passedOver } from "./passed-over.ts";
import { readingOf, runSafely, startOne, type Circumstances, type Ran } from "./run-one.ts";

export interface Done {
  readonly run: HookRun;
  readonly reading?: Reading;
}

type Occasion = Omit<Circumstances, "input" | "cancel">;

/**
 * Runs hooks side by side, with the result of running them one after the other. When one changes the tool's input, those behind it are
 * broken off and run again with the changed one. When one refuses, those behind it that were to decide are ended, and only who takes
 * notes goes on. What an earlier one still has to say may undo both, so results count in the order of configuration alone.
 */
export async function runChain(asked: readonly Asked[], occasion: Occasion): Promise<Done[]> {
  const { event, environment, env } = occasion;
  const done: Done[] = [];
  const started = new Set<Asked>();
  let input: Json | undefined;
  let refusedBy: string | undefined;
  while (done.length < asked.length) {
    const again = input === undefined ? {} : { again: true as const };
    const wanted = asked.slice(done.length);
    const turns = sideBySide(wanted, { ...occasion, input }, started, refusedBy !== undefined);
    for (const { one, result } of turns) {
      const settled = await result;
      const hook = knownBy(one.definition);
      const about = aboutOf(one, event);
      if (!settled || (refusedBy !== undefined && decides(one.definition, event.name))) {
        done.push({ run: { ...passedOver(hook, refusedBy ?? "", started.has(one)), ...about } });
        continue;
      }
      const { raw, sandbox, reading } = settled;
      const how = { ...(sandbox === undefined ? {} : { sandbox }), ...again, ...about };
      done.push({ run: { hook, status: reading.status, raw, ...how }, reading });
      if (refuses(reading, occasion)) refusedBy ??= `hooks/${hook.id}`;
      const changed = reading.contributions.findLast((part) => part.input !== undefined)?.input;
      if (changed === undefined || done.length === asked.length) continue;
      input = changed;
      for (const turn of turns) turn.cancel.abort();
      await Promise.all(turns.map((turn) => turn.result));
      break;
    }
  }
  // Nobody waits for these, so they see what the others have made of the input, and only once.
  for (const { definition, call } of asked)
    if (definition.background) await startOne(definition, { event: call, input, environment, env });
  return done;
}

/** A hook, and the call it is asked about: the event, or what the event does to one file of several. */
export interface Asked {
  readonly definition: HookDefinition;
  readonly call: Event;
}

const aboutOf = ({ call }: Asked, event: Event): { about?: string } => {
  if (call === event) return {};
  const [first] = call.actions;
  return { about: (first && "target" in first && first.target?.path) || "a file nobody can name" };
};

/** Who only observes stops nobody. */
const refuses = (reading: Reading, { policy }: Occasion): boolean =>
  policy.mode === "enforce" && reading.findings.some(({ outcome }) => outcome === "block");

interface Turn {
  readonly one: Asked;
  readonly cancel: AbortController;
  /** Nothing when it was not wanted before its turn came. */
  readonly result: Promise<(Ran & { readonly reading: Reading }) | undefined>;
}

/** More at once would only be in each other's way. */
const most = 16;

/** Starts hooks, as many at once as is good; the first to refuse ends those behind it that were to decide. */
function sideBySide(
  asked: readonly Asked[],
  circumstances: Occasion & Pick<Circumstances, "input">,
  started: Set<Asked>,
  isRefused: boolean,
): readonly Turn[] {
  const { event } = circumstances;
  const inTurn = atMost(most);
  const turns = asked.map((one, at): Turn => {
    const { definition, call } = one;
    const cancel = new AbortController();
    if (isRefused && decides(definition, event.name)) cancel.abort();
    const settle = async (): Turn["result"] => {
      if (cancel.signal.aborted) return undefined;
      if (!definition.background) started.add(one);
      const ran = await runSafely(definition, { ...circumstances, event: call, cancel: cancel.signal });
      const reading = sayable(await readingOf(definition, call, ran.raw), one, circumstances);
      if (!cancel.signal.aborted && refuses(reading, circumstances))
        for (const turn of turns.slice(at + 1))
          if (decides(turn.one.definition, event.name)) turn.cancel.abort();
      return { ...ran, reading };
    };
    return { one, cancel, result: inTurn(settle) };
  });
  return turns;
}

/**
 * A change of the input that the host's tool has no words for, or that is about one file of several, cannot be made. To go ahead without it
 * would be to overrule the hook, so it is a refusal that says what to do instead.
 */
function sayable(reading: Reading, { definition, call }: Asked, { event }: Occasion): Reading {
  const input = reading.contributions.findLast((part) => part.input !== undefined)?.input;
  if (input === undefined || (call === event && toHostInput(call, input))) return reading;
  const same = Bun.deepEquals(input, toolFor(call)?.input);
  const tool = event.tool?.name ?? "the tool";
  const reason = `it has changed the input of this call in a way that \`${tool}\` has no words for. Make the call so instead: ${JSON.stringify(input)}`;
  return {
    ...reading,
    ...(same
      ? {}
      : { status: "blocked", findings: [...reading.findings, said(knownBy(definition), "block", reason)] }),
    contributions: reading.contributions.map(({ input: _input, ...rest }) => rest),
  };
}

/** Lets so many pieces of work run at once, the others in the order they came. */
function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
