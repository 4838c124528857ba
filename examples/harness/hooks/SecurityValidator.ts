#!/usr/bin/env bun
// Hook: SecurityValidator
// Event: PreToolUse
// Description: Blocks the recursive deletion of the root or home folder, by the target and not by its text.
// Matcher: tool_name = "Bash"

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";

const payload = JSON.parse(readFileSync(0, "utf8")) as {
  tool_name?: unknown;
  tool_input?: { command?: unknown };
};
const command = payload.tool_input?.command;

if (payload.tool_name === "Bash" && typeof command === "string") {
  for (const words of commandsIn(command)) {
    const target = deletedBy(words);
    if (target === undefined) continue;
    const what = target === "/" ? "root filesystem" : "home directory";
    console.error(`[SECURITY] BLOCKED: ${command.slice(0, 200)}`);
    console.log(JSON.stringify({ decision: "block", message: `Blocked: recursive deletion of ${what}` }));
    process.exit(2);
  }
}
process.exit(0);

/** The root or home folder, if a recursive `rm` of these words would delete it or all that is in it. */
function deletedBy(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /(?:^|\/)rm$/.test(word));
  if (at === -1) return undefined;
  const args = words.slice(at + 1);
  const end = args.indexOf("--");
  const isFlag = (word: string, index: number): boolean =>
    word.startsWith("-") && (end === -1 || index < end);
  const flags = args.filter(isFlag);
  if (!flags.some((flag) => flag === "--recursive" || /^-[a-z]*r/i.test(flag))) return undefined;
  const home = homedir();
  const targets = args
    .filter((word, index) => !isFlag(word, index) && word !== "--")
    .map((word) => word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home).replace(/(?:\/\*)+\/?$/, "/"))
    .map((word) => (word.startsWith("/") ? resolve(word) : word));
  return targets.find((target) => target === "/" || target === home);
}

/** The simple commands of a command line, as words with their quotes taken off. */
function commandsIn(text: string): string[][] {
  const commands: string[][] = [[]];
  for (const token of text.match(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s;&|()"'\\])+|[;&|()\n]/gs) ?? []) {
    if (/^[;&|()\n]$/.test(token)) commands.push([]);
    else commands.at(-1)?.push(token.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, "$1$2$3"));
  }
  return commands;
}
