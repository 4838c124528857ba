import { asText, defined, type Json } from "../../core/json.ts";
import type { Operation, ToolTable } from "../../core/operation.ts";
import { todosIn } from "../../core/todos.ts";

const text = (value: unknown): string => asText(value) ?? "";
const place = (value: unknown): string => text(value) || ".";

/** Gemini CLI's own tools and argument names. Everything else is guessed at. */
export const tools: ToolTable = {
  run_shell_command: (input) => [
    {
      do: "exec",
      command: text(input["command"]),
      // `directory` in older versions.
      ...defined({ cwd: asText(input["dir_path"]) || asText(input["directory"]) || undefined }),
    },
  ],
  write_file: (input) => [{ do: "write", path: text(input["file_path"]), text: text(input["content"]) }],
  replace: (input) => [
    {
      do: "edit",
      path: text(input["file_path"]),
      edits: [
        {
          old: text(input["old_string"]),
          new: text(input["new_string"]),
          ...(input["allow_multiple"] === true ? { all: true } : {}),
        },
      ],
    },
  ],
  read_file: (input) => [{ do: "read", path: text(input["file_path"]) }],
  read_many_files: (input) =>
    (Array.isArray(input["include"]) ? input["include"] : [input["include"]]).map((path) => ({
      do: "read",
      path: text(path),
    })),
  list_directory: (input) => [{ do: "read", path: place(input["dir_path"]) }],
  glob: (input) => [{ do: "read", path: place(input["dir_path"]) }],
  grep_search: (input) => [{ do: "read", path: place(input["dir_path"]) }],
  // The addresses stand in the text.
  web_fetch: (input) =>
    (text(input["prompt"]).match(/https?:\/\/[^\s"'<>)\]]+/g) ?? []).map((url) => ({ do: "fetch", url })),
  write_todos: (input) => [{ do: "todo", whole: true, items: todosIn(input["todos"], "description") }],
  invoke_agent: (input) => [delegate(input)],
};

function delegate(input: Json): Operation {
  return {
    do: "delegate",
    prompt: text(input["prompt"]),
    ...defined({ agent: asText(input["agent_name"]) }),
  };
}
