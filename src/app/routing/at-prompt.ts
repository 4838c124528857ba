import { resolve } from "node:path";
import type { Event } from "../../core/event.ts";
import type { Contribution } from "../../core/finding.ts";
import type { HookResult } from "../../core/hook.ts";
import { liveWorld } from "../../platform/live-world.ts";
import type { Env } from "../../platform/places.ts";
import type { Policy, RoutingSettings } from "../../policy/policy.ts";
import { routingMark } from "../../results/ability.ts";
import type { Suggestion } from "../../routing/suggest.ts";
import { suggestHere } from "./suggest-here.ts";

/** What routing came to when a prompt was submitted. */
export interface Routed {
  readonly contributions: readonly Contribution[];
  readonly notes: readonly string[];
  /** For the ledger: what was suggested and given, and what a model said about it. */
  readonly record: Readonly<Record<string, unknown>>;
}

/** Suggests abilities and gives documents, where the policy says so. Whatever goes wrong is noted, and stops nobody. */
export async function routeAtPrompt(
  event: Event,
  settings: RoutingSettings,
  policy: Policy,
  env: Env,
  environment: string,
  said: HookResult | undefined,
): Promise<Routed> {
  const parts: Routed[] = [];
  const attempt = async (work: () => Promise<Routed | undefined>): Promise<void> => {
    try {
      const part = await work();
      if (part) parts.push(part);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      parts.push({ contributions: [], notes: [`routing failed: ${why}`], record: { failed: why } });
    }
  };
  const files = liveWorld(env);
  const place = { root: files.realPath(event.root), from: files.realPath(resolve(event.root, event.cwd)) };
  if (settings.abilities) {
    const wanted = settings.abilities;
    await attempt(() => abilitiesFor(event, wanted, policy, env, environment, said, place));
  }
  if (settings.knowledge && said?.new_intent) {
    const { documents, budgetKb } = settings.knowledge;
    const { documentsFor } = await import("./documents.ts");
    await attempt(async () => documentsFor(said, place, env, documents, budgetKb * 1024));
  }
  return {
    contributions: parts.flatMap(({ contributions }) => contributions),
    notes: parts.flatMap(({ notes }) => notes),
    record: Object.assign({}, ...parts.map(({ record }) => record)) as Routed["record"],
  };
}

export interface Place {
  readonly root: string;
  readonly from: string;
}

async function abilitiesFor(
  { prompt = "" }: Event,
  { least, most, rerank }: NonNullable<RoutingSettings["abilities"]>,
  { handlers }: Policy,
  env: Env,
  environment: string,
  said: HookResult | undefined,
  place: Place,
): Promise<Routed | undefined> {
  if (prompt.trim() === "") return undefined;
  const evaluator = rerank ? handlers.evaluator : undefined;
  const { suggestions, model, matched, known, problems } = await suggestHere(prompt, place, env, {
    environment,
    least,
    most,
    evaluator,
  });
  const hinted = said?.suggested_abilities ?? [];
  const strange = hinted.filter(({ id }) => !known.includes(id));
  const own = suggestions.filter(({ id }) => !hinted.some((hint) => hint.id === id));
  return {
    contributions:
      own.length === 0
        ? []
        : [
            {
              context: toText(own),
              native: { suggested_abilities: [...hinted, ...own.map(toResult)] },
            },
          ],
    notes: [
      ...problems.slice(0, 5).map((problem) => `routing: ${problem.replace("\n", " ")}`),
      ...strange.map(
        ({ id }) =>
          `routing: a hook suggests ${JSON.stringify(id.slice(0, 100))}, and no ABILITY.md here names it`,
      ),
    ],
    record: {
      suggested: suggestions.map(toResult),
      ...(model ? { matched: matched.map(({ id, confidence }) => ({ id, confidence })), model } : {}),
    },
  };
}

const toResult = ({ id, reason, confidence }: Suggestion) => ({ id, reason, confidence });

const toText = (suggestions: readonly Suggestion[]): string =>
  [
    `${routingMark}, by the words of the message. Look an ability up in its registry before you choose it (hookline ability show ID):`,
    ...suggestions.map(
      ({ id, confidence, reason }) => `- ability ${id} (confidence ${confidence}): ${reason}`,
    ),
  ].join("\n");
