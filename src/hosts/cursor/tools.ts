import type { Edit } from "../../core/action.ts";
import { asText, isObject, type Json } from "../../core/json.ts";
import { operationsOf, type Operation, type ToolTable } from "../../core/operation.ts";

/** Only the input of `Shell` is documented; others are read in every spelling that has been seen. */
function first(input: Json, ...keys: readonly string[]): string {
  for (const key of keys) {
    const value = asText(input[key]);
    if (value !== undefined && value !== "") return value;
  }
  return "";
}

const pathOf = (input: Json): string => first(input, "file_path", "path", "target_file", "filePath");

const editOf = (edit: Json): Edit => ({
  old: first(edit, "old_string", "old_str", "oldString"),
  new: first(edit, "new_string", "new_str", "newString"),
  ...(edit["replace_all"] === true ? { all: true } : {}),
});

/** Edits of one file, or its whole text. */
function write(input: Json): Operation[] {
  const path = pathOf(input);
  const edits = Array.isArray(input["edits"]) ? input["edits"].filter(isObject).map(editOf) : [];
  if (edits.length > 0) return [{ do: "edit", path, edits }];
  if (["old_string", "old_str", "oldString"].some((key) => key in input))
    return [{ do: "edit", path, edits: [editOf(input)] }];
  return [{ do: "write", path, text: first(input, "content", "contents", "file_text") }];
}

const read = (input: Json): Operation[] => [{ do: "read", path: pathOf(input) }];

const tools: ToolTable = {
  Shell: (input) => [{ do: "exec", command: first(input, "command") }],
  Read: read,
  TabRead: read,
  Grep: (input) => [{ do: "read", path: pathOf(input) || "." }],
  Write: write,
  TabWrite: write,
  // Seen in matchers, not documented.
  Edit: write,
  StrReplace: write,
  MultiEdit: write,
  ApplyPatch: (input) => [{ do: "patch", text: first(input, "patch", "input", "patch_text", "content") }],
  Delete: (input) => [{ do: "delete", path: pathOf(input), recursive: true }],
  Task: (input) => {
    const agent = asText(input["subagent_type"]);
    const prompt = first(input, "prompt", "task", "description");
    return [{ do: "delegate", prompt, ...(agent === undefined ? {} : { agent }) }];
  },
};

/** What a call asks for. The tool of a server is called `MCP:name`. */
export const operationsIn = (tool: string, input: Json): Operation[] =>
  operationsOf(tools, tool.replace(/^MCP:/, ""), input);
