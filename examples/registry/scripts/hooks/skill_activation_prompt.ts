#!/usr/bin/env bun
// Hook: skill_activation_prompt
// Event: UserPromptSubmit
// Description: Suggests abilities of ABILITY.md whose words the user's message shares.
import { existsSync, readFileSync } from "node:fs";

interface Ability {
  readonly id: string;
  readonly type: string;
  readonly scope: string;
  readonly when: string;
}

/** Words that say nothing about what somebody wants. */
const filler = new Set(
  "a an and are before for i in is it me my need of please run the this to want with you".split(" "),
);

const wordsOf = (text: string): Set<string> =>
  new Set((text.toLowerCase().match(/[\p{L}\d]+/gu) ?? []).filter((word) => !filler.has(word)));

/** The rows of the table under "High-level". */
function readAbilities(file: string): Ability[] {
  if (!existsSync(file)) return [];
  const section =
    readFileSync(file, "utf8")
      .split(/^## /m)
      .find((part) => part.startsWith("High-level")) ?? "";
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2);
  return rows.map((row) => {
    const [, id = "", type = "", scope = "", when = ""] = row.split("|").map((cell) => cell.trim());
    return { id, type, scope, when };
  });
}

/** How sure we are, from 0 to 1: an ability that is named counts more than one that is described. */
function confidence(
  { id, scope, when }: Ability,
  said: ReadonlySet<string>,
): { sure: number; shared: string[] } {
  const share = (words: ReadonlySet<string>): number =>
    [...words].filter((word) => said.has(word)).length / Math.max(1, words.size);
  const named = wordsOf(id.replaceAll("_", " "));
  const described = wordsOf(`${scope} ${when}`);
  const sure = Math.max(0.9 * share(named), 0.8 * share(described));
  const shared = [...said].filter((word) => named.has(word) || described.has(word));
  return { sure: Math.round(sure * 100) / 100, shared };
}

const context = JSON.parse(readFileSync(0, "utf8")) as { user_message?: unknown };
const said = wordsOf(typeof context.user_message === "string" ? context.user_message : "");
const found = readAbilities("ABILITY.md")
  .map((ability) => ({ ability, ...confidence(ability, said) }))
  .filter(({ sure }) => sure >= 0.5)
  .toSorted((a, b) => b.sure - a.sure)
  .slice(0, 3);

console.log(
  JSON.stringify({
    suggested_abilities: found.map(({ ability, sure, shared }) => ({
      id: ability.id,
      reason: `Matches '${shared.join(" ")}' and ${ability.scope} ${ability.type} scope`,
      confidence: sure,
    })),
    messages_to_user: found.map(
      ({ ability }) => `You can use the ${ability.id} ${ability.type} ability: ${ability.when}.`,
    ),
  }),
);
