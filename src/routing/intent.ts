import { isStage, stages, type Stage } from "../core/hook.ts";
import { asText, defined, isObject, type Json } from "../core/json.ts";
import type { Intent } from "./knowledge.ts";
import { wordsIn } from "./words.ts";

/** A `new_intent` of a hook as an intent; nothing when there is nothing in it to go by. */
export function toIntent(value: unknown): Intent | undefined {
  if (!isObject(value)) return undefined;
  const [scope, topic, intent] = ["scope", "topic", "intent"].map((key) => textIn(value, key));
  const stage = value["stage"];
  const signals = isObject(value["signals"]) ? value["signals"] : undefined;
  if (scope === undefined && topic === undefined && intent === undefined && !signals) return undefined;
  return {
    intent: intent ?? "",
    ...defined({ scope, topic, stage: isStage(stage) ? stage : undefined, signals }),
  };
}

function textIn(value: Json, key: string): string | undefined {
  const text = asText(value[key])?.trim().slice(0, longest);
  return text === "" ? undefined : text;
}

const longest = 4000;

/** Everything an intent says in words. */
export const questionOf = ({ intent, signals = {} }: Intent): string =>
  [intent, ...["user_raw_input", "cli_command", "last_cli_command"].map((key) => asText(signals[key]) ?? "")]
    .map((text) => text.slice(0, longest))
    .join(" ");

/** Words that tell at which stage somebody is. */
const telling: Readonly<Record<Stage, readonly string[]>> = {
  understand: ["what", "why", "which", "learn", "understand", "explain", "mean", "background", "concept"],
  plan: ["plan", "design", "prepare", "approach", "steps", "strategy", "before"],
  act: ["run", "execute", "implement", "write", "fix", "apply", "deploy", "do"],
  review: ["review", "check", "verify", "evaluate", "audit", "summarise", "summarize", "reflect"],
};

/** The stage an intent does not name, by its words; nothing when they do not tell. */
export function stageOf(intent: Intent): { readonly stage: Stage; readonly word: string } | undefined {
  const words = wordsIn(questionOf(intent));
  for (const word of words)
    for (const stage of stages) if (telling[stage].includes(word)) return { stage, word };
  return undefined;
}
