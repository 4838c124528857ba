import { foundBy, namesFrom } from "./_find.ts";
import { applyOptions, patches, patchOptions } from "./_patching.ts";
import { inPlaceEdit, readSed } from "./_sed.ts";
import { placeWrittenBy } from "./_system-programs.ts";
import type { Effect, Run, Word } from "./model.ts";
import { textOf } from "./output.ts";

/** The arguments of a command, sorted into options and the rest. */
interface Sorted {
  readonly flags: ReadonlySet<string>;
  /** Values of options that take one. */
  readonly values: ReadonlyMap<string, readonly Word[]>;
  readonly rest: readonly Word[];
}

type Row = (args: Sorted, run: Run) => Effect[];

interface Program {
  /** Options that take a value of their own. */
  readonly takes?: readonly string[];
  readonly effects: Row;
}

/** What is known of a path: all of it, or the folder in front of the part that is not. */
function pathOf(word: Word | undefined): { path?: string } {
  if (!word) return {};
  if (word.known) return { path: word.text };
  const [found] = foundIn(word);
  if (found?.known) return { path: found.text };
  const before = /^([^$`(]*\/)[^/]*[$`(]/.exec(word.text)?.[1];
  return before === undefined || before === "/" || word.text.includes("..")
    ? {}
    : { path: `${before}unknown` };
}

/** What `find` and its like print is something in the place they look through. */
function foundIn(word: Word): readonly Word[] {
  if (word.known || !word.from || !/^[$`(]/.test(word.text) || word.text.includes("..")) return [];
  return namesFrom(word.from) ?? [];
}

const write = (word: Word | undefined): Effect => ({ do: "write", ...pathOf(word) });
const read = (word: Word): Effect => ({ do: "read", ...pathOf(word) });
const remove = (word: Word | undefined, recursive: boolean, force = false): Effect => ({
  do: "delete",
  recursive,
  force,
  ...pathOf(word),
});
const writesAll: Row = ({ rest }) => rest.map(write);
const readsAll: Row = ({ rest }) => rest.map(read);
const readsBehindFirst: Row = ({ rest }) => rest.slice(1).map(read);
// A mode may begin with a dash: `chmod -x file`.
const writesBehindFirst: Row = ({ rest, flags }) =>
  rest
    .slice(flags.has("--reference") || [...flags].some((flag) => /^-[rwxXst]+$/.test(flag)) ? 0 : 1)
    .map(write);
const valuesOf = (args: Sorted, ...flags: string[]): readonly Word[] =>
  flags.flatMap((flag) => args.values.get(flag) ?? []);
const writesOption =
  (...flags: string[]): Row =>
  (args) =>
    valuesOf(args, ...flags).map(write);

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
function into(to: Word | undefined, sources: readonly Word[], exact = false): Effect[] {
  const from = sources.flatMap((source) => (source.known ? [source.text] : []));
  const entries = from.map((path) => path.replace(/\/+$/, "").split("/").at(-1) ?? "");
  if (!to?.known) return [write(to)];
  if (exact) return [{ do: "write", path: to.text, from }];
  if (!to.text.endsWith("/") && sources.length < 2) return [{ do: "write", path: to.text, entries, from }];
  const folder = to.text.replace(/\/+$/, "");
  return entries.map((name, at) => ({
    do: "write",
    path: `${folder}/${name}`,
    from: from.slice(at, at + 1),
  }));
}

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

const deletes: Row = ({ flags, rest }) =>
  rest.map((word) =>
    remove(
      word,
      flags.has("-r") || flags.has("-R") || flags.has("--recursive"),
      flags.has("-f") || flags.has("--force"),
    ),
  );

/** Edits files in place when told so, otherwise reads them. */
const inPlace =
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

const remotely = (word: Word): boolean => /^[\w.-]+@?[\w.-]*:|^\w+:\/\//.test(word.text);

const withoutSource = (effect: Effect): Effect => {
  if (effect.do !== "write") return effect;
  const { from: _afar, ...rest } = effect;
  return rest;
};

const transfers: Row = (args) => {
  const to = args.rest.at(-1);
  const sources = args.rest.slice(0, -1);
  const effects: Effect[] = sources.map((word) =>
    remotely(word) ? { do: "fetch", url: word.text } : read(word),
  );
  if (to && remotely(to)) effects.push({ do: "fetch", url: to.text, sends: true });
  else if (to && sources.length > 0) {
    // Behind a slash it is what is in the folder that comes.
    const local = sources.filter((word) => !remotely(word));
    const here = local.map((word) => (word.text.endsWith("/") ? { ...word, text: `${word.text}.` } : word));
    // What comes from elsewhere keeps its name, too, but there is nothing here to look at.
    const afar = sources
      .filter(remotely)
      .map((word) => ({ ...word, text: word.text.replace(/^[^/:]*:(?!\/\/)/, "") || "." }));
    effects.push(...(local.length > 0 ? into(to, here) : []));
    effects.push(...(afar.length > 0 ? into(to, afar).map(withoutSource) : []));
  }
  if (args.flags.has("--remove-source-files")) effects.push(...sources.map((word) => remove(word, true)));
  if (to && !remotely(to) && [...args.flags].some((flag) => flag.startsWith("--delete")))
    effects.push(remove(to, true));
  return effects;
};

const downloads: Row = (args, run) => {
  const urls = args.rest.filter((word) => /^(?:https?|ftp):|[\w-]+\.\w+/.test(word.text) || !word.known);
  const sent = valuesOf(
    args,
    "-d",
    "--data",
    "--data-raw",
    "--data-binary",
    "--data-urlencode",
    "-F",
    "--form",
    "-T",
    "--upload-file",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
    "--json",
  );
  const effects: Effect[] = urls.map((word) => ({
    do: "fetch",
    ...(word.known ? { url: word.text } : {}),
    ...(sent.length > 0 ? { sends: true } : {}),
  }));
  for (const word of sent) {
    const file =
      /(?:^|=)[@<](.+)$/s.exec(word.text)?.[1] ??
      (valuesOf(args, "--data-urlencode").includes(word)
        ? /^[^=]*@(.+)$/s.exec(word.text)?.[1]
        : undefined) ??
      (valuesOf(args, "-T", "--upload-file", "--post-file", "--body-file").includes(word)
        ? word.text
        : undefined);
    if (file !== undefined && file !== "-") effects.push({ do: "read", path: file });
  }
  const outputs =
    run.program === "wget" ? valuesOf(args, "-O", "--output-document") : valuesOf(args, "-o", "--output");
  effects.push(...outputs.filter((word) => word.text !== "-").map(write));
  const [folder] =
    run.program === "wget" ? valuesOf(args, "-P", "--directory-prefix") : valuesOf(args, "--output-dir");
  const named =
    run.program === "wget"
      ? outputs.length === 0
      : args.flags.has("-O") || args.flags.has("--remote-name") || args.flags.has("-J");
  for (const word of named ? urls : []) {
    const name = lastPart(word.text);
    effects.push({ do: "write", path: folder ? `${folder.text}/${name}` : name });
  }
  return effects;
};

const archives: Row = (args, run) => {
  const letters = run.args
    .map((arg) => arg.text)
    .filter((text, at) => /^-[a-zA-Z]+$/.test(text) || (at === 0 && /^[a-zA-Z]+$/.test(text)))
    .join("");
  const file =
    valuesOf(args, "-f", "--file")[0] ??
    (/f/.test(letters) ? args.rest.find((word) => /\.|\//.test(word.text)) : undefined);
  const [folder] = valuesOf(args, "-C", "--directory");
  // The letters may stand without a dash in front: `tar czf`.
  const bundle = run.args[0]?.text.startsWith("-") ? undefined : run.args[0];
  if (/x/.test(letters) || args.flags.has("--extract"))
    return members(args, file, folder).length > 0
      ? members(args, file, folder).map(write)
      : [
          write(
            folder ?? {
              text: /P/.test(letters) || args.flags.has("--absolute-names") ? "/" : ".",
              known: true,
              glob: false,
            },
          ),
        ];
  if (args.flags.has("--remove-files"))
    return args.rest.filter((word) => word !== file && word !== bundle).map((word) => remove(word, true));
  if (/c/.test(letters) || args.flags.has("--create"))
    return [
      ...args.rest.filter((word) => word !== file && word !== bundle).map(read),
      ...(file && file.text !== "-" ? [write(file)] : []),
    ];
  return [];
};

/** The files an archive is asked for by name. */
function members(args: Sorted, file: Word | undefined, folder: Word | undefined): Word[] {
  const named = args.rest.filter(
    (word) =>
      word !== file && !/^[a-zA-Z]+$/.test(word.text) && !/\.(?:tar|tgz|gz|xz|bz2|zst|zip)$/.test(word.text),
  );
  return named.map((word) => (folder ? { ...word, text: `${folder.text}/${word.text}` } : word));
}

const gitTakes = [
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "-m",
  "-F",
  "-b",
  "-B",
  "--message",
  "-u",
  "--author",
  "--date",
  "-o",
  "--output",
  "--depth",
  "--branch",
  "--origin",
  "-j",
  "--reference",
  "-n",
];

/** The verb of a git command and what stands behind it. */
export function gitVerb(run: Run): { verb: string; args: readonly Word[]; folder?: string } {
  let folder: string | undefined;
  for (let at = 0; at < run.args.length; at++) {
    const text = run.args[at]?.text ?? "";
    if (text === "-C") folder = run.args[++at]?.text;
    else if (text === "--work-tree") folder = run.args[++at]?.text;
    else if (text.startsWith("--work-tree=")) folder = text.slice(12);
    else if (["-c", "--git-dir", "--namespace", "--exec-path"].includes(text)) at++;
    else if (!text.startsWith("-"))
      return { verb: text, args: run.args.slice(at + 1), ...(folder === undefined ? {} : { folder }) };
  }
  return { verb: "", args: [] };
}

const git: Row = (_args, run) => {
  const { verb, args, folder } = gitVerb(run);
  const { rest, values, flags } = sortArguments(args, gitTakes);
  const inside = (word: Word | undefined): Word | undefined =>
    word && folder !== undefined && !word.text.startsWith("/")
      ? { ...word, text: `${folder}/${word.text}` }
      : word;
  switch (verb) {
    case "clone": {
      const [url, to] = rest;
      const name = url?.text
        .replace(/\/$/, "")
        .replace(/\.git$/, "")
        .split(/[/:]/)
        .at(-1);
      return url
        ? [
            { do: "fetch", ...(url.known ? { url: url.text } : {}) },
            write(inside(to ?? { text: name ?? ".", known: url.known, glob: false })),
          ]
        : [];
    }
    case "init":
      return rest[0] ? [write(inside(rest[0]))] : [];
    case "worktree":
      // Beside the repository is where worktrees are put, and git itself takes none away that has changes.
      if (rest[0]?.text === "add" && rest[1])
        return /^\.\.\/[\w.-]+\/?$/.test(rest[1].text) ? [] : [write(inside(rest[1]))];
      return rest[0]?.text === "remove" && rest[1] && (flags.has("-f") || flags.has("--force"))
        ? [remove(inside(rest[1]), true)]
        : [];
    case "rm":
      return rest.map((word) => remove(inside(word), flags.has("-r"), flags.has("-f")));
    case "mv":
      return rest.length > 1
        ? [...rest.slice(0, -1).map((word) => remove(inside(word), true)), write(inside(rest.at(-1)))]
        : [];
    case "restore":
      return flags.has("--staged") && !flags.has("--worktree") ? [] : rest.map((word) => write(inside(word)));
    case "checkout": {
      const dashes = args.findIndex((arg) => arg.text === "--");
      const paths =
        dashes === -1
          ? rest.filter((word) => word.text === "." || /[./]/.test(word.text))
          : args.slice(dashes + 1);
      return values.has("-b") || values.has("-B") ? [] : paths.map((word) => write(inside(word)));
    }
    case "show":
    case "cat-file":
      if (values.has("--output")) return (values.get("--output") ?? []).map(write);
      return rest.flatMap((word) =>
        /^[^:]*:(.+)$/.test(word.text) ? [read({ ...word, text: word.text.replace(/^[^:]*:/, "") })] : [],
      );
    case "log":
    case "format-patch":
      return (values.get("--output") ?? values.get("-o") ?? []).map(write);
    case "diff":
      if (values.has("--output")) return (values.get("--output") ?? []).map(write);
      return flags.has("--no-index") ? rest.map(read) : [];
    case "bundle":
      return rest[0]?.text === "create" && rest[1] ? [write(inside(rest[1]))] : [];
    case "stash": {
      const dashes = args.findIndex((arg) => arg.text === "--");
      if (dashes !== -1) return args.slice(dashes + 1).map((word) => write(inside(word)));
      // Which files it puts aside or back, only git knows.
      return /^(?:list|show|drop|clear|create|store|branch)$/.test(rest[0]?.text ?? "")
        ? []
        : [{ do: "write" }];
    }
    case "clean": {
      if (flags.has("-n") || flags.has("--dry-run") || !(flags.has("-f") || flags.has("--force"))) return [];
      const recursive = flags.has("-d");
      return rest.length === 0
        ? [{ do: "delete", recursive, force: true }]
        : rest.map((word) => remove(inside(word), recursive, true));
    }
    case "apply":
    case "am":
      return gitApply(run, verb, sortArguments(args, applyOptions), folder);
    case "reset":
      if (flags.has("--hard") || flags.has("--merge") || flags.has("--keep")) return [{ do: "write" }];
      return folder === undefined ? [] : [write({ text: `${folder}/.git`, known: true, glob: false })];
    case "add":
    case "commit":
    case "merge":
    case "pull":
    case "rebase":
    case "switch":
    case "tag":
      return folder === undefined ? [] : [write({ text: `${folder}/.git`, known: true, glob: false })];
    case "archive":
      return (values.get("-o") ?? values.get("--output") ?? []).map(write);
    default:
      return [];
  }
};

/** Looks only, unless it is told to. */
const looksAt = ["--check", "--stat", "--numstat", "--summary"];

function gitApply(
  run: Run,
  verb: string,
  { rest, flags, values }: Sorted,
  folder: string | undefined,
): Effect[] {
  if (looksAt.some((flag) => flags.has(flag)) && !flags.has("--apply")) return [];
  if (verb === "am" && rest.length === 0 && !run.stdin && run.redirects.length === 0) return [];
  const below = values.get("--directory")?.[0]?.text;
  const inside = (word: Word): Word =>
    folder === undefined || word.text.startsWith("/") ? word : { ...word, text: `${folder}/${word.text}` };
  return patches(run, {
    files: rest.map(inside),
    strip: Number(values.get("-p")?.[0]?.text ?? 1),
    folder: folder === undefined ? below : below === undefined ? folder : `${folder}/${below}`,
  });
}

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
    for (const word of foundBy(run.args)) effects.push(remove(word, !word.glob));
  }
  for (const [index, arg] of run.args.entries())
    if (/^-f(?:print0?|ls|printf)$/.test(arg.text)) effects.push(write(run.args[index + 1]));
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

const sends: Row = ({ rest }) =>
  rest[0] ? [{ do: "fetch", sends: true, ...(rest[0].known ? { url: rest[0].text } : {}) }] : [];

/** A session with orders on standard input, or behind `-e`: `put file`, `get file`. */
const sessions: Row = (args, run) => {
  const orders = [textOf(run.stdin) ?? "", ...valuesOf(args, "-e", "-c").map((word) => word.text)].join("\n");
  const lines = orders.split(/[\n;]/).map((line) => line.trim().split(/\s+/));
  return [
    ...sends(args, run),
    ...lines.flatMap(([verb = "", ...names]): Effect[] =>
      /^(?:m?put|reput|send|append|mirror)$/.test(verb)
        ? names.filter((name) => !name.startsWith("-")).map((path) => ({ do: "read", path }))
        : /^(?:m?get|reget|recv)$/.test(verb) && names.at(-1) !== undefined
          ? [{ do: "write", path: names.at(-1) ?? "" }]
          : [],
    ),
  ];
};

const lastPart = (address: string): string =>
  address
    .replace(/[?#].*$/, "")
    .split("/")
    .at(-1) || "index.html";

const compressors: Row = ({ flags, rest }) =>
  flags.has("-c") || flags.has("--stdout") || flags.has("-t") || flags.has("-l")
    ? rest.map(read)
    : rest.flatMap((word) => [write(word)]);

const mail: Row = () => [{ do: "fetch", sends: true }];

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
    return path === undefined ? [] : [{ do: "write", path }];
  });
  return [...files.map(write), ...written, ...(flags.has("-c") || flags.has("-es") ? files.map(read) : [])];
};

/** What each program does to files and the network. Adding a program is adding a row. */
const table: Readonly<Record<string, Program>> = {
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
      /^(?:trash|remove)$/.test(verb?.text ?? "") ? rest.map((word) => remove(word, true)) : [],
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
  gmv: { takes: copyTakes, effects: moves },
  cp: { takes: copyTakes, effects: copies },
  gcp: { takes: copyTakes, effects: copies },
  install: {
    takes: copyTakes,
    effects: (args, run) => (args.flags.has("-d") ? args.rest.map(write) : copies(args, run)),
  },
  ln: { takes: ["-t", "--target-directory", "-S", "--suffix"], effects: links },
  rsync: {
    takes: [
      "-e",
      "--rsh",
      "--exclude",
      "--include",
      "--filter",
      "-f",
      "--bwlimit",
      "--log-file",
      "--port",
      "--timeout",
      "--chmod",
      "--chown",
      "--files-from",
    ],
    effects: transfers,
  },
  scp: { takes: ["-i", "-P", "-o", "-F", "-c", "-l", "-S", "-J"], effects: transfers },
  rclone: {
    effects: ({ rest }, run) =>
      /^(?:delete|purge)$/.test(rest[0]?.text ?? "")
        ? rest.slice(1).map((word) => remove(word, true))
        : transfers({ flags: new Set(), values: new Map(), rest: rest.slice(1) }, run),
  },
  dd: { effects: dd },
  dcfldd: { effects: dd },
  dc3dd: { effects: dd },
  tee: { effects: writesAll },
  touch: { takes: ["-d", "-r", "-t", "--date", "--reference"], effects: writesAll },
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
  yq: { effects: inPlace("-i", "--inplace", "--in-place") },
  jq: { takes: ["--arg", "--argjson", "-f", "--slurpfile"], effects: readsBehindFirst },
  tar: {
    takes: [
      "-f",
      "--file",
      "-C",
      "--directory",
      "--exclude",
      "-T",
      "-I",
      "--transform",
      "--strip-components",
    ],
    effects: archives,
  },
  gtar: { takes: ["-f", "--file", "-C", "--directory", "--exclude", "-T", "-I"], effects: archives },
  bsdtar: { takes: ["-f", "--file", "-C", "--directory"], effects: archives },
  unzip: {
    takes: ["-d", "-x", "-P"],
    effects: (args) => {
      if (args.flags.has("-l") || args.flags.has("-p") || args.flags.has("-t")) return [];
      const folder = valuesOf(args, "-d")[0] ?? { text: ".", known: true, glob: false };
      // Behind the archive stand the members that are wanted; all of them, if none does.
      const members = args.rest.slice(1).map((word) => ({ ...word, text: `${folder.text}/${word.text}` }));
      return members.length > 0 ? members.map(write) : [write(folder)];
    },
  },
  zip: {
    takes: ["-P", "-x", "-i", "-b"],
    effects: ({ rest }) => [...rest.slice(0, 1).map(write), ...rest.slice(1).map(read)],
  },
  cpio: {
    takes: ["-D", "--directory", "-F", "-O", "-I"],
    effects: (args) =>
      args.flags.has("-i") || args.flags.has("--extract")
        ? [write(valuesOf(args, "-D", "--directory")[0] ?? { text: ".", known: true, glob: false })]
        : [],
  },
  perl: { takes: ["-e", "-E", "-I", "-M"], effects: inPlace("-i") },
  ruby: { takes: ["-e", "-I", "-r"], effects: inPlace("-i") },
  crontab: {
    takes: ["-u"],
    effects: ({ flags, rest }, run) =>
      rest.length > 0 || (run.stdin && !flags.has("-l"))
        ? [{ do: "write", path: "/var/spool/cron/crontabs" }]
        : [],
  },
  sqlite3: {
    takes: ["-cmd", "-separator"],
    effects: ({ rest }) => [
      ...rest.slice(0, 1).map(read),
      ...rest
        .slice(1)
        .flatMap((word) =>
          /^\.(?:backup|output|once|save|dump)\s+'?([^']+)'?$/.exec(word.text)?.[1]
            ? [write({ ...word, text: /^\.\w+\s+'?([^']+)'?$/.exec(word.text)?.[1] ?? "" })]
            : [],
        ),
    ],
  },
  gh: {
    takes: [
      "-f",
      "-d",
      "--filename",
      "--desc",
      "-R",
      "-t",
      "--title",
      "-b",
      "--body",
      "-F",
      "--body-file",
      "-n",
      "--notes",
    ],
    effects: (args) => {
      const [noun, verb] = args.rest.map((word) => word.text);
      if (noun === "gist" && verb === "create")
        return [...args.rest.slice(2).map(read), { do: "fetch", url: "gist", sends: true }];
      return /^(?:issue|pr|release|discussion)$/.test(noun ?? "") &&
        /^(?:create|comment|edit|review)$/.test(verb ?? "")
        ? [...valuesOf(args, "--body-file").map(read), { do: "fetch", url: "github.com", sends: true }]
        : [];
    },
  },
  aws: {
    effects: ({ rest }) =>
      rest[0]?.text === "s3" && /^(?:cp|mv|sync)$/.test(rest[1]?.text ?? "")
        ? transfers(
            { flags: new Set(), values: new Map(), rest: rest.slice(2) },
            { program: "aws", called: "aws", args: [], redirects: [], via: [] },
          )
        : [],
  },
  gsutil: {
    effects: ({ rest }, run) =>
      /^(?:cp|mv|rsync)$/.test(rest[0]?.text ?? "")
        ? transfers({ flags: new Set(), values: new Map(), rest: rest.slice(1) }, run)
        : [],
  },
  axel: {
    takes: ["-o", "-n", "-s"],
    effects: (args) => [
      ...args.rest.map((word): Effect => ({ do: "fetch", ...(word.known ? { url: word.text } : {}) })),
      ...(valuesOf(args, "-o").length > 0
        ? valuesOf(args, "-o")
        : args.rest.map((word) => ({ ...word, text: word.text.split("/").at(-1) ?? "" }))
      ).map(write),
    ],
  },
  npm: {
    takes: ["--pack-destination", "-w", "--workspace", "--prefix", "-C"],
    effects: writesOption("--pack-destination"),
  },
  gzip: { effects: compressors },
  gunzip: { effects: compressors },
  xz: { effects: compressors },
  unxz: { effects: compressors },
  bzip2: { effects: compressors },
  zstd: { effects: compressors },
  curl: {
    takes: [
      "-o",
      "--output",
      "--output-dir",
      "-d",
      "--data",
      "--data-raw",
      "--data-binary",
      "--data-urlencode",
      "--json",
      "-F",
      "--form",
      "-T",
      "--upload-file",
      "-H",
      "--header",
      "-X",
      "--request",
      "-u",
      "--user",
      "-A",
      "--user-agent",
      "-e",
      "--referer",
      "-b",
      "--cookie",
      "-c",
      "--cookie-jar",
      "-x",
      "--proxy",
      "-m",
      "--max-time",
      "--connect-timeout",
      "--retry",
      "--retry-delay",
      "-w",
      "--write-out",
      "-K",
      "--config",
      "--cert",
      "--key",
      "--cacert",
      "-r",
      "--range",
      "--resolve",
      "-E",
      "--url",
      "-D",
      "--dump-header",
      "--limit-rate",
    ],
    effects: downloads,
  },
  wget: {
    takes: [
      "-O",
      "--output-document",
      "-P",
      "--directory-prefix",
      "-o",
      "-a",
      "--header",
      "--post-data",
      "--post-file",
      "--body-data",
      "--body-file",
      "-U",
      "--user-agent",
      "-t",
      "--tries",
      "-T",
      "--timeout",
      "-i",
      "--user",
      "--password",
      "-e",
      "-w",
      "-Q",
    ],
    effects: downloads,
  },
  http: { effects: downloads },
  https: { effects: downloads },
  xh: { effects: downloads },
  aria2c: {
    takes: ["-o", "-d", "--out", "--dir", "-x", "-s", "-j"],
    effects: (args) => {
      const [folder] = valuesOf(args, "-d", "--dir");
      const names = valuesOf(args, "-o", "--out");
      const made =
        names.length > 0 ? names : args.rest.map((word) => ({ ...word, text: lastPart(word.text) }));
      return [
        ...args.rest.map((word): Effect => ({ do: "fetch", ...(word.known ? { url: word.text } : {}) })),
        ...made.map((word) => write(folder ? { ...word, text: `${folder.text}/${word.text}` } : word)),
      ];
    },
  },
  dig: { effects: sends },
  nslookup: { effects: sends },
  host: { effects: sends },
  nc: { effects: sends },
  ncat: { effects: sends },
  netcat: { effects: sends },
  socat: { effects: sends },
  telnet: { effects: sends },
  "/dev/tcp": { effects: sends },
  ping: { takes: ["-c", "-i", "-W", "-w", "-s", "-t", "-I"], effects: sends },
  ping6: { takes: ["-c", "-i", "-W"], effects: sends },
  traceroute: { effects: sends },
  whois: { takes: ["-h", "-p"], effects: sends },
  drill: { effects: sends },
  ftp: { effects: sessions },
  sftp: { takes: ["-b", "-i", "-P", "-o", "-F"], effects: sessions },
  lftp: { takes: ["-e", "-c", "-u", "-p"], effects: sessions },
  mail: { effects: mail },
  mailx: { effects: mail },
  sendmail: { effects: mail },
  git: { effects: git },
  find: { effects: find },
  gfind: { effects: find },
  patch: { takes: patchOptions, effects: patch },
  ed: { takes: ["-p"], effects: editsAll },
  ex: { takes: ["-c", "--cmd", "-S"], effects: editsAll },
  vi: { takes: ["-c", "--cmd", "-S", "-u"], effects: editsAll },
  vim: { takes: ["-c", "--cmd", "-S", "-u"], effects: editsAll },
  nvim: { takes: ["-c", "--cmd", "-S", "-u"], effects: editsAll },
  nano: { effects: editsAll },
  sudoedit: { effects: editsAll },
  emacs: { takes: ["--eval", "-l", "-f"], effects: () => [] },
  sort: {
    takes: ["-o", "--output", "-k", "-t", "-T", "-S"],
    effects: (args) => [...args.rest.map(read), ...valuesOf(args, "-o", "--output").map(write)],
  },
  split: {
    takes: ["-l", "-b", "-n", "-a", "-C"],
    effects: ({ rest }) => [...rest.slice(0, 1).map(read), ...rest.slice(1, 2).map(write)],
  },
  openssl: {
    takes: ["-out", "-in", "-k", "-pass", "-keyout"],
    effects: (_args, run) => [
      ...optionValues(run, "-out", "-keyout").map(write),
      ...optionValues(run, "-in").map(read),
    ],
  },
  gpg: { takes: ["-o", "--output", "-r", "--recipient", "-u"], effects: writesOption("-o", "--output") },
  "ssh-keygen": {
    takes: ["-f", "-t", "-b", "-C", "-N", "-P", "-R", "-F"],
    effects: (args) =>
      args.flags.has("-l") || args.flags.has("-y") || args.values.has("-F")
        ? []
        : valuesOf(args, "-f").map(write),
  },
  gcc: { takes: ["-o", "-I", "-L", "-D", "-include"], effects: writesOption("-o") },
  cc: { takes: ["-o", "-I", "-L", "-D"], effects: writesOption("-o") },
  "g++": { takes: ["-o", "-I", "-L", "-D"], effects: writesOption("-o") },
  clang: { takes: ["-o", "-I", "-L", "-D"], effects: writesOption("-o") },
  pandoc: { takes: ["-o", "--output", "-f", "-t"], effects: writesOption("-o", "--output") },
  logrotate: { effects: () => [] },
  "7z": {
    effects: ({ rest, flags }) =>
      rest[0]?.text === "a"
        ? [
            ...rest.slice(1, 2).map(write),
            ...(flags.has("-sdel")
              ? rest.slice(2).map((word) => remove(word, true))
              : rest.slice(2).map(read)),
          ]
        : [],
  },
  paste: { takes: ["-d"], effects: readsAll },
  fold: { takes: ["-w"], effects: readsAll },
  ffmpeg: {
    takes: ["-i", "-c", "-ss", "-t", "-vf", "-r", "-b"],
    effects: (args) => [...valuesOf(args, "-i").map(read), ...args.rest.slice(-1).map(write)],
  },
  uniq: {
    takes: ["-f", "-s", "-w"],
    effects: ({ rest }) => [...rest.slice(0, 1).map(read), ...rest.slice(1, 2).map(write)],
  },
  tree: { takes: ["-o", "-L", "-I", "-P"], effects: writesOption("-o") },
  cat: { effects: readsAll },
  head: { takes: ["-n", "-c"], effects: readsAll },
  tail: { takes: ["-n", "-c"], effects: readsAll },
  less: {
    takes: ["-o", "-O", "-p"],
    effects: (args) => [...args.rest.map(read), ...valuesOf(args, "-o", "-O").map(write)],
  },
  more: { effects: readsAll },
  bat: { takes: ["-l", "--language", "-r"], effects: readsAll },
  nl: { effects: readsAll },
  tac: { effects: readsAll },
  xxd: { takes: ["-l", "-s", "-c"], effects: readsAll },
  hexdump: { takes: ["-n", "-s", "-e"], effects: readsAll },
  od: { takes: ["-t", "-A", "-N"], effects: readsAll },
  strings: { takes: ["-n"], effects: readsAll },
  base64: { takes: ["-w", "-i"], effects: readsAll },
  cut: { takes: ["-d", "-f", "-c"], effects: readsAll },
  diff: { effects: readsAll },
  grep: { takes: ["-e", "-f", "-m", "-A", "-B", "-C"], effects: readsBehindFirst },
  egrep: { takes: ["-e", "-f", "-m", "-A", "-B", "-C"], effects: readsBehindFirst },
  rg: { takes: ["-e", "-g", "-t", "-A", "-B", "-C", "-m"], effects: readsBehindFirst },
  awk: { takes: ["-F", "-v", "-f"], effects: readsBehindFirst },
  gawk: {
    takes: ["-F", "-v", "-f", "-i"],
    effects: (args, run) =>
      args.values.get("-i")?.some((word) => word.text === "inplace")
        ? args.rest.slice(1).map(write)
        : readsBehindFirst(args, run),
  },
};

const optionValues = (run: Run, ...names: string[]): Word[] =>
  run.args.flatMap((arg, at) => {
    const next = run.args[at + 1];
    return names.includes(arg.text) && next ? [next] : [];
  });

/** Sorts arguments as getopt would: glued letters apart, values with their options, `--` respected. */
function sortArguments(args: readonly Word[], takes: readonly string[] = []): Sorted {
  const flags = new Set<string>();
  const values = new Map<string, Word[]>();
  const rest: Word[] = [];
  const keep = (flag: string, word: Word | undefined): void => {
    flags.add(flag);
    if (word) values.set(flag, [...(values.get(flag) ?? []), word]);
  };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    if (!arg) continue;
    const { text } = arg;
    if (text === "--") {
      rest.push(...args.slice(at + 1));
      break;
    }
    if (!text.startsWith("-") || text === "-") rest.push(arg);
    else if (takes.includes(text)) keep(text, args[++at]);
    else if (text.startsWith("--")) {
      const [name = "", value] = text.split(/=(.*)/s);
      if (value !== undefined && takes.includes(name)) keep(name, { ...arg, text: value });
      else flags.add(value === undefined ? text : name);
    } else at += letters(arg, takes, flags, keep, args[at + 1]);
  }
  return { flags, values, rest };
}

function letters(
  arg: Word,
  takes: readonly string[],
  flags: Set<string>,
  keep: (flag: string, word: Word | undefined) => void,
  next: Word | undefined,
): number {
  flags.add(arg.text);
  for (let at = 1; at < arg.text.length; at++) {
    const flag = `-${arg.text[at]}`;
    if (takes.includes(flag)) {
      const glued = arg.text.slice(at + 1);
      keep(flag, glued === "" ? next : { ...arg, text: glued });
      return glued === "" ? 1 : 0;
    }
    flags.add(flag);
  }
  return 0;
}

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
