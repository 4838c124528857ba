import type { Evaluator } from "../../core/hook.ts";
import { liveWorld } from "../../platform/live-world.ts";
import type { Env } from "../../platform/places.ts";
import type { Wanted } from "../../routing/match.ts";
import { suggest, usualLimits, type Limits } from "../../routing/suggest.ts";
import { readUsage } from "../../routing/usage.ts";
import { indexFor } from "./cached-index.ts";
import type { Reranked } from "./rerank.ts";

export interface Asked extends Pick<Wanted, "scope" | "environment">, Partial<Limits> {
  /** Nobody waits for an answer: everything is read, however long that takes. */
  readonly patient?: boolean;
  /** Who puts the suggestions into order, if anybody. */
  readonly evaluator?: Evaluator | undefined;
}

export interface SuggestedHere extends Pick<Reranked, "suggestions"> {
  /** What a model said about them, where one was asked. */
  readonly model?: Reranked["model"];
  /** What the matcher had found before. */
  readonly matched: Reranked["suggestions"];
  /** Ids of all abilities that could have been suggested. */
  readonly known: readonly string[];
  /** What is wrong with the registry. */
  readonly problems: readonly string[];
}

/** Abilities that fit a message, as seen from a folder of a workspace. Both have their links followed. */
export async function suggestHere(
  message: string,
  { root, from }: { readonly root: string; readonly from: string },
  env: Env,
  { scope, environment, least, most, evaluator, patient = false }: Asked = {},
): Promise<SuggestedHere> {
  const { index, problems } = await indexFor(root, from, env, patient);
  const wanted: Wanted = {
    usage: readUsage(root, liveWorld(env)),
    ...(scope === undefined ? {} : { scope }),
    ...(environment === undefined ? {} : { environment }),
  };
  const matched = suggest(message, index, wanted, {
    least: least ?? usualLimits.least,
    most: most ?? usualLimits.most,
  });
  const ranked: Pick<Reranked, "suggestions"> & Partial<Reranked> =
    evaluator && matched.length > 1
      ? await (await import("./rerank.ts")).rerank(message, matched, evaluator, root, env)
      : { suggestions: matched };
  return { ...ranked, matched, known: index.abilities.map(({ id }) => id), problems };
}
