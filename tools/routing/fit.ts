// Fits how far a candidate can be believed. A logistic regression over its traits is fitted on the training split; the matcher was
// worked on with that in view, so how sure it may be, by the size of the registry, is read off the calibration split, which nobody has worked with.
import { traitNames, type Fitted } from "../../src/routing/confidence.ts";
import { match, type Traits } from "../../src/routing/match.ts";
import { corpusAbilities, promptsOf, type Split } from "./corpus.ts";
import { logitOf, regress, type Sample } from "./regress.ts";
import { trialsOf } from "./trials.ts";

const places = 3;
const pull = 1;

export async function fitConfidence(): Promise<Fitted> {
  const abilities = await corpusAbilities();
  const samplesOf = (split: Split): Sample[] =>
    trialsOf(promptsOf(split), abilities).flatMap(({ text, index, right }) =>
      match(text, index, {}, places).map(({ ability, traits }) => ({
        traits: traitNames.map((name) => traits[name]),
        right: right.includes(ability.id) ? 1 : 0,
      })),
    );
  const learned = regress(samplesOf("training"), pull);
  const few = traitNames.indexOf("few");
  const sureness = samplesOf("calibration").map(({ traits, right }) => ({
    traits: [logitOf(learned, traits), traits[few] ?? 0],
    right,
  }));
  // Straight in what was learned, so that both steps together are weights again.
  const [shift = 0, stretch = 1, forFew = 0] = regress(sureness, 0);
  const [bias = 0, ...weights] = learned;
  return {
    bias: round(shift + stretch * bias),
    weights: Object.fromEntries(
      traitNames.map((name, at) => [name, round(stretch * (weights[at] ?? 0) + (at === few ? forFew : 0))]),
    ) as Record<keyof Traits, number>, // one each
  };
}

const round = (number: number): number => Math.round(number * 1000) / 1000;
