import { resolve } from "node:path";
import type { Run, Word } from "./model.ts";
import { patchFile } from "./_patching.ts";
import type { Walk, State } from "./_walk.ts";
import { emit } from "./_walk-emit.ts";
import { embedded, type Inner } from "./embedded.ts";

/** The text this command line has written into the file that a program takes its orders from. */
export function writtenFor(
  walk: Walk,
  program: string,
  args: readonly Word[],
  state: State,
): string | undefined {
  const { cwd } = state;
  if (cwd === undefined || walk.files.size === 0) return undefined;
  const flag = args.findIndex((arg) => /^(?:-f|--file|--justfile|-t|--taskfile)$/.test(arg.text));
  const patch = flag === -1 ? patchFile(program, args) : undefined;
  const named = patch ? [patch.text] : flag === -1 ? (defaults[program] ?? []) : [args[flag + 1]?.text ?? ""];
  const name = named.find((each) => walk.files.has(resolve(cwd, each)));
  return name === undefined ? undefined : walk.files.get(resolve(cwd, name));
}

/** What git starts by itself, when this command line has just written it. */
function writtenHooks(walk: Walk, cwd: string): Inner[] {
  return [...walk.files].flatMap(([path, text]) =>
    /\/\.git\/hooks\/[\w-]+$/.test(path) && path.startsWith(cwd)
      ? [{ via: "git hook", text, fed: true as const }]
      : [],
  );
}

/** The text of a script this very command line has written. */
export function writtenScript(walk: Walk, run: Run): Inner[] {
  if (run.program === "git" && run.cwd !== undefined && walk.files.size > 0)
    return writtenHooks(walk, run.cwd);
  const file = run.script ?? (run.called.includes("/") ? run.called : undefined);
  if (file === undefined || run.cwd === undefined) return [];
  const text = walk.files.get(resolve(run.cwd, file));
  if (text === undefined) return [];
  const again = embedded({ ...run, args: [], stdin: { from: "text", text } }, walk.substitutions);
  const code = again?.run?.effects;
  if (code) emit(walk, { ...run, effects: code });
  return (again?.inner ?? [{ via: "script", text }]).map((piece) => ({ ...piece, fed: true as const }));
}

/** Where programs look for their orders when nobody says. */
const defaults: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
};
