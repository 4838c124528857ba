import type { Edit } from "../../core/action.ts";
import { asText, isObject, type Json } from "../../core/json.ts";
import type { Operation, ToolTable } from "../../core/operation.ts";
import { todosIn } from "../../core/todos.ts";

const text = (value: unknown): string => asText(value) ?? "";

const editOf = (edit: Json): Edit => ({
  old: text(edit["old_string"]),
  new: text(edit["new_string"]),
  ...(edit["replace_all"] === true ? { all: true } : {}),
});

/** Claude Code's own tools and argument names. Everything else is left to `guessOperations`. */
export const tools: ToolTable = {
  Bash: (input) => [{ do: "exec", command: text(input["command"]) }],
  PowerShell: (input) => [{ do: "exec", command: text(input["command"]), shell: "powershell" }],
  // A Monitor call runs a command or opens a socket.
  Monitor: (input) => [
    ...(typeof input["command"] === "string" ? [{ do: "exec" as const, command: input["command"] }] : []),
    ...(isObject(input["ws"]) ? [{ do: "fetch" as const, url: text(input["ws"]["url"]) }] : []),
  ],
  Write: (input) => [{ do: "write", path: text(input["file_path"]), text: text(input["content"]) }],
  Edit: (input) => [{ do: "edit", path: text(input["file_path"]), edits: [editOf(input)] }],
  // Gone from the tool list, but older versions and resumed sessions still send it.
  MultiEdit: (input) => [
    {
      do: "edit",
      path: text(input["file_path"]),
      edits: Array.isArray(input["edits"]) ? input["edits"].filter(isObject).map(editOf) : [],
    },
  ],
  NotebookEdit: (input) => [
    { do: "write", path: text(input["notebook_path"]), fragment: text(input["new_source"]) },
  ],
  Read: (input) => [{ do: "read", path: text(input["file_path"]) }],
  Glob: (input) => [{ do: "read", path: text(input["path"]) || "." }],
  Grep: (input) => [{ do: "read", path: text(input["path"]) || "." }],
  WebFetch: (input) => [{ do: "fetch", url: text(input["url"]) }],
  Agent: delegate,
  Task: delegate,
  TodoWrite: (input) => [{ do: "todo", whole: true, items: todosIn(input["todos"], "content") }],
  TaskUpdate: (input) => [{ do: "todo", items: todosIn([{ ...input, id: input["taskId"] }], "subject") }],
  Workflow: (input) => [{ do: "delegate", prompt: text(input["script"]) || text(input["name"]) }],
};

/** What only the result of a tool says: the number a new task got, and the whole list (seen with 2.1.325). */
export function resultIn(tool: string, output: unknown): Operation[] {
  if (!isObject(output)) return [];
  if (tool === "TaskCreate") return [{ do: "todo", items: todosIn([output["task"]], "subject") }];
  return tool === "TaskList" ? [{ do: "todo", whole: true, items: todosIn(output["tasks"], "subject") }] : [];
}

function delegate(input: Json): Operation[] {
  const agent = input["subagent_type"];
  return [{ do: "delegate", prompt: text(input["prompt"]), ...(typeof agent === "string" ? { agent } : {}) }];
}
