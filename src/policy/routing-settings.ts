import * as v from "valibot";
import type { RoutingSettings } from "./policy.ts";

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** What a policy may say about ability and knowledge routing. */
export const routingSchema = v.strictObject({
  abilities: v.pipe(
    v.optional(
      v.strictObject({
        suggest: v.pipe(
          v.optional(v.boolean()),
          v.description("When a user submits a prompt, abilities that fit are suggested to the model. true."),
        ),
        least: v.pipe(
          v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
          v.description("How sure a suggestion must be. 0.5."),
        ),
        most: v.pipe(v.optional(whole(1, 10)), v.description("How many are suggested at most. 3.")),
        rerank: v.pipe(
          v.optional(v.boolean()),
          v.description(
            "The evaluator of prompt hooks is shown the prompt and the suggestions, and puts them into order. Only a user's own or a managed policy can ask for it. false.",
          ),
        ),
      }),
    ),
    v.description("Abilities of ABILITY.md and .system/registry. Without this key none are suggested."),
  ),
  knowledge: v.pipe(
    v.optional(
      v.strictObject({
        inject: v.pipe(
          v.optional(v.boolean()),
          v.description(
            "When a hook says what the user wants to know (new_intent), documents for it are given to the model. true.",
          ),
        ),
        documents: v.pipe(v.optional(whole(1, 5)), v.description("How many documents at most. 5.")),
        budgetKb: v.pipe(
          v.optional(whole(1, 256)),
          v.description("How much of their text together; what is beyond is left out, and that is said. 16."),
        ),
      }),
    ),
    v.description("Knowledge documents of ROUTING.md. Without this key none are given."),
  ),
});

export type RoutingLayer = v.InferOutput<typeof routingSchema>;

/** All layers together, weakest first; nothing where none asks for anything. */
export function compileRouting(layers: readonly RoutingLayer[]): RoutingSettings | undefined {
  const abilities = together(layers.map((layer) => layer.abilities));
  const knowledge = together(layers.map((layer) => layer.knowledge));
  const settings: RoutingSettings = {
    ...(abilities && abilities.suggest !== false
      ? {
          abilities: {
            least: abilities.least ?? 0.5,
            most: abilities.most ?? 3,
            rerank: abilities.rerank ?? false,
          },
        }
      : {}),
    ...(knowledge && knowledge.inject !== false
      ? { knowledge: { documents: knowledge.documents ?? 5, budgetKb: knowledge.budgetKb ?? 16 } }
      : {}),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

function together<T extends object>(parts: readonly (T | undefined)[]): T | undefined {
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? undefined : (Object.assign({}, ...said) as T);
}
