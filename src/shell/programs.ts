import { placeWrittenBy } from "./_system-programs.ts";
import type { Effect, Run } from "./model.ts";
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
  const args = run.args.flatMap((arg) => {
    const found = foundIn(arg);
    return found.length > 0 ? found : [arg];
  });
  const own = program ? program.effects(sortArguments(args, program.takes), run) : [];
  const redirected = run.redirects.map(({ mode, target }): Effect => {
    const path = pathOf(target);
    return mode === "read"
      ? { do: "read", ...path }
      : { do: "write", append: mode === "append", ...path, ...written(run) };
  });
  const place = placeWrittenBy(run);
  const bySystem: Effect[] = place === undefined ? [] : [{ do: "write", path: place }];
  return [...own, ...bySystem, ...(run.effects ?? []), ...redirected];
}

/** The text a redirection leaves behind, when the command only passes known text on. */
function written(run: Run): { text?: string } {
  if (run.program === "cat" && run.args.length === 0 && run.stdin?.from === "text")
    return { text: run.stdin.text };
  return {};
}
