import { defined } from "../../core/json.ts";
import type { Ability } from "../../routing/ability.ts";
import { isInEnvironment, isInScope } from "../../routing/filter.ts";
import { loadAbilities } from "../../routing/load-abilities.ts";
import { showRoutingProblem } from "../../routing/problem.ts";
import { readUsage, type Usage } from "../../routing/usage.ts";
import { textFlag, type Given } from "./_command.ts";
import { placeHere } from "./_routing.ts";
import { paint, table } from "./_table.ts";

/** The abilities of the nearest `ABILITY.md`, high-level ones first. */
export function run(given: Given): number {
  const { root, files, from } = placeHere();
  const { abilities, problems, document } = loadAbilities(root, files, from);
  const [scope, environment] = [textFlag(given, "scope"), textFlag(given, "env")];
  const wanted = abilities
    .filter(
      (ability) =>
        isInScope(scopesOf(ability), scope) && isInEnvironment(ability.entry?.environments, environment),
    )
    .toSorted((a, b) => Number(a.level === "low") - Number(b.level === "low"));
  const usage = readUsage(root, files);
  const errors = problems.filter(({ level }) => level === "error");
  if (given.flags["json"] === true)
    console.log(
      JSON.stringify(
        { document, abilities: wanted.map((each) => summaryOf(each, usage[each.id])), problems: errors },
        null,
        2,
      ),
    );
  else if (wanted.length === 0)
    console.log(
      abilities.length === 0
        ? "There are no abilities here: neither an ABILITY.md nor a file in .system/registry."
        : "No ability fits.",
    );
  else {
    const head = ["id", "kind", "scope", "calls", "when to use"].map((name) => paint(name, "bold"));
    console.log(
      table([
        head,
        ...wanted.map(({ id, kind, scopes, use, listed }) => [
          id,
          kind,
          scopes.join(", ") || "all",
          String(usage[id]?.calls ?? 0),
          listed ? use : `${use} (no ABILITY.md names it)`,
        ]),
      ]),
    );
  }
  for (const problem of errors) console.error(`hookline: ${showRoutingProblem(problem)}`);
  return 0;
}

/** What a list says of an ability. */
const summaryOf = (
  { id, level, kind, scopes, use, listed, registry, entry, file, line }: Ability,
  usage: Usage | undefined,
) => ({
  id,
  level,
  kind,
  scopes,
  use,
  listed,
  ...defined({ usage, registry, environments: entry?.environments, version: entry?.version }),
  file,
  line,
});

const scopesOf = ({ scopes, entry }: Ability): readonly string[] =>
  entry ? [...scopes, ...entry.modules, ...entry.hints.scopes] : scopes;
