import { lintRouting } from "../../routing/lint.ts";
import { showRoutingProblem } from "../../routing/problem.ts";
import type { Given } from "./_command.ts";
import { allHooks } from "./_hooks.ts";
import { placeHere } from "./_routing.ts";

/** Registries, routing documents and knowledge documents, and whatever they refer to. */
export async function run(given: Given): Promise<number> {
  const { root, files } = placeHere();
  const { definitions } = await allHooks();
  const { problems, checked } = lintRouting(root, files, new Set(definitions.map(({ id }) => id)));
  const errors = problems.filter(({ level }) => level === "error").length;
  if (given.flags["json"] === true)
    console.log(JSON.stringify({ ok: problems.length === 0, checked, findings: problems }, null, 2));
  else {
    for (const problem of problems) console.log(showRoutingProblem(problem));
    const { documents, abilities, topics, knowledge } = checked;
    console.log(
      `${documents} routing documents, ${abilities} abilities, ${topics} topics, ${knowledge} knowledge documents: ` +
        `${errors} errors, ${problems.length - errors} warnings`,
    );
  }
  return problems.length === 0 ? 0 : 1;
}
