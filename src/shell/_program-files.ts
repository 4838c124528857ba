import { applyPatch } from "./_apply-patch.ts";
import { isOneOf } from "../core/one-of.ts";
import { foundBy, onlyLeavesOut } from "./_find.ts";
import { homeMark } from "./_system-programs.ts";
import { patches, patchOptions } from "./_patching.ts";
import { inPlaceEdit, readSed } from "./_sed.ts";
import type { Effect, Word } from "./model.ts";
import { textOf } from "./output.ts";
import {
  write,
  read,
  remove,
  sortArguments,
  writesAll,
  writesBehindFirst,
  valuesOf,
  writesOption,
  words,
  type Sorted,
  type Row,
  type Program,
} from "./_program.ts";

const copyTakes = [
  "-t",
  "--target-directory",
  "-S",
  "--suffix",
  "-m",
  "--mode",
  "-o",
  "--owner",
  "-g",
  "--group",
];

/** Copies: everything but the last is read, the last is written; `-t` names the target instead. */
const copies: Row = (args) => {
  const [target] = valuesOf(args, "-t", "--target-directory");
  const sources = target ? args.rest : args.rest.slice(0, -1);
  const to = target ?? args.rest.at(-1);
  const linked = args.flags.has("-l") || args.flags.has("--link");
  return sources.length === 0
    ? []
    : [...sources.map(linked ? write : read), ...into(to, sources, isExact(args))];
};

/** The last word is what comes there, not the folder it comes into. */
const isExact = ({ flags }: Sorted): boolean => flags.has("-T") || flags.has("--no-target-directory");

/** Into a folder, each source keeps its name; whether it is one, the disk knows. */
export function into(to: Word | undefined, sources: readonly Word[], exact = false): Effect[] {
  const from = sources.flatMap((source) => (source.known ? [source.text] : []));
  const entries = from.map((path) => path.replace(/\/+$/, "").split("/").at(-1) ?? "");
  if (!to?.known) return [write(to)];
  if (exact) return [{ do: "write", path: to.text, from }];
  if (!to.text.endsWith("/") && sources.length < 2) return [{ do: "write", path: to.text, entries, from }];
  const folder = to.text.replace(/\/+$/, "");
  // Whatever comes there, it comes there.
  if (entries.length === 0) return [{ do: "write", path: `${folder}/unknown` }];
  return entries.map((name, at) => ({
    do: "write",
    path: `${folder}/${name}`,
    from: from.slice(at, at + 1),
  }));
}

/** `docker cp here container:there`, and back. */
export const copiesWith = ([from, to]: readonly Word[]): Effect[] => {
  const isInside = (word: Word): boolean => /^[\w./-]+:/.test(word.text);
  return [
    ...(from && !isInside(from) ? [read(from)] : []),
    ...(to && !isInside(to) && to.text !== "-" ? [write(to)] : []),
  ];
};

const moves: Row = (args) => {
  const [target] = valuesOf(args, "-t", "--target-directory");
  const sources = target ? args.rest : args.rest.slice(0, -1);
  return sources.length === 0
    ? []
    : [
        ...sources.map((word) => remove(word, true)),
        ...into(target ?? args.rest.at(-1), sources, isExact(args)),
      ];
};

/** Links: the last word, or the folder it names; `-n` takes a link to a folder for itself. */
const links: Row = (args) => {
  const [target] = valuesOf(args, "-t", "--target-directory");
  const { rest, flags } = args;
  if (rest.length === 0) return [];
  const sources = target || rest.length === 1 ? rest : rest.slice(0, -1);
  // Who has a second name for a file can change it by that.
  const hard = flags.has("-s") || flags.has("--symbolic") ? [] : sources.map(write);
  if (target) return [...hard, ...into({ ...target, text: `${target.text}/` }, sources)];
  if (rest.length === 1) return [...hard, ...into({ text: "./", known: true, glob: false }, sources)];
  const to = rest.at(-1);
  const itself = flags.has("-n") || flags.has("-h") || flags.has("--no-dereference");
  return [...hard, ...into(to, sources, isExact(args)), ...(itself ? [write(to)] : [])];
};

/** What comes in goes into each file as well. */
const tees: Row = ({ flags, rest }) =>
  rest.map((word) => ({ ...write(word), do: "write", append: flags.has("-a") || flags.has("--append") }));

/** A file that is there stays as it is. */
const touches: Row = ({ rest }) =>
  rest.map((word) => ({ ...write(word), do: "write", append: true, text: "" }));

const deletes: Row = ({ flags, rest }) =>
  rest.map((word) =>
    remove(
      word,
      flags.has("-r") || flags.has("-R") || flags.has("--recursive"),
      flags.has("-f") || flags.has("--force"),
    ),
  );

/** Edits files in place when told so, otherwise reads them. */
export const inPlace =
  (...signs: string[]): Row =>
  ({ flags, rest, values }, run) => {
    const edits = run.args.some((arg) =>
      signs.some(
        (sign) =>
          arg.text === sign ||
          (sign.length === 2 &&
            new RegExp(`^-[a-zA-Z]*${sign[1]}`).test(arg.text) &&
            !arg.text.startsWith("--")) ||
          (sign.startsWith("--") && arg.text.startsWith(sign)),
      ),
    );
    const hasScript = values.has("-e") || values.has("-f") || values.has("--expression") || flags.has("-e");
    const files = hasScript ? rest : rest.slice(1);
    return files.map(edits ? write : read);
  };

/** Edits like any editor in place; a script may also write what it finds to files. */
const sed: Row = (args, run) => {
  const given = valuesOf(args, "-e", "--expression");
  const scripts = given.length > 0 || args.values.has("-f") ? given : args.rest.slice(0, 1);
  const written = scripts.flatMap((word) => readSed(word.text).writes);
  const edit = inPlaceEdit(run, scripts);
  return [
    ...inPlace("-i", "--in-place")(args, run).map((effect) =>
      effect.do === "write" && edit && !args.values.has("-f") ? { ...effect, sed: edit } : effect,
    ),
    ...written.map((path): Effect => ({ do: "write", path })),
  ];
};

const patch: Row = (args, run) => {
  if (args.flags.has("--dry-run")) return [];
  const [file, from] = args.rest;
  const [strip] = valuesOf(args, "-p", "--strip");
  const [folder] = valuesOf(args, "-d", "--directory");
  // It goes into the folder before it reads.
  const inside = (word: Word): Word =>
    folder && !word.text.startsWith("/") ? { ...word, text: `${folder.text}/${word.text}` } : word;
  return [
    ...valuesOf(args, "-o").map(write),
    ...(file ? [write(inside(file))] : []),
    ...patches(run, {
      files: [...valuesOf(args, "-i", "--input"), ...(from ? [from] : [])].map(inside),
      strip: strip && Number(strip.text),
      folder: folder?.text,
    }),
  ];
};

const find: Row = (_args, run) => {
  const effects: Effect[] = [];
  if (run.args.some((arg) => arg.text === "-delete")) {
    const isAll = onlyLeavesOut(run.args);
    for (const word of foundBy(run.args)) effects.push(remove(word, isAll || !word.glob));
  }
  for (const [index, arg] of run.args.entries())
    if (isOneOf(arg.text, "-fprint0 -fprint -fls -fprintf")) effects.push(write(run.args[index + 1]));
  return effects;
};

const dd: Row = (_args, run) =>
  run.args.flatMap((arg): Effect[] => {
    if (arg.text.startsWith("of="))
      return [{ do: "write", ...(arg.known ? { path: arg.text.slice(3) } : {}) }];
    return arg.text.startsWith("if=")
      ? [{ do: "read", ...(arg.known ? { path: arg.text.slice(3) } : {}) }]
      : [];
  });

const editsAll: Row = ({ rest, flags, values }, run) => {
  const files = rest.filter((word) => !word.text.startsWith("+"));
  const said = [
    ...[...(values.get("-c") ?? []), ...(values.get("--cmd") ?? [])].map((word) => word.text),
    ...rest.filter((word) => word.text.startsWith("+")).map((word) => word.text.slice(1)),
    ...(textOf(run.stdin)?.split("\n") ?? []),
  ];
  const written = said.flatMap((line): Effect[] => {
    const path = /^[:\s]*(?:%|[\d$.,]+)?(?:w|write|wq|x|sav|saveas)!?\s+(?:>>\s*)?([^\s!]\S*)/.exec(
      line,
    )?.[1];
    // An editor knows `~` by itself.
    return path === undefined ? [] : [{ do: "write", path: path.replace(/^~\//, homeMark) }];
  });
  const isLooking = run.program === "view" || flags.has("-R");
  return [
    ...files.map(isLooking ? read : write),
    ...written,
    ...(flags.has("-c") || flags.has("-es") ? files.map(read) : []),
  ];
};

/** What sqlite3 is told, by its arguments and what it is fed: statements that change the database, and files it writes. */
const asksSqlite: Row = ({ rest: [database, ...rest] }, run) => {
  const lines = [...rest.map(({ text }) => text), ...(textOf(run.stdin)?.split("\n") ?? [])];
  const files = lines.flatMap((line) => [
    ...(/^\.(?:backup|output|once|save|dump|excel|log|trace)\s+'?([^']+?)'?\s*$/.exec(line)?.slice(1) ?? []),
    ...[...line.matchAll(/\bwritefile\(\s*'([^']+)'/gi)].flatMap((match) => match.slice(1)),
  ]);
  const isChanged = lines.some((line) =>
    /\b(?:insert|update|delete|create|drop|alter|replace|vacuum|reindex|attach)\b|^\.(?:import|restore|read)\b/i.test(
      line,
    ),
  );
  return [
    ...(database ? [read(database)] : []),
    ...(database && isChanged && database.text !== ":memory:" ? [write(database)] : []),
    ...files.filter((path) => path !== "stdout").map((path): Effect => ({ do: "write", path })),
  ];
};

/** `cmake -E` does what the usual programs do, on every system. */
const makesWithCmake: Row = (args, run) => {
  if (run.args[0]?.text !== "-E") return valuesOf(args, "-B").map(write);
  const [, verb, ...words] = run.args;
  const { rest, flags, ...more } = sortArguments(words);
  switch (verb?.text) {
    case "touch":
    case "touch_nocreate":
    case "make_directory":
      return rest.map(write);
    case "copy":
    case "copy_if_different":
    case "copy_directory":
      return copies({ rest, flags, ...more }, run);
    case "create_symlink":
    case "create_hardlink":
      return rest.map(write);
    case "rename":
      return moves({ rest, flags, ...more }, run);
    case "rm":
    case "remove":
    case "remove_directory":
      return rest.map((word) =>
        remove(word, flags.has("-r") || verb.text === "remove_directory", flags.has("-f")),
      );
    default:
      return [];
  }
};

/** Programs that make, change and delete files. Adding one is adding a row. */
export const filePrograms: Readonly<Record<string, Program>> = {
  rm: { effects: deletes },
  grm: { effects: deletes },
  srm: { effects: deletes },
  rimraf: { effects: ({ rest }) => rest.map((word) => remove(word, true, true)) },
  "del-cli": { effects: ({ rest }) => rest.map((word) => remove(word, true, true)) },
  pip: { takes: ["--target", "-t", "-r", "-c", "-i"], effects: writesOption("--target", "-t") },
  pip3: { takes: ["--target", "-t", "-r", "-c", "-i"], effects: writesOption("--target", "-t") },
  trash: { effects: ({ rest }) => rest.map((word) => remove(word, true)) },
  "trash-put": { effects: ({ rest }) => rest.map((word) => remove(word, true)) },
  gio: {
    effects: ({ rest: [verb, ...rest] }) =>
      isOneOf(verb?.text ?? "", "trash remove") ? rest.map((word) => remove(word, true)) : [],
  },
  docker: {
    effects: ({ rest }) => (rest[0]?.text === "cp" ? copiesWith(rest.slice(1)) : []),
  },
  podman: {
    effects: ({ rest }) => (rest[0]?.text === "cp" ? copiesWith(rest.slice(1)) : []),
  },
  wipe: { takes: ["-Q", "-l"], effects: deletes },
  scrub: { takes: ["-p", "-b", "-s"], effects: ({ rest }) => rest.map((word) => remove(word, true, true)) },
  unlink: { effects: deletes },
  rmdir: { effects: deletes },
  shred: {
    takes: ["-n", "-s", "--iterations", "--size"],
    effects: ({ rest, flags }) =>
      rest.map((word) =>
        flags.has("-u") || flags.has("--remove") ? remove(word, false, true) : write(word),
      ),
  },
  mv: { takes: copyTakes, effects: moves },
  // The first word says how names change.
  rename: { effects: ({ rest }) => rest.slice(1).map((word) => remove(word, true)) },
  prename: { effects: ({ rest }) => rest.slice(1).map((word) => remove(word, true)) },
  mmv: { effects: ({ rest }) => rest.slice(0, 1).map((word) => remove(word, true)) },
  gmv: { takes: copyTakes, effects: moves },
  cp: { takes: copyTakes, effects: copies },
  gcp: { takes: copyTakes, effects: copies },
  install: {
    takes: copyTakes,
    effects: (args, run) => (args.flags.has("-d") ? args.rest.map(write) : copies(args, run)),
  },
  link: { effects: writesAll },
  ar: {
    effects: ({ rest: [how, archive] }) =>
      /^[a-zA-Z]*[rqdms]/.test(how?.text ?? "") && archive ? [write(archive)] : [],
  },
  history: { takes: ["-w", "-a", "-n", "-r"], effects: writesOption("-w", "-a") },
  cmake: { takes: ["-S", "-B", "-G", "-D", "-C"], effects: makesWithCmake },
  ln: { takes: ["-t", "--target-directory", "-S", "--suffix"], effects: links },
  dd: { effects: dd },
  dcfldd: { effects: dd },
  dc3dd: { effects: dd },
  tee: { effects: tees },
  touch: { takes: ["-d", "-r", "-t", "--date", "--reference"], effects: touches },
  mkdir: { takes: ["-m", "--mode"], effects: writesAll },
  mkfifo: { takes: ["-m"], effects: writesAll },
  mknod: { effects: ({ rest }) => rest.slice(0, 1).map(write) },
  truncate: { takes: ["-s", "-r", "--size", "--reference"], effects: writesAll },
  fallocate: { takes: ["-l", "-o"], effects: writesAll },
  sponge: { effects: writesAll },
  chmod: { takes: ["--reference"], effects: writesBehindFirst },
  chown: { takes: ["--reference", "--from"], effects: writesBehindFirst },
  chgrp: { takes: ["--reference"], effects: writesBehindFirst },
  chattr: {
    takes: ["-p", "-v"],
    effects: ({ rest }) => rest.filter(({ text }) => !/^[+=-]/.test(text)).map(write),
  },
  setfacl: { takes: ["-m", "-x", "-M", "-X"], effects: writesAll },
  sed: { takes: ["-e", "-f", "--expression", "--file", "-l"], effects: sed },
  gsed: { takes: ["-e", "-f", "--expression", "--file"], effects: sed },
  perl: { takes: ["-e", "-E", "-I", "-M"], effects: inPlace("-i") },
  ruby: { takes: ["-e", "-I", "-r"], effects: inPlace("-i") },
  crontab: {
    takes: ["-u"],
    effects: ({ flags, rest }, run) =>
      rest.length > 0 || (run.stdin && !flags.has("-l"))
        ? [{ do: "write", path: "/var/spool/cron/crontabs" }]
        : [],
  },
  sqlite3: { takes: ["-cmd", "-separator"], effects: asksSqlite },
  npm: {
    takes: ["--pack-destination", "-w", "--workspace", "--prefix", "-C"],
    effects: writesOption("--pack-destination"),
  },
  find: { effects: find },
  gfind: { effects: find },
  patch: { takes: patchOptions, effects: patch },
  apply_patch: { effects: applyPatch },
  applypatch: { effects: applyPatch },
  ed: { takes: ["-p"], effects: editsAll },
  ex: { takes: ["-c", "--cmd", "-S"], effects: editsAll },
  vi: { takes: ["-c", "--cmd", "-S", "-u"], effects: editsAll },
  vim: { takes: ["-c", "--cmd", "-S", "-u"], effects: editsAll },
  nvim: { takes: ["-c", "--cmd", "-S", "-u"], effects: editsAll },
  view: { takes: ["-c", "--cmd", "-S", "-u"], effects: editsAll },
  nano: { effects: editsAll },
  sudoedit: { effects: editsAll },
  emacs: { takes: ["--eval", "-l", "-f"], effects: () => [] },
  gcc: { takes: ["-o", "-I", "-L", "-D", "-include"], effects: writesOption("-o") },
  cc: { takes: ["-o", "-I", "-L", "-D"], effects: writesOption("-o") },
  "g++": { takes: ["-o", "-I", "-L", "-D"], effects: writesOption("-o") },
  clang: { takes: ["-o", "-I", "-L", "-D"], effects: writesOption("-o") },
  pandoc: { takes: ["-o", "--output", "-f", "-t"], effects: writesOption("-o", "--output") },
  logrotate: { effects: () => [] },
  ffmpeg: {
    takes: words("-i -c -ss -t -vf -r -b"),
    effects: (args) => [...valuesOf(args, "-i").map(read), ...args.rest.slice(-1).map(write)],
  },
};
