import { asText, defined, type Json } from "../../core/json.ts";
import { operationsOf, type Operation, type ToolTable } from "../../core/operation.ts";
import { todosIn } from "../../core/todos.ts";

const text = (value: unknown): string => asText(value) ?? "";

/** Codex's tools as its hooks see them. Everything else is guessed at. */
const tools: ToolTable = {
  // Whatever the real tool is; where it runs is not said.
  Bash: (input) => [{ do: "exec", command: text(input["command"]) }, ...network(input["description"])],
  apply_patch: (input) => [{ do: "patch", text: text(input["command"]) }],
  view_image: (input) => [{ do: "read", path: text(input["path"]) }],
  // Not offered by 0.166.0; others are.
  update_plan: (input) => [{ do: "todo", whole: true, items: todosIn(input["plan"], "step") }],
  spawn_agent: (input) => [
    { do: "delegate", prompt: text(input["message"]), ...defined({ agent: asText(input["agent_type"]) }) },
  ],
};

/** A request to let a command go to a place in the network says so where others give their reasons. */
function network(description: unknown): Operation[] {
  const place = /^network-access (\S+)$/.exec(text(description))?.[1];
  return place === undefined ? [] : [{ do: "fetch", url: `https://${place}` }];
}

export function operationsIn(called: string, given: unknown, input: Json): Operation[] {
  // A tool of a group comes with the group's name before its own (observed with 0.166.0).
  const tool = called.replace(/^collaboration(?=[a-z])/, "");
  // Arguments that are no JSON come as they are.
  if (typeof given === "string")
    return given.includes("*** Begin Patch")
      ? [{ do: "patch", text: given }]
      : operationsOf(tools, tool, { command: given });
  return operationsOf(tools, tool, input);
}
