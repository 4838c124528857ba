import { asText, isObject, type Json } from "../../core/json.ts";
import type { Operation, ToolTable } from "../../core/operation.ts";

const text = (value: unknown): string => asText(value) ?? "";

/** Copilot CLI's argument names; it keeps them under Claude's tool names in PascalCase payloads. */
const cli: ToolTable = {
  bash: (input) => [{ do: "exec", command: text(input["command"]) }],
  powershell: (input) => [{ do: "exec", command: text(input["command"]), shell: "powershell" }],
  create: (input) => [{ do: "write", path: text(input["path"]), text: text(input["file_text"]) }],
  edit: (input) => [replace(text(input["path"]), input["old_str"], input["new_str"])],
  str_replace_editor: editor,
  apply_patch: (input) => [{ do: "patch", text: text(input["patch"]) || text(input["input"]) }],
  view: (input) => [{ do: "read", path: text(input["path"]) }],
  grep: (input) => [{ do: "read", path: text(input["path"]) || "." }],
  rg: (input) => [{ do: "read", path: text(input["path"]) || "." }],
  glob: (input) => [{ do: "read", path: text(input["path"]) || "." }],
  web_fetch: (input) => [{ do: "fetch", url: text(input["url"]) }],
  task: (input) => [delegate(input["prompt"], input["agent_type"])],
};

const claudeNames: Readonly<Record<string, string>> = {
  Bash: "bash",
  Read: "view",
  Write: "create",
  Edit: "edit",
  Grep: "grep",
  Glob: "glob",
  WebFetch: "web_fetch",
  Agent: "task",
  Task: "task",
};

const vscode: ToolTable = {
  run_in_terminal: (input) => [{ do: "exec", command: text(input["command"]) }],
  create_and_run_task: (input) => {
    const task = isObject(input["task"]) ? input["task"] : {};
    const args = Array.isArray(task["args"]) ? task["args"].map(text) : [];
    return [{ do: "exec", command: [text(task["command"]), ...args].join(" ").trim() }];
  },
  create_file: (input) => [{ do: "write", path: text(input["filePath"]), text: text(input["content"]) }],
  replace_string_in_file: (input) => [replace(text(input["filePath"]), input["oldString"], input["newString"])],
  multi_replace_string_in_file: (input) => multiReplace(input["replacements"]),
  insert_edit_into_file: (input) => [{ do: "write", path: text(input["filePath"]), fragment: text(input["code"]) }],
  edit_notebook_file: (input) => [{ do: "write", path: text(input["filePath"]), fragment: text(input["newCode"]) }],
  create_directory: (input) => [{ do: "write", path: text(input["dirPath"]) }],
  read_file: (input) => [{ do: "read", path: text(input["filePath"]) }],
  fetch_webpage: (input) => (Array.isArray(input["urls"]) ? input["urls"] : []).map((url) => ({ do: "fetch", url: text(url) })),
  runSubagent: (input) => [delegate(input["prompt"], input["agentName"])],
  search_subagent: (input) => [delegate(input["query"], undefined)],
  execution_subagent: (input) => [delegate(input["query"], undefined)],
  // Its paths name entries of the editor's own memory, not files.
  memory: () => [],
};

export const isVscodeTool = (name: string): boolean => Object.hasOwn(vscode, name);

export const tools: ToolTable = {
  ...cli,
  ...vscode,
  ...Object.fromEntries(Object.entries(claudeNames).map(([claude, own]) => [claude, (input: Json) => cli[own]?.(input) ?? []])),
};

/** Arguments arrive as an object, as a JSON string, or, for a free-form patch, as the bare text. */
export function argumentsOf(given: unknown): Json {
  if (isObject(given)) return given;
  if (typeof given !== "string") return {};
  try {
    const parsed: unknown = JSON.parse(given);
    if (isObject(parsed)) return parsed;
  } catch {
    // Not JSON: the text itself is the argument.
  }
  return { patch: given };
}

const replace = (path: string, old: unknown, next: unknown): Operation => ({
  do: "edit",
  path,
  edits: [{ old: text(old), new: text(next) }],
});

function delegate(prompt: unknown, agent: unknown): Operation {
  return { do: "delegate", prompt: text(prompt), ...(typeof agent === "string" ? { agent } : {}) };
}

function editor(input: Json): Operation[] {
  const path = text(input["path"]);
  switch (input["command"]) {
    case "view":
      return [{ do: "read", path }];
    case "create":
      return [{ do: "write", path, text: text(input["file_text"]) }];
    case "str_replace":
      return [replace(path, input["old_str"], input["new_str"])];
    case "insert":
      return [{ do: "insert", path, line: Number(input["insert_line"]) || 0, text: text(input["new_str"]) }];
    default:
      return [{ do: "write", path }];
  }
}

function multiReplace(replacements: unknown): Operation[] {
  const byPath = new Map<string, { old: string; new: string }[]>();
  for (const each of Array.isArray(replacements) ? replacements.filter(isObject) : []) {
    const path = text(each["filePath"]);
    const edits = byPath.get(path) ?? [];
    edits.push({ old: text(each["oldString"]), new: text(each["newString"]) });
    byPath.set(path, edits);
  }
  return [...byPath].map(([path, edits]) => ({ do: "edit", path, edits }));
}
