import type { Edit, Shell, Todo } from "./action.ts";
import { asText, isObject, type Json } from "./json.ts";

/**
 * What a host says a tool call does, in the tool's own terms: paths as given, nothing looked up.
 * `understand` turns operations into actions.
 */
export type Operation =
  | { readonly do: "write"; readonly path: string; readonly text?: string; readonly fragment?: string }
  | { readonly do: "edit"; readonly path: string; readonly edits: readonly Edit[] }
  | { readonly do: "insert"; readonly path: string; readonly line: number; readonly text: string }
  | { readonly do: "patch"; readonly text: string }
  | { readonly do: "delete"; readonly path: string; readonly recursive?: boolean }
  | { readonly do: "read"; readonly path: string }
  | { readonly do: "exec"; readonly command: string; readonly shell?: Shell; readonly cwd?: string }
  | { readonly do: "fetch"; readonly url: string }
  | { readonly do: "delegate"; readonly agent?: string; readonly prompt: string }
  | { readonly do: "todo"; readonly items: readonly Todo[]; readonly whole?: true };

const pathKeys = [
  "file_path",
  "filePath",
  "path",
  "notebook_path",
  "target_file",
  "filename",
  "dirPath",
  "uri",
];
const destinationKeys = ["destination", "dest", "new_path", "newPath", "target", "to", "dst"];
const contentKeys = ["content", "contents", "file_text", "new_string", "new_str", "newString"];
const maybeContentKeys = ["text", "data", "code"];
const commandKeys = ["command", "cmd", "script", "commandLine", "command_line", "commands"];
// What the names of tools begin with, or parts of them; looked at only where nobody has described the tool.
const reading =
  /(?:^|[_.-])(?:read|view|get|list|ls|stat|search|find|grep|glob|open|show|cat|head|tail|diagnos|lsp)/i;
const deleting = /(?:^|[_.-])(?:delete|remove|rm|unlink|rmdir|trash)/i;
const writing =
  /(?:^|[_.-])(?:write|create|edit|update|append|insert|replace|patch|save|set|put|touch|mkdir|make)/i;
const moving = /(?:^|[_.-])(?:move|mv|rename|copy|cp)/i;
const running = /(?:^|[_.-])(?:bash|shell|sh$|exec|terminal|run)/i;

/** How a host describes its tools: for each name, what its arguments ask for. */
export type ToolTable = Readonly<Record<string, (input: Json) => Operation[]>>;

/** The operations of a call, by the host's table or, for a tool it does not know, by a guess. */
export function operationsOf(table: ToolTable, tool: string, input: Json): Operation[] {
  const known = Object.hasOwn(table, tool) ? table[tool]?.(input) : undefined;
  const found = whole(known ?? guessOperations(tool, input));
  if (found.length > 0 || !known?.some(changesFile) || Object.keys(input).length === 0) return found;
  // A tool that changes files, called in words we do not know: other words for the same, or nobody knows which file.
  const guessed = whole(guessOperations(tool, input));
  return guessed.length > 0 ? guessed : [{ do: "patch", text: "" }];
}

/** On a drive of Windows the terminal is PowerShell's, whatever the tool is called. */
export const onDrive =
  (cwd: unknown) =>
  (operation: Operation): Operation =>
    operation.do === "exec" && operation.shell === undefined && /^[A-Za-z]:[\\/]/.test(asText(cwd) ?? "")
      ? { ...operation, shell: "powershell" }
      : operation;

const changesFile = ({ do: what }: Operation): boolean =>
  what === "write" || what === "edit" || what === "insert";

/** A call without its path or command is refused by the tool itself; it does nothing we could judge. */
function whole(operations: readonly Operation[]): Operation[] {
  const found: Operation[] = [];
  for (const operation of operations) {
    const isEmpty =
      ("path" in operation && operation.path === "") || (operation.do === "exec" && operation.command === "");
    if (!isEmpty) found.push(operation);
  }
  return found;
}

/**
 * Operations of a tool nobody described (an MCP server's, a newer host's). A tool that carries a path
 * and a content counts as a write, so that path rules hold for tools we have never seen.
 */
function guessOperations(name: string, input: Json, isNested = false): Operation[] {
  const tool = (name.split("__").at(-1) ?? name).replace(/([a-z])([A-Z])/g, "$1_$2");
  const found: Operation[] = [];
  if (running.test(tool)) for (const command of commandsOf(input)) found.push({ do: "exec", command });
  const url = firstText(input, ["url"]);
  if (url !== undefined) found.push({ do: "fetch", url });
  const paths = pathsOf(input);
  const content =
    firstText(input, contentKeys) ?? (reading.test(tool) ? undefined : firstText(input, maybeContentKeys));
  for (const path of paths) {
    if (content !== undefined) found.push({ do: "write", path, text: content });
    else if (deleting.test(tool) || moving.test(tool)) found.push({ do: "delete", path, recursive: true });
    else if (writing.test(tool) && !reading.test(tool)) found.push({ do: "write", path });
    else found.push({ do: "read", path });
  }
  if (moving.test(tool)) {
    const destination = firstText(input, destinationKeys);
    if (destination !== undefined) found.push({ do: "write", path: destination });
  }
  // `files: [{ path, content }]`: several calls in one.
  if (isNested) return found;
  for (const key in input) {
    const list = input[key];
    if (Array.isArray(list))
      for (const each of list.slice(0, most))
        if (isObject(each)) found.push(...guessOperations(name, each, true));
  }
  return found;
}

const most = 1000;

/** A command line, or a program and its arguments, in one text or in several. */
function commandsOf(input: Json): string[] {
  for (const key of commandKeys) {
    const value = input[key];
    const texts = Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
    if (key === "commands" && texts.length > 0) return texts;
    const args = Array.isArray(input["args"]) ? input["args"].filter((each) => typeof each === "string") : [];
    if (texts.length > 0) return [[...texts, ...args].map(quoted).join(" ")];
    if (typeof value === "string" && value !== "") return [[value, ...args.map(quoted)].join(" ")];
  }
  return [];
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

function pathsOf(input: Json): string[] {
  const one = firstText(input, ["source", ...pathKeys]);
  const many = Array.isArray(input["paths"]) ? input["paths"].filter((path) => typeof path === "string") : [];
  return one === undefined ? many : [one, ...many];
}

function firstText(input: Json, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = asText(input[key]);
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
