import { isOneOf } from "../core/one-of.ts";
import { resolve } from "node:path";
import type { Run, Word } from "./model.ts";
import { patchFile } from "./_patching.ts";
import type { Walk, State } from "./_walk.ts";
import { emit } from "./_walk-emit.ts";
import { inOtherLanguage } from "./_quoted-commands.ts";
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
  const flag = args.findIndex((arg) => isOneOf(arg.text, "-f --file --justfile -t --taskfile"));
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
  const source = compiled.test(run.program) ? run.args.find((arg) => sources.test(arg.text)) : undefined;
  const code = source && run.cwd !== undefined ? walk.files.get(resolve(run.cwd, source.text)) : undefined;
  // What is compiled is run sooner or later; what it starts or deletes stands in quotes.
  if (code !== undefined)
    return inOtherLanguage(code).map((text) => ({ via: run.program, text, fed: true as const }));
  const file = run.script ?? (run.called.includes("/") ? run.called : undefined);
  if (file === undefined || run.cwd === undefined) return [];
  const text = walk.files.get(resolve(run.cwd, file));
  if (text === undefined) return [];
  const again = embedded({ ...run, args: [], stdin: { from: "text", text } }, walk.substitutions);
  const effects = again?.run?.effects;
  if (effects) emit(walk, { ...run, effects });
  return (again?.inner ?? [{ via: "script", text }]).map((piece) => ({ ...piece, fed: true as const }));
}

const compiled =
  /^(?:go|g?cc|g\+\+|c\+\+|clang(?:\+\+)?|tcc|rustc|swiftc?|javac?|kotlinc?|scala|dart|zig|nim|crystal|v|odin|fpc|ghc|runghc|ocaml)$/;
const sources = /\.(?:go|c|cc|cpp|cxx|rs|swift|java|kts?|scala|dart|zig|nim|cr|v|odin|pas|hs|ml)$/;

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
