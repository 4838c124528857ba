import type { AbilityIndex } from "./ability-index.ts";
import { confidenceOf } from "./confidence.ts";
import { match, type Candidate, type Wanted } from "./match.ts";

/** An ability somebody may want, with why and how surely. A hint: whoever routes abilities chooses. */
export interface Suggestion {
  readonly id: string;
  readonly reason: string;
  /** Of those with 0.8, about eight in ten are right. */
  readonly confidence: number;
  readonly kind: string;
  readonly use: string;
}

export interface Limits {
  /** The least confidence. */
  readonly least: number;
  readonly most: number;
}

export const usualLimits: Limits = { least: 0.5, most: 3 };

/** Abilities that fit what somebody says, best first. */
export function suggest(
  prompt: string,
  index: AbilityIndex,
  wanted: Wanted = {},
  { least, most }: Limits = usualLimits,
): Suggestion[] {
  return match(prompt, index, wanted, most)
    .flatMap((candidate) => {
      const confidence = confidenceOf(candidate.traits);
      return confidence < least ? [] : [toSuggestion(candidate, confidence)];
    })
    .toSorted((a, b) => b.confidence - a.confidence);
}

const toSuggestion = (candidate: Candidate, confidence: number): Suggestion => {
  const { id, kind, use } = candidate.ability;
  return { id, reason: reasonOf(candidate), confidence, kind, use };
};

/** Words of the prompt and of the registry: others wrote both, so neither may break out of its line. */
function reasonOf({ ability, words, taken, named, usage }: Candidate): string {
  const shared = words.slice(0, mostWords).join(" ");
  const scopes = ability.scopes.filter((scope) => scopeName.test(scope)).slice(0, 2);
  const parts = [
    named ? `Named in the message, which has '${shared}'` : `Matches '${shared}'`,
    ...(taken.size > 0 ? [`taking '${[...taken].slice(0, 3).join("', '")}' for words of its own`] : []),
    `${ability.kind}${scopes.length > 0 ? ` of ${scopes.join(", ")}` : ""}`,
    ...(usage && usage.calls > 0 ? [`called ${usage.calls} times before`] : []),
  ];
  return parts.join("; ").replace(/\s+/g, " ").slice(0, longest);
}

/** `integration/billing`. A sentence in its place would speak to the model in our name. */
const scopeName = /^[\p{L}\p{N}_.:/@*-]{1,60}$/u;

const mostWords = 8;
const longest = 300;
