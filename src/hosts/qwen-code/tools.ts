import { asText, defined, isObject, type Json } from "../../core/json.ts";
import { operationsOf, type Operation, type ToolTable } from "../../core/operation.ts";
import { todosIn } from "../../core/todos.ts";

const text = (value: unknown): string => asText(value) ?? "";
const place = (value: unknown): string => text(value) || ".";

/** Qwen Code's own tools and argument names. Everything else is guessed at. */
const tools: ToolTable = {
  run_shell_command: (input) => [
    {
      do: "exec",
      command: text(input["command"]),
      ...defined({ cwd: asText(input["directory"]) || undefined }),
    },
  ],
  write_file: (input) => [{ do: "write", path: text(input["file_path"]), text: text(input["content"]) }],
  edit: (input) => [
    {
      do: "edit",
      path: text(input["file_path"]),
      edits: [
        {
          old: text(input["old_string"]),
          new: text(input["new_string"]),
          ...(input["replace_all"] === true ? { all: true } : {}),
        },
      ],
    },
  ],
  notebook_edit: (input) => [
    { do: "write", path: text(input["notebook_path"]), fragment: text(input["new_source"]) },
  ],
  read_file: (input) => [{ do: "read", path: text(input["file_path"]) }],
  list_directory: (input) => [{ do: "read", path: place(input["path"]) }],
  glob: (input) => [{ do: "read", path: place(input["path"]) }],
  grep_search: (input) => [{ do: "read", path: place(input["path"]) }],
  web_fetch: (input) => [{ do: "fetch", url: text(input["url"]) }],
  todo_write: (input) => [{ do: "todo", whole: true, items: todosIn(input["todos"], "content") }],
  agent: (input) => [
    { do: "delegate", prompt: text(input["prompt"]), ...defined({ agent: asText(input["subagent_type"]) }) },
  ],
};

export function operationsIn(tool: string, input: Json): Operation[] {
  const inner = tool === "tool_call" ? wrapped(input) : undefined;
  return inner ? operationsOf(tools, inner.name, inner.input) : operationsOf(tools, tool, input);
}

/** A headless run keeps tools it rarely needs behind `tool_call`, which names the one it means. */
function wrapped(input: Json): { name: string; input: Json } | undefined {
  const name = asText(input["tool_name"] ?? input["name"] ?? input["tool"]);
  const given =
    input["arguments"] ?? input["args"] ?? input["input"] ?? input["params"] ?? input["parameters"];
  return name === undefined ? undefined : { name, input: objectIn(given) };
}

function objectIn(given: unknown): Json {
  if (isObject(given)) return given;
  try {
    const parsed: unknown = JSON.parse(text(given));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
