import type { Action } from "../core/action.ts";
import type { Event } from "../core/event.ts";
import { permits } from "./_permission.ts";

/** Copilot's words for groups of tools, with Claude Code's tools that are meant and what is done by them. */
const groups: Readonly<Record<string, { tools: readonly string[]; kinds: readonly Action["kind"][] }>> = {
  execute: { tools: ["Bash", "PowerShell"], kinds: ["exec"] },
  read: { tools: ["Read", "NotebookRead"], kinds: ["read"] },
  edit: { tools: ["Edit", "MultiEdit", "Write", "NotebookEdit"], kinds: ["write", "delete"] },
  search: { tools: ["Grep", "Glob"], kinds: [] },
  agent: { tools: ["Agent", "Task"], kinds: ["delegate"] },
  web: { tools: ["WebSearch", "WebFetch"], kinds: ["fetch"] },
  todo: { tools: ["TodoWrite"], kinds: ["todo"] },
};

/** Other words for a group: of Copilot, and of VS Code before it had groups. */
const groupWords: Readonly<Record<string, string>> = {
  shell: "execute",
  runCommands: "execute",
  runInTerminal: "execute",
  runTasks: "execute",
  readFile: "read",
  editFiles: "edit",
  createFile: "edit",
  codebase: "search",
  usages: "search",
  changes: "search",
  fileSearch: "search",
  textSearch: "search",
  listDirectory: "search",
  "custom-agent": "agent",
  runSubagent: "agent",
  fetch: "web",
  todos: "todo",
};

/** The group an entry means: `edit`, `edit/createFile`; Copilot takes Claude Code's tools for their whole group. */
function groupOf(entry: string, isCopilot: boolean): string | undefined {
  const [word = ""] = entry.split("/");
  if (Object.hasOwn(groupWords, word)) return groupWords[word];
  if (Object.hasOwn(groups, word)) return word;
  if (!isCopilot) return undefined;
  const small = word.toLowerCase();
  return Object.entries(groups).find(
    ([name, { tools }]) => name === small || tools.some((tool) => tool.toLowerCase() === small),
  )?.[0];
}

/** Tools that an entry of a list names, as far as their names can be told. */
export function toolsNamed(entry: string): readonly string[] {
  const [name = ""] = entry.split("(");
  const group = groupOf(entry, false);
  if (group !== undefined) return [name, ...(groups[group]?.tools ?? [])];
  return name === "Task" || name === "Agent" ? ["Task", "Agent"] : [name];
}

/**
 * Whether an entry of a component's list of tools is about a call, by the names the tool goes by: `Read`, `Bash(git add:*)`, `edit`,
 * `mcp__server`, `server/tool`, `server/*`. Nothing where that cannot be told.
 */
export function isListed(entry: string, call: Event, names: readonly string[]): boolean | undefined {
  if (entry === "*") return true;
  const group = groups[groupOf(entry, call.host === "copilot") ?? ""];
  if (group && isOfGroup(group, call, names)) return true;
  if (names.some((name) => isOfServer(entry, name, call.tool?.server))) return true;
  // The tool that starts subagents has had two names.
  const told = [entry, entry.replace(/^Task\b/, "Agent")].flatMap((rule) =>
    names.map((name) => permits(rule, call, name)),
  );
  return told.includes(true) ? true : told.includes(undefined) ? undefined : false;
}

function isOfGroup(
  { tools, kinds }: { tools: readonly string[]; kinds: readonly string[] },
  { actions, tool }: Event,
  names: readonly string[],
): boolean {
  if (names.some((name) => tools.includes(name))) return true;
  if (tool?.server !== undefined || names.some((name) => name.startsWith("mcp__"))) return false;
  if (tools === groups["search"]?.tools)
    return names.some((name) => /grep|glob|^rg$|search|list_dir/i.test(name));
  return actions.length > 0 && actions.every(({ kind }) => kinds.includes(kind));
}

/** A tool of a server: Claude Code, Copilot and VS Code put their names together in ways of their own. */
function isOfServer(entry: string, tool: string, server: string | undefined): boolean {
  if (entry.startsWith("mcp__"))
    return tool === entry || tool.startsWith(`${entry.replace(/(?:__)?\*$/, "")}__`);
  const [, from, name = ""] = /^([^/()]+)\/([^/()]+)$/.exec(entry) ?? [];
  if (from === undefined) return false;
  const starts = [`mcp__${from}__`, `${from}-`, `${from}/`, ...(server === from ? [""] : [])];
  return starts.some((start) => (name === "*" ? tool.startsWith(start) : tool === `${start}${name}`));
}
