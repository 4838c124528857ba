import { isOneOf, unversioned } from "../core/one-of.ts";
import { resolve } from "node:path";
import type { Run, Word } from "./model.ts";
import { orderedOf } from "./_makefile.ts";
import { patchFile } from "./_patching.ts";
import { textAt, trusted, viaOf, type Walk, type State } from "./_walk.ts";
import { emit } from "./_walk-emit.ts";
import { inOtherLanguage } from "./_quoted-commands.ts";
import { embedded, type Inner } from "./embedded.ts";

/** The text of the file that a program takes its orders from, where this command line has written it or somebody looks at the disk. */
export function writtenFor(
  walk: Walk,
  program: string,
  args: readonly Word[],
  state: State,
): Orders | undefined {
  const { cwd } = state;
  if (cwd === undefined || (walk.files.size === 0 && !walk.place.disk)) return undefined;
  const flag = args.findIndex((arg) => isOneOf(arg.text, "-f --file --justfile -t --taskfile"));
  const patch = flag === -1 ? patchFile(program, args) : undefined;
  const named = patch ? [patch.text] : flag === -1 ? (defaults[program] ?? []) : [args[flag + 1]?.text ?? ""];
  const folder = resolve(cwd, folderOf(program, args) ?? ".");
  for (const name of named) {
    const path = resolve(folder, name);
    const text = walk.files.get(path);
    if (text !== undefined) return { text, folder };
    const found = isOneOf(program, followed) ? walk.place.disk?.text(path) : undefined;
    if (found !== undefined)
      return {
        text: isOneOf(program, "make gmake just") ? orderedOf(found, args) : found,
        via: viaOf(walk, path, program),
        folder,
      };
  }
  return undefined;
}

/** What a program finds in a file to do, and where it does it. */
interface Orders {
  readonly text: string;
  readonly via?: string;
  readonly folder: string;
}

/** The folder that a program is told to work in. */
function folderOf(program: string, args: readonly Word[]): string | undefined {
  const flags = (Object.hasOwn(folders, program) && folders[program]) || [];
  for (const [at, { text }] of args.entries()) {
    if (flags.includes(text)) return args[at + 1]?.text;
    const flag = flags.find((each) => text.startsWith(each.startsWith("--") ? `${each}=` : each));
    if (flag !== undefined) return text.slice(flag.length + (flag.startsWith("--") ? 1 : 0));
  }
  return undefined;
}

const folders: Readonly<Record<string, readonly string[]>> = {
  make: ["-C", "--directory"],
  gmake: ["-C", "--directory"],
  just: ["-d", "--working-directory"],
  npm: ["-C", "--prefix"],
  pnpm: ["-C", "--dir"],
  yarn: ["--cwd"],
  bun: ["--cwd"],
};

/** Programs whose orders are understood well enough to tell which of them are meant. */
const followed = "make gmake just npm pnpm yarn bun";

/** The script that `sed` and `awk` are given in a file or through their input. */
export function scriptFor(
  walk: Walk,
  program: string,
  args: readonly Word[],
  state: State,
  stdin: string | undefined,
): readonly Word[] | undefined {
  const isSed = isOneOf(program, "sed gsed");
  if (!isSed && !isOneOf(program, "awk gawk mawk nawk")) return undefined;
  const at = args.findIndex((arg) => isOneOf(arg.text, "-f --file"));
  const file = args[at + 1];
  if (at === -1 || !file?.known || state.cwd === undefined) return undefined;
  const text = isOneOf(file.text, "- /dev/stdin") ? stdin : textAt(walk, resolve(state.cwd, file.text));
  if (text === undefined) return undefined;
  const script = { text, known: true, glob: false };
  return [...args.slice(0, at), ...(isSed ? [{ ...script, text: "-e" }] : []), script, ...args.slice(at + 2)];
}

/** What git starts by itself, when this command line has just written it. */
function writtenHooks(walk: Walk, cwd: string): Inner[] {
  return [...walk.files].flatMap(([path, text]) =>
    /\/\.git\/hooks\/[\w-]+$/.test(path) && path.startsWith(cwd)
      ? [{ via: "git hook", text, fed: true as const }]
      : [],
  );
}

/** The text of a script that is run, where it can be told. */
export function writtenScript(walk: Walk, run: Run): Inner[] {
  if (run.program === "git" && run.cwd !== undefined && walk.files.size > 0)
    return writtenHooks(walk, run.cwd);
  const source = isOneOf(unversioned(run.program), compiled)
    ? run.args.find((arg) => sources.test(arg.text))
    : undefined;
  const code = source && run.cwd !== undefined ? codeAt(walk, resolve(run.cwd, source.text)) : undefined;
  // What is compiled is run sooner or later; what it starts or deletes stands in quotes.
  if (code !== undefined)
    return inOtherLanguage(code).map((text) => ({ via: run.program, text, fed: true as const }));
  const file = run.script ?? (run.called.includes("/") ? run.called : undefined);
  if (file === undefined || run.cwd === undefined || run.elsewhere !== undefined) return [];
  const path = resolve(run.cwd, file);
  const text = textAt(walk, path);
  if (text === undefined || text.includes("\0")) return [];
  const program = run.script === undefined ? interpreterOf(text) : run.program;
  const again = embedded({ ...run, program, args: [], stdin: { from: "text", text } }, walk.substitutions);
  const effects = again?.run?.effects;
  const via = viaOf(walk, path, "script");
  if (effects) emit(walk, { ...run, via: [...run.via, via], effects });
  const inner: readonly Inner[] = again?.inner ?? [{ via, text }];
  return inner.map((piece) => ({ ...piece, ...(via === trusted ? { via } : {}), fed: true as const }));
}

/** Sources are read as long as they are nobody's trusted ones: of these only a part would be understood. */
const codeAt = (walk: Walk, path: string): string | undefined =>
  viaOf(walk, path, "") === trusted ? undefined : textAt(walk, path);

/** The program that runs a file called by its path: a shell, if it does not say. */
const interpreterOf = (text: string): string =>
  /^#!\s*(?:\S*\/env\s+(?:-S\s+)?(?:\w+=\S*\s+)*)?(?:\S*\/)?([\w.+-]+)/.exec(text)?.[1] ?? "sh";

const compiled =
  "go gcc cc g++ c++ clang clang++ tcc rustc swift swiftc java javac kotlin kotlinc scala dart zig nim crystal v odin fpc ghc " +
  "runghc ocaml tclsh wish expect Rscript julia elixir racket guile sbcl groovy emacs";
const sources =
  /\.(?:go|c|cc|cpp|cxx|rs|swift|java|kts?|scala|dart|zig|nim|cr|v|odin|pas|hs|ml|tcl|exp|[rR]|jl|exs?|rkt|scm|lisp|groovy|el)$/;

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
