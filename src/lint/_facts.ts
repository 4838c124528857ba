import type { HookDefinition } from "../core/hook.ts";
import type { Script } from "./script.ts";
import type { Subject } from "./lint.ts";

/** Variables that hold what the agent, and whoever could talk to it, has made up. */
export const inputNames = [
  "TOOL_INPUT",
  "FILE_PATH",
  "TOOL_NAME",
  "TOOL_OUTPUT",
  "CLAUDE_TOOL_INPUT",
  "CLAUDE_FILE_PATH",
  "CLAUDE_FILE_PATHS",
  "ARGUMENTS",
];

export const isBeforeTool = (hook: HookDefinition | undefined): boolean =>
  hook?.events.includes("PreToolUse") ?? false;

/** Formats of plugins and settings, in which hooks are nested below a matcher and time is counted in seconds. */
export const isNested = (hook: HookDefinition | undefined): boolean =>
  hook !== undefined && hook.source !== "registry" && hook.source !== "harness" && hook.source !== "inline";

/** A component's own hooks stand at the top of its page. */
export const isComponent = (hook: HookDefinition | undefined): boolean => hook?.file.endsWith(".md") ?? false;

/** All variables of a shell script whose value comes from the hook's input. */
export function taintedIn({ syntax }: Script): ReadonlySet<string> {
  const tainted = new Set<string>(inputNames);
  if (!syntax) return tainted;
  for (const { name, args } of syntax.commands)
    if (name === "read") for (const { text } of args) if (/^\w+$/.test(text)) tainted.add(text);
  // Until nothing new comes of it: one variable is made of another.
  for (let before = -1; before !== tainted.size;) {
    before = tainted.size;
    for (const { name, from, commands } of syntax.assigned)
      if (from.some((each) => tainted.has(each)) || commands.includes("cat") || commands.includes("jq"))
        tainted.add(name);
  }
  return tainted;
}

const reading: Readonly<Record<Script["language"], RegExp>> = {
  shell: /$^/,
  python: /\bsys\.stdin\b|\binput\s*\(|\bos\.environ|\bos\.getenv/,
  javascript: /\bstdin\b|readFileSync\(\s*0|fd:\s*0|process\.env|Bun\.env/,
  other: /[\s\S]/,
};

/** Does a script look at what it is given? */
export function readsInput(script: Script): boolean {
  const { syntax, language, code } = script;
  if (!syntax) return reading[language].test(code);
  const names = [...inputNames, "@", "*", "1"];
  return (
    syntax.expansions.some(({ name }) => names.includes(name)) ||
    syntax.commands.some(({ name, args }) =>
      name === "cat" || name === "jq"
        ? args.every(({ text }) => text.startsWith("-") || text === "/dev/stdin" || name === "jq")
        : ["read", "python3", "python", "node", "mapfile"].includes(name),
    )
  );
}

const deciding: Readonly<Record<Script["language"], RegExp>> = {
  shell: /$^/,
  python: /\b(?:if|try|match|assert)\b/,
  javascript: /\b(?:if|try|switch)\b|\?[^.?]|&&|\|\|/,
  other: /[\s\S]/,
};

/** Does a script decide anything? */
export const decides = ({ syntax, language, code }: Script): boolean =>
  syntax ? syntax.decides || /\bjq\s+(?:-\w*\s+)*-\w*e/.test(code) : deciding[language].test(code);

/** The exit codes a script names. */
export function exitCodes({ code }: Script): number[] {
  const found = code.matchAll(/\b(?:exit|sys\.exit|process\.exit|_exit)\s*\(?\s*(\d+)/g);
  return [...found].map(([, digits]) => Number(digits));
}

/** The text of a hook's own that can be read: what its script says, or its command line. */
export const sourceOf = ({ script, command }: Subject): string => script?.code ?? command ?? "";
