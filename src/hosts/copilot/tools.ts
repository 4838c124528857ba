import { asText, isObject, type Json } from "../../core/json.ts";
import { operationsOf, type Operation, type ToolTable } from "../../core/operation.ts";
import { todosIn } from "../../core/todos.ts";

const text = (value: unknown): string => asText(value) ?? "";

/** Copilot CLI's argument names; it keeps them under Claude's tool names in PascalCase payloads. */
const cli = (): ToolTable => ({
  bash: (input) => [{ do: "exec", command: text(input["command"]) }],
  powershell: (input) => [{ do: "exec", command: text(input["command"]), shell: "powershell" }],
  // What is typed into a shell that already runs is a command like any other.
  write_bash: (input) => [{ do: "exec", command: text(input["input"]) }],
  write_powershell: (input) => [{ do: "exec", command: text(input["input"]), shell: "powershell" }],
  create: (input) => [
    { do: "write", path: pathIn(input), text: text(input["file_text"] ?? input["content"]) },
  ],
  edit,
  str_replace_editor: editor,
  apply_patch: (input) => [{ do: "patch", text: patchIn(input) }],
  view: (input) => [{ do: "read", path: pathIn(input) }],
  grep: (input) => [{ do: "read", path: pathIn(input) || "." }],
  rg: (input) => [{ do: "read", path: pathIn(input) || "." }],
  glob: (input) => [{ do: "read", path: pathIn(input) || "." }],
  web_fetch: (input) => [{ do: "fetch", url: text(input["url"]) }],
  task: (input) => [delegate(input["prompt"], input["agent_type"] ?? input["subagent_type"])],
  // Its script is JavaScript that starts agents, not a shell command.
  run_dynamic_workflow: (input) => [delegate(input["script"] ?? input["name"], undefined)],
});

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

const vscode = (): ToolTable => ({
  run_in_terminal: (input) => [{ do: "exec", command: text(input["command"]) }],
  create_and_run_task: (input) => {
    const task = isObject(input["task"]) ? input["task"] : {};
    const args = Array.isArray(task["args"]) ? task["args"].map(text) : [];
    return [{ do: "exec", command: [text(task["command"]), ...args].join(" ").trim() }];
  },
  // Its terminal can be typed into by a command of the editor.
  run_vscode_command: (input) =>
    text(input["commandId"]).endsWith("terminal.sendSequence")
      ? (Array.isArray(input["args"]) ? input["args"].filter(isObject) : []).map((each) => ({
          do: "exec",
          command: text(each["text"]),
        }))
      : [],
  create_file: (input) => [{ do: "write", path: text(input["filePath"]), text: text(input["content"]) }],
  replace_string_in_file: (input) => [
    replace(text(input["filePath"]), input["oldString"], input["newString"]),
  ],
  multi_replace_string_in_file: (input) => multiReplace(input["replacements"]),
  insert_edit_into_file: (input) => [
    { do: "write", path: text(input["filePath"]), fragment: text(input["code"]) },
  ],
  edit_notebook_file: (input) => [
    { do: "write", path: text(input["filePath"]), fragment: text(input["newCode"]) },
  ],
  manage_todo_list: ({ todoList }) =>
    todoList ? [{ do: "todo", whole: true, items: todosIn(todoList, "title") }] : [],
  create_directory: (input) => [{ do: "write", path: text(input["dirPath"]) }],
  read_file: (input) => [{ do: "read", path: text(input["filePath"]) }],
  fetch_webpage: (input) =>
    (Array.isArray(input["urls"]) ? input["urls"] : []).flatMap((url) => [{ do: "fetch", url: text(url) }]),
  runSubagent: (input) => [delegate(input["prompt"], input["agentName"])],
  search_subagent: (input) => [delegate(input["query"], undefined)],
  execution_subagent: (input) => [delegate(input["query"], undefined)],
  // Its paths name entries of the editor's own memory, not files.
  memory: () => [],
});

export const isVscodeTool = (name: string): boolean => Object.hasOwn(tools().vscode, name);

/** Made for the first call that comes from Copilot. */
const tools = (): Tools => (made ??= makeTools());

let made: Tools | undefined;

interface Tools {
  readonly vscode: ToolTable;
  readonly all: ToolTable;
}

function makeTools(): Tools {
  const [own, editors] = [cli(), vscode()];
  const named = Object.entries(claudeNames).map(([claude, name]) => [claude, own[name] ?? (() => [])]);
  return { vscode: editors, all: { ...own, ...editors, ...Object.fromEntries(named) } as ToolTable };
}

/** What a call was given: its arguments, and the bare text where it is not an object. */
interface Given {
  readonly input: Json;
  readonly bare?: string;
}

/** Arguments arrive as an object, as a JSON string, or, for a free-form patch, as the bare text. */
export function argumentsOf(given: unknown): Given {
  if (isObject(given)) return { input: given };
  if (typeof given !== "string") return { input: {} };
  try {
    const parsed: unknown = JSON.parse(given);
    if (isObject(parsed)) return { input: parsed };
    if (typeof parsed === "string") return { input: { patch: parsed }, bare: parsed };
  } catch {
    // Not JSON: the text itself is the argument.
  }
  return { input: { patch: given }, bare: given };
}

const shells = new Set(["bash", "Bash", "powershell", "run_in_terminal"]);

export function operationsIn(tool: string, { input, bare }: Given): readonly Operation[] {
  if (bare === undefined) {
    const plain = operationsOf(tools().all, tool, input);
    const seen = new Set(plain.map((operation) => JSON.stringify(operation)));
    const writes = plain.some(
      (operation) => operation.do === "edit" || operation.do === "insert" || operation.do === "write",
    );
    const more = hidden(tool, input).filter((operation) => operation.do === "patch" || !writes);
    return [...plain, ...more.filter((operation) => !seen.has(JSON.stringify(operation)))];
  }
  if (shells.has(tool)) return operationsOf(tools().all, tool, { command: bare });
  // A patch comes under its own name or under Claude's `Edit`.
  const patch = /edit|patch|write|create/i.test(tool) || bare.includes("*** Begin Patch");
  return patch && bare.trim() !== "" ? [{ do: "patch", text: bare }] : [];
}

/**
 * What a call could also mean to a tool that reads other arguments than we do: a patch in any of them, or new
 * text beside a command that only looks.
 */
function hidden(tool: string, input: Json): Operation[] {
  if (!/edit|patch/i.test(tool)) return [];
  const patches = Object.entries(input).flatMap(([key, value]) =>
    typeof value === "string" &&
    !/^(?:old_str|new_str|file_text|explanation)$/.test(key) &&
    /^\*\*\* (?:Add|Update|Delete) File:/m.test(value)
      ? [value]
      : [],
  );
  const edits = pathIn(input) !== "" && (input["new_str"] !== undefined || input["old_str"] !== undefined);
  return [
    ...patches.map((text_): Operation => ({ do: "patch", text: text_ })),
    ...(edits ? [replace(pathIn(input), input["old_str"], input["new_str"])] : []),
  ];
}

// The second and third are Claude's and VS Code's names: a path must not be missed for its spelling.
const pathIn = (input: Json): string => text(input["path"] ?? input["file_path"] ?? input["filePath"]);

const patchIn = (input: Json): string => text(input["patch"] ?? input["input"]);

const replace = (path: string, old: unknown, next: unknown): Operation => ({
  do: "edit",
  path,
  edits: [{ old: text(old), new: text(next) }],
});

function delegate(prompt: unknown, agent: unknown): Operation {
  return { do: "delegate", prompt: text(prompt), ...(typeof agent === "string" ? { agent } : {}) };
}

/** Claude's `Edit` stands for three tools of Copilot's. */
function edit(input: Json): Operation[] {
  if (typeof input["command"] === "string") return editor(input);
  if (patchIn(input) !== "") return [{ do: "patch", text: patchIn(input) }];
  return [
    replace(pathIn(input), input["old_str"] ?? input["old_string"], input["new_str"] ?? input["new_string"]),
  ];
}

function editor(input: Json): Operation[] {
  const path = pathIn(input);
  const line = input["insert_line"];
  switch (input["command"]) {
    case "view":
      return [{ do: "read", path }];
    case "create":
      return [{ do: "write", path, text: text(input["file_text"]) }];
    case "str_replace":
      return [replace(path, input["old_str"], input["new_str"])];
    case "insert":
      return [
        { do: "insert", path, line: typeof line === "number" ? line : 0, text: text(input["new_str"]) },
      ];
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
