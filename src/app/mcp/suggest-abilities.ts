import { environmentOf } from "../hooks.ts";
import { suggestHere } from "../routing/suggest-here.ts";
import { defineTool, given, objectOf, text, textIn } from "./tool.ts";

export default defineTool({
  title: "Suggest abilities",
  description:
    "Abilities of the workspace that fit what somebody wants, best first, each with its reason and how sure it is (0.8: right about eight times " +
    "in ten). Hints: look at an ability and choose before you create a task.",
  input: objectOf(
    {
      prompt: {
        type: "string",
        minLength: 1,
        maxLength: 20_000,
        description: "What is wanted, in anybody's words.",
      },
      scope: text("Only abilities of this scope or module.", 200),
      environment: text("Only abilities for this environment.", 100),
      most: { type: "integer", minimum: 1, maximum: 20, description: "At most so many; 3 when not given." },
      least: {
        type: "number",
        minimum: 0,
        maximum: 1,
        description: "The least confidence; 0.5 when not given.",
      },
    },
    ["prompt"],
  ),
  reads: true,
  async run(input, { root, env }) {
    const { most, least } = input;
    const { suggestions, problems } = await suggestHere(
      textIn(input, "prompt") ?? "",
      { root, from: root },
      env,
      {
        environment: environmentOf(textIn(input, "environment"), env),
        ...given(input, { scope: "scope" }),
        ...(typeof most === "number" ? { most } : {}),
        ...(typeof least === "number" ? { least } : {}),
      },
    );
    return { suggested_abilities: suggestions, problems: problems.slice(0, 10) };
  },
});
