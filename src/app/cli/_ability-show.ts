import { plainText } from "../../core/plain-name.ts";
import { nearest } from "../../core/nearest.ts";
import type { Ability } from "../../routing/ability.ts";
import { findAbility, loadAbilities } from "../../routing/load-abilities.ts";
import { showRoutingProblem } from "../../routing/problem.ts";
import { UsageError, type Given } from "./_command.ts";
import { placeHere, type Place } from "./_routing.ts";

/** One ability with all that is known of it. */
export function run(given: Given): number {
  const place = placeHere();
  const { ability, problems } = abilityNamed(given.words[1], place);
  if (given.flags["json"] === true) console.log(JSON.stringify({ ...ability, problems }, null, 2));
  else {
    console.log(describe(ability).join("\n"));
    for (const problem of problems) console.error(`hookline: ${showRoutingProblem(problem)}`);
  }
  return 0;
}

/** The ability of an id or an operation key, or a usage error that names the nearest. */
export function abilityNamed(
  id: string | undefined,
  { root, files, from }: Place,
): { readonly ability: Ability; readonly problems: ReturnType<typeof findAbility>["problems"] } {
  if (id === undefined)
    throw new UsageError("name an ability, for example: hookline ability show billing_regression");
  const { ability, problems } = findAbility(id, root, files, from);
  if (ability) return { ability, problems };
  const ids = loadAbilities(root, files, from).abilities.map((each) => each.id);
  const near = nearest(id, ids);
  throw new UsageError(
    `there is no ability ${JSON.stringify(id)} here${near === undefined ? "" : `; did you mean "${near}"?`} (hookline ability list)`,
  );
}

function describe({ id, kind, level, scopes, use, entry, file, line }: Ability): string[] {
  const rows: [string, string | undefined][] = [
    ["when to use", use],
    ["scope", scopes.join(", ") || "all"],
    ["stands in", `${file}:${line}`],
    [
      "registry",
      entry ? `${entry.file}${entry.version === undefined ? "" : `, version ${entry.version}`}` : "none",
    ],
    ["summary", entry?.summary || undefined],
    ["scenarios", entry && entry.scenarios.length > 0 ? entry.scenarios.join("; ") : undefined],
    ["environments", entry?.environments?.join(", ")],
    ["may call", entry && entry.operations.length > 0 ? entry.operations.join(", ") : undefined],
    ["keywords", entry && entry.hints.keywords.length > 0 ? entry.hints.keywords.join(", ") : undefined],
    ["not for", entry && entry.hints.negative.length > 0 ? entry.hints.negative.join(", ") : undefined],
    ["runs as", entry?.implementations.map((each) => `${each.id} (${each.kind})`).join(", ") || undefined],
    ["input", entry?.inputSchema && JSON.stringify(entry.inputSchema)],
    ["output", entry?.outputSchema && JSON.stringify(entry.outputSchema)],
  ];
  return [
    `${id}  ${level}-level ${kind}`,
    ...rows.flatMap(([name, value]) =>
      value === undefined ? [] : [`  ${name.padEnd(13)}${plainText(value)}`],
    ),
  ];
}
