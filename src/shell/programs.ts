import { placeWrittenBy } from "./_system-programs.ts";
import type { Effect, Run, Word } from "./model.ts";
import { pathOf, foundIn, sortArguments, type Program } from "./_program.ts";
import { git } from "./_program-git.ts";
import { archivePrograms } from "./_program-archives.ts";
import { filePrograms } from "./_program-files.ts";
import { netPrograms } from "./_program-net.ts";
import { readers } from "./_program-readers.ts";

export { gitVerb } from "./_program-git.ts";

/** What each program does to files and the network. */
const table: Readonly<Record<string, Program>> = {
  ...filePrograms,
  ...archivePrograms,
  ...netPrograms,
  ...readers,
  git: { effects: git },
};

/** Is it known what the program does to files? */
export const isKnownProgram = (program: string): boolean => Object.hasOwn(table, program);

/** What a command does to files and the network, with its redirections. */
export function effectsOf(run: Run): Effect[] {
  const program = Object.hasOwn(table, run.program) ? table[run.program] : undefined;
  const args: Word[] = [];
  for (const arg of run.args) {
    const found = arg.known ? [] : foundIn(arg);
    if (found.length > 0) args.push(...found);
    else args.push(arg);
  }
  const all = program ? [...program.effects(sortArguments(args, program.takes), run)] : [];
  const place = placeWrittenBy(run);
  if (place !== undefined) all.push({ do: "write", path: place });
  if (run.effects) all.push(...run.effects);
  for (const { mode, target } of run.redirects) {
    const path = pathOf(target);
    if (mode === "read") all.push({ do: "read", ...path });
    else all.push({ do: "write", append: mode === "append", ...path, ...written(run) });
  }
  return all;
}

/** The text a redirection leaves behind, when the command only passes known text on. */
function written(run: Run): { text?: string } {
  if (run.program === "cat" && run.args.length === 0 && run.stdin?.from === "text")
    return { text: run.stdin.text };
  return {};
}
