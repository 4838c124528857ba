import { hostFacts } from "../../src/hosts/facts.generated.ts";
import { hosts } from "../../src/hosts/index.generated.ts";
import { nameOf } from "../generate/hosts-page.ts";
import type { Agent } from "./agent.ts";
import type { Turn } from "./model.ts";
import type { Moves, Scenario, Setting } from "./scenario.ts";
import { perform, type Decision } from "./stage.ts";

/** What came of one scenario with one agent. */
export interface Outcome {
  /** What the table says: `yes`, `cannot`, or the scenario's own word. */
  readonly word: string;
  readonly failures: readonly string[];
  readonly decisions: readonly Decision[];
  readonly seconds: number;
}

/** Plays a scenario and looks what came of it; what is left of one that failed is kept. */
export async function run(agent: Agent, scenario: Scenario): Promise<Outcome> {
  const start = performance.now();
  const failures: string[] = [];
  const check = (what: string, holds: boolean): void => void (holds || failures.push(what));
  const setting: Setting = { agent, facts: factsOf(agent) };
  let word = "yes";
  let decisions: readonly Decision[] = [];
  const { prompt = "Make ready to sail.", policy = {}, asksDoctor = false, alters } = scenario;
  const turns = scenario.turns.bind(scenario);
  try {
    await perform(
      agent,
      {
        prompt,
        policy,
        asksDoctor,
        ...(alters ? { alters } : {}),
        turns: (stage) => turns(movesOf(agent), stage, setting),
      },
      (seen) => {
        ({ decisions } = seen);
        check("the agent came to its end", !seen.isLate);
        failures.push(...seen.troubles);
        if (canBeTold(agent, scenario)) word = scenario.holds(seen, check, setting) ?? "yes";
        else {
          word = "cannot";
          scenario.otherwise?.(seen, check, setting);
          const [event] = scenario.needs ?? [];
          const told = seen.decisions.filter((each) => each.event.name === event);
          check(
            "the record says what was lost",
            told.some(({ unexpressed }) => unexpressed.length > 0),
          );
        }
        return failures.length > 0;
      },
    );
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  }
  return { word, failures, decisions, seconds: (performance.now() - start) / 1000 };
}

function factsOf({ id }: Agent): Setting["facts"] {
  const facts = hostFacts[id];
  if (!facts) throw new Error(`${id} is no host.`);
  return facts;
}

/** By the host's own table, which is what is tried here. */
function canBeTold({ id, dialect }: Agent, { needs }: Scenario): boolean {
  if (!needs) return true;
  const [event, ability] = needs;
  const host = hosts[id];
  const name = dialect ?? Object.keys(host?.can ?? {})[0] ?? "";
  const events = Object.entries(host?.can[name] ?? {});
  return events.some(
    ([native, can]) => host && nameOf(host, name, native) === event && can.includes(ability),
  );
}

export function movesOf({ calls }: Agent): Moves {
  return {
    say: (text, meanwhile) => withMeanwhile({ say: text }, meanwhile),
    shell: (command, meanwhile) => withMeanwhile({ call: calls.shell(command) }, meanwhile),
    write: (path, text) => ({ call: calls.write(path, text) }),
    delegate: (task, turns) => [
      { call: calls.delegate(task), helper: { task, turns } },
      ...(calls.wait ? [{ call: calls.wait() }] : []),
    ],
  };
}

const withMeanwhile = (turn: Turn, meanwhile: Turn["meanwhile"]): Turn =>
  meanwhile === undefined ? turn : { ...turn, meanwhile };
