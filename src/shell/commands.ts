import { forEachChild, parse, type Redirection, type SyntaxNode } from "unbash";
import { basename } from "node:path";

/** One command of a command line: its words with quotes resolved, and the files it redirects into. */
export interface ShellCommand {
  readonly words: readonly string[];
  readonly writesTo: readonly string[];
}

export interface ShellText {
  readonly commands: readonly ShellCommand[];
  /** False when part of the text could not be read; then nobody can vouch for what it does. */
  readonly understood: boolean;
}

// unbash needs seconds on some inputs beyond these, and synchronous code cannot be stopped kindly.
const maxLength = 64 * 1024;
const maxNesting = 64;

/** The commands of a POSIX command line, with those inside substitutions and `sh -c` texts. */
export function commandsIn(text: string, depth = 0): ShellText {
  if (text.length > maxLength || nesting(text) > maxNesting || depth > 8)
    return { commands: [], understood: false };
  const commands: ShellCommand[] = [];
  let understood = true;
  const visit = (node: SyntaxNode): void => {
    if ("errors" in node && node.errors && node.errors.length > 0) understood = false;
    if (node.type === "Command") {
      const words = unwrap([
        ...(node.name ? [node.name.value] : []),
        ...node.args.map((arg) => (arg.type === "Word" ? arg.value : arg.text)),
      ]);
      commands.push({ words, writesTo: node.redirects.flatMap(written) });
      const inner = shellText(words);
      if (inner !== undefined) {
        const more = commandsIn(inner, depth + 1);
        commands.push(...more.commands);
        understood &&= more.understood;
      }
    } else if (node.type === "Redirected") {
      const redirects = (node as { redirects?: readonly Redirection[] }).redirects ?? [];
      commands.push({ words: [], writesTo: redirects.flatMap(written) });
    }
    forEachChild(node, visit);
  };
  visit(parse(text));
  return { commands, understood };
}

/** A command's program without its folder. */
export const programOf = (command: ShellCommand): string => basename(command.words[0] ?? "");

const shells = new Set(["sh", "bash", "zsh", "dash", "ksh", "ash"]);

function shellText(words: readonly string[]): string | undefined {
  const program = basename(words[0] ?? "");
  if (program === "eval") return words.slice(1).join(" ");
  if (!shells.has(program)) return undefined;
  const flag = words.findIndex((word, at) => at > 0 && /^-[a-z]*c[a-z]*$/i.test(word));
  return flag === -1 ? undefined : words[flag + 1];
}

function written(redirect: Redirection): string[] {
  if (redirect.type !== "Redirect" || redirect.operator.startsWith("<") || !redirect.target) return [];
  return redirect.operator === ">&" && /^\d+$|^-$/.test(redirect.target.value) ? [] : [redirect.target.value];
}

const wrappers = new Set([
  "sudo",
  "doas",
  "env",
  "command",
  "builtin",
  "exec",
  "nohup",
  "nice",
  "time",
  "setsid",
  "stdbuf",
]);

/** Drops the programs that only start another one, with their flags and assignments. */
function unwrap(words: readonly string[]): string[] {
  let rest = [...words];
  while (wrappers.has(basename(rest[0] ?? ""))) {
    rest = rest.slice(1);
    while (rest.length > 1 && /^-|^\w+=/.test(rest[0] ?? "")) rest = rest.slice(1);
  }
  return rest;
}

/** How deep openers are stacked at most, counted naively: quotes and comments only make it larger. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const char of text) {
    if (char === "(" || char === "{") deepest = Math.max(deepest, ++depth);
    else if (char === ")" || char === "}") depth = Math.max(0, depth - 1);
  }
  return deepest;
}
