import { isOneOf } from "../../core/one-of.ts";
import { resolve } from "node:path";
import type { Run } from "../../core/command.ts";
import type { Event } from "../../core/event.ts";
import type { Outcome } from "../../core/outcome.ts";
import { isInside } from "../../core/paths.ts";
import { feedersOf, hasFlag, plainWords, shown, wordsOf } from "./_runs.ts";
import { isFetching, isFromStore, isInterpreter, isShell } from "./_sources.ts";

/** Files that a command line brings here, by itself or in an archive or a repository, and then runs. */
export function* savedThenRun(event: Event, runs: readonly Run[]) {
  /** By name; from a store that may be the team's own it is asked about. */
  const saved = new Map<string, Outcome>();
  const cloned = runs.flatMap(clonedBy);
  const fetchers = new Map(
    runs.flatMap((run): [Run, Outcome][] =>
      isFromStore(run) ? [[run, "ask"]] : isFetching(run) || savesByCode(run) ? [[run, "block"]] : [],
    ),
  );
  for (const action of event.actions) {
    if (action.kind !== "write" || !action.target || !action.by) continue;
    const isUnpacking = isOneOf(action.by.program, "tar gtar bsdtar unzip cpio 7z gunzip unxz");
    const fetcher = [action.by, ...feedersOf(action.by)].find((each) => fetchers.has(each));
    const archive = isUnpacking ? wordsOf(action.by).find((word) => saved.has(nameOf(word))) : undefined;
    // A copy under another name is the same.
    const outcome = fetcher ? fetchers.get(fetcher) : saved.get(nameOf(archive ?? action.from?.path ?? ""));
    if (outcome === undefined) continue;
    // An unpacked archive may hold anything.
    if (isUnpacking) saved.set("*", outcome);
    else {
      saved.set(nameOf(action.target.path), outcome);
      // Into a folder it keeps its name.
      for (const word of wordsOf(action.by))
        if (/^\w+:\/\/|^[\w.@-]+:/.test(word)) saved.set(word.split(/[/:]/).at(-1) ?? word, outcome);
    }
  }
  if (saved.size === 0 && cloned.length === 0) return;
  for (const run of runs) {
    const orders =
      isOneOf(run.program, "npm pnpm yarn bun") && wordsOf(run)[0] === "view"
        ? undefined
        : ordersOf[run.program];
    const taken = orders?.find((name) => saved.has(name));
    if (taken !== undefined)
      yield {
        message: "saved" as const,
        outcome: "ask" as const,
        data: { command: shown(run), path: taken },
      };
    const file =
      run.script ??
      (run.called.includes("/")
        ? run.called
        : isInterpreter(run.program)
          ? wordsOf(run).find((word) => !word.startsWith("-"))
          : // Windows looks for a program in its own folder, too.
            saved.has(`${run.program}.exe`)
            ? `${run.program}.exe`
            : undefined);
    if (isShell(run.program) && hasFlag(wordsOf(run), "-n")) continue;
    const installed = takesPackages.test(run.program)
      ? wordsOf(run).find(
          (word) => /\.(?:deb|rpm|apk|pkg|whl|tgz|gem|tar\.gz)$/.test(word) && saved.has(nameOf(word)),
        )
      : undefined;
    if (installed !== undefined)
      yield { message: "saved" as const, data: { command: shown(run), path: installed } };
    if (file === undefined) continue;
    const place = run.cwd === undefined ? undefined : resolve(run.cwd, file);
    if (place !== undefined && isScript(run) && cloned.some((folder) => isInside(folder, place)))
      yield { message: "saved" as const, outcome: "ask" as const, data: { command: shown(run), path: file } };
    const outcome =
      saved.get(nameOf(file)) ?? (/^(?:\.\/|\/tmp\/|\/var\/tmp\/)/.test(file) ? saved.get("*") : undefined);
    if (outcome !== undefined)
      yield { message: "saved" as const, outcome, data: { command: shown(run), path: file } };
  }
}

/** Code that fetches and writes: `urlretrieve(address, file)`. */
const savesByCode = (run: Run): boolean =>
  run.effects !== undefined &&
  run.effects.some((effect) => effect.do === "fetch") &&
  run.effects.some((effect) => effect.do === "write");

/** Files that programs take their orders from when nobody names one. */
const ordersOf: Readonly<Partial<Record<string, readonly string[]>>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
  npm: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  pip: ["setup.py"],
  pip3: ["setup.py"],
  gradle: ["build.gradle", "build.gradle.kts"],
  cmake: ["CMakeLists.txt"],
  vagrant: ["Vagrantfile"],
  direnv: [".envrc"],
  tox: ["tox.ini"],
};

const takesPackages = /^(?:dpkg|rpm|apt|apt-get|yum|dnf|zypper|apk|installer|pip[\d.]*|npm|gem|pipx)$/;

/** A script by its path, or handed to an interpreter; not a program the project is built with. */
const isScript = (run: Run): boolean =>
  run.called.includes("/") || isShell(run.program) || isInterpreter(run.program);

/** The folder a repository from elsewhere is put into. */
function clonedBy(run: Run): string[] {
  if (run.program !== "git" || run.cwd === undefined) return [];
  const words = wordsOf(run);
  const plain = plainWords(
    words.filter(
      (_word, at) => !isOneOf(words[at - 1] ?? "", "--depth -b --branch -c -o --origin -j --filter"),
    ),
  );
  const [verb, address, to] = plain;
  if (verb !== "clone" || address === undefined || !/^(?:\w+:\/\/|[\w.-]+@[\w.-]+:)/.test(address)) return [];
  return [
    resolve(
      run.cwd,
      to ??
        nameOf(
          address
            .replace(/\/$/, "")
            .replace(/\.git$/, "")
            .replaceAll(":", "/"),
        ),
    ),
  ];
}

const nameOf = (path: string): string => path.split("/").at(-1) ?? path;
