import { isOneOf } from "../core/one-of.ts";
import { basename, matchesGlob, resolve } from "node:path";
import type { Redirect, Run, Word } from "./model.ts";
import { textsRunBy, wordsRunBy } from "./_texts.ts";
import { positional } from "./_variables.ts";
import {
  maxRuns,
  maxDepth,
  copyOf,
  carryOver,
  deeper,
  at,
  textAt,
  viaOf,
  type Walk,
  type State,
  type Context,
} from "./_walk.ts";
import { channelAt } from "./_walk-redirects.ts";
import { emit } from "./_walk-emit.ts";
import { builtin, runText, moved, assignment } from "./_walk-builtins.ts";
import { isAddress, placeOf, isHere, comesBack, mountsOf, workFolderOf } from "./_walk-places.ts";
import { preload } from "./_walk-preload.ts";
import { scriptFor, writtenFor, writtenScript } from "./_walk-written.ts";
import { embedded, type Inner } from "./embedded.ts";
import { textOf } from "./output.ts";
import { startsShell, unwrap } from "./wrappers.ts";

export function dispatch(
  walk: Walk,
  words: readonly Word[],
  redirects: readonly Redirect[],
  state: State,
  context: Context,
): Run[] {
  const [first, ...args] = words;
  if (!first) return [];
  if (context.depth > maxDepth || walk.runs.length > maxRuns) {
    walk.note("the text is nested too deep");
    return [];
  }
  // A text in the place of a program: `yarn exec 'rm -rf x'`.
  if (first.known && /\s/.test(first.text.trim()) && context.via.length > 0)
    return walk.text(first.text, state, deeper(context, "text"));
  const program = programOf(first);
  /** What a program runs by the orders it finds in a file. */
  const ordered = (fed: Run, { via, folder }: { via?: string; folder: string }): Run[] => [
    emit(walk, fed),
    ...textsRunBy(fed).flatMap((piece) =>
      walk.text(piece.text, { ...copyOf(state), cwd: folder }, deeper(context, via ?? piece.via)),
    ),
  ];
  const alias = state.aliases.get(first.text);
  if (alias !== undefined) {
    const without = {
      ...state,
      aliases: new Map([...state.aliases].filter(([name]) => name !== first.text)),
    };
    return walk.text([alias, ...args.map(quoted)].join(" "), without, deeper(context, `alias ${first.text}`));
  }
  const body = state.functions.get(first.text);
  if (body) {
    const via = `${first.text}()`;
    const inner = { ...copyOf(state, positional(args)), locals: new Set<string>() };
    // One that calls itself is followed some way, for `f f f rm`.
    if (context.via.filter((each) => each === via).length > 2) inner.functions.delete(first.text);
    const ran = walk.body(body, inner, deeper(context, via));
    state.cwd = inner.cwd;
    state.left = inner.left;
    carryOver(inner, state, inner.locals);
    return [
      ...ran,
      ...(redirects.length > 0
        ? [emit(walk, { program: "", called: "", args: [], redirects, ...at(state, context) })]
        : []),
    ];
  }
  if (program === "git") {
    const setting = args.findIndex((arg) => /^alias\./.test(arg.text));
    if (args.some((arg) => arg.text === "config") && setting !== -1)
      state.aliases.set(`git ${args[setting]?.text.slice(6)}`, args[setting + 1]?.text ?? "");
    const own =
      state.aliases.get(`git ${args[0]?.text ?? ""}`) ??
      (state.cwd === undefined ? undefined : walk.place.disk?.alias(args[0]?.text ?? "", state.cwd));
    if (own !== undefined)
      return walk.text(
        [own.startsWith("!") ? own.slice(1) : `git ${own}`, ...args.slice(1).map(quoted)].join(" "),
        state,
        deeper(context, "git alias"),
      );
  }
  if (isOneOf(program, "docker podman") && args[0]?.text === "compose")
    return walk.dispatch([{ ...first, text: "docker-compose" }, ...args.slice(1)], redirects, state, context);
  // Names that are worked out again by the command itself: `test -v 'a[$(rm x)]'`.
  if (isOneOf(program, "compgen printf test [ unset read let declare"))
    for (const [index, arg] of args.entries())
      if (
        /\$\(|`/.test(arg.text) &&
        arg.known &&
        (isOneOf(args[index - 1]?.text ?? "", "-v -W") || /^\w+\[/.test(arg.text))
      )
        walk.text(
          arg.text.replace(/^[^$`]*/, "").replace(/[^)`]*$/, ""),
          copyOf(state),
          deeper(context, program),
        );
  const changed = builtin(walk, program, args, state, context);
  if (changed)
    return redirects.length === 0
      ? changed
      : [...changed, emit(walk, { program, called: first.text, args, redirects, ...at(state, context) })];
  // A script of that name comes before a program: `yarn build`.
  const named = isOneOf(program, "yarn pnpm bun") ? writtenFor(walk, program, args, state) : undefined;
  if (named && !context.stdin) {
    const stdin = { from: "text", text: named.text } as const;
    const fed = { program, called: first.text, args, redirects, ...at(state, context), stdin };
    if (textsRunBy(fed).length > 0) return ordered(fed, named);
  }
  const taken = unwrap(program, args);
  if (taken && !(program === "command" && /^-[vV]/.test(args[0]?.text ?? ""))) {
    const mounts = taken.elsewhere ? mountsOf(args, state.cwd) : [];
    const inner: { -readonly [key in keyof Context]: Context[key] } = {
      ...deeper(context, program),
      ...(taken.elsewhere && !isHere(program, args) ? { elsewhere: placeOf(program, args) } : {}),
      ...(mounts.length > 0 ? { mounts } : {}),
    };
    if (comesBack(program, args, context)) delete inner.elsewhere;
    // `uvx --from git+https://…` runs what lies there, by another name.
    const address = args
      .slice(0, args.length - (taken.words?.length ?? 0))
      .map((arg) => arg.text.replace(/^--\w+=/, ""))
      .find(isAddress);
    if (address !== undefined && isOneOf(program, "npx bunx npm pnpm yarn bun uvx pipx uv"))
      emit(walk, { program: address, called: address, args: [], redirects: [], ...at(state, inner) });
    for (const piece of textsRunBy({ program, called: first.text, args, redirects: [], via: [] }))
      if (isOneOf(program, "ssh scp sftp rsync"))
        walk.text(piece.text, copyOf(state), deeper(context, program));
    const assigned = taken.assigned.map((word) => assignment(word.text));
    for (const [name, value] of assigned) preload(walk, name, value, state, context);
    const report = isOneOf(program, "time strace ltrace script perf")
      ? reportOf(program, args, taken.words)
      : undefined;
    if (report)
      emit(walk, {
        program,
        called: first.text,
        args: [],
        ...at(state, context),
        redirects: [
          {
            mode: "write",
            target: report,
          },
        ],
      });
    const local = copyOf(state, assigned);
    if (taken.folder) local.cwd = moved(state, taken.folder);
    if (mounts.length > 0) local.cwd = workFolderOf(args) ?? state.cwd;
    // What goes into a variable from a file is known to whoever looks for that.
    const put = taken.assigned.filter((word) => word.from);
    if (put.length > 0)
      emit(walk, { program: "export", called: program, args: put, redirects: [], ...at(state, context) });
    // Files of a redirection lie here, wherever the command runs.
    if (inner.elsewhere !== undefined && redirects.length > 0) {
      emit(walk, { program, called: first.text, args, redirects, ...at(state, context) });
      if (taken.text) return runText(walk, taken.text, [], local, inner);
      return walk.dispatch(taken.words ?? [], [], local, inner);
    }
    if (taken.text) return runText(walk, taken.text, redirects, local, inner);
    return walk.dispatch(taken.words ?? [], redirects, local, inner);
  }
  // Without a command, a shell reads what it is fed.
  if (context.stdin && startsShell(program, args))
    return walk.dispatch(
      [{ text: "sh", known: true, glob: false }],
      redirects,
      state,
      deeper(context, program),
    );
  // So does one elsewhere.
  const remote = isOneOf(program, "ssh sshpass") && args.length > 0 ? textOf(context.stdin) : undefined;
  if (remote !== undefined) {
    const { stdin: _used, ...without } = context;
    const where = isHere(program, args) ? {} : { elsewhere: program };
    // What its options start, it starts here.
    for (const piece of textsRunBy({ program, called: first.text, args, redirects: [], via: [] }))
      walk.text(piece.text, copyOf(state), deeper(without, program));
    return walk.text(remote, copyOf(state), { ...deeper(without, program), ...where });
  }
  // `bash /dev/fd/3` reads what has been opened there.
  const opened = args.find((arg) => channelAt(arg.text, state)?.feed);
  const stdin = opened && channelAt(opened.text, state)?.feed;
  const self: Run = {
    program,
    called: first.text,
    args: opened ? args.map((arg) => (arg === opened ? { ...arg, text: "/dev/stdin" } : arg)) : args,
    redirects,
    ...at(state, context),
    ...(stdin ? { stdin } : {}),
    ...(first.known ? {} : { opaque: true as const }),
  };
  if (!first.known && first.from)
    return [emit(walk, { ...self, stdin: { from: "commands", commands: first.from } })];
  const renamed = state.cwd === undefined ? undefined : walk.copies.get(resolve(state.cwd, first.text));
  if (renamed !== undefined && first.text.includes("/"))
    return walk.dispatch(
      [{ ...first, text: renamed }, ...args],
      redirects,
      state,
      deeper(context, first.text),
    );
  const script = scriptFor(walk, program, args, state, textOf(self.stdin));
  if (script) return walk.dispatch([first, ...script], redirects, state, deeper(context, "script"));
  const fed = fedFrom(walk, self);
  if (fed) return walk.dispatch([first, ...fed.args], redirects, state, { ...context, stdin: fed.stdin });
  const shown = printedFrom(walk, self);
  if (shown !== undefined) {
    emit(walk, self);
    return [{ ...self, args: [], stdin: { from: "text", text: shown } }];
  }
  const sourced = sourcedBy(walk, self);
  // It sets what the shell itself goes on with.
  if (sourced !== undefined)
    return [
      emit(walk, { ...self, script: args[0]?.text ?? "" }),
      ...walk.text(sourced.text, state, deeper(context, sourced.via)),
    ];
  const text = self.stdin ? undefined : writtenFor(walk, program, args, state);
  const told: Run | undefined = text && { ...self, stdin: { from: "text", text: text.text } };
  // What lies there may have nothing to say about this call.
  if (text && told && (text.via === undefined || textsRunBy(told).length > 0)) return ordered(told, text);
  const found = embedded(self, walk.substitutions);
  const produced = !found ? [emit(walk, self)] : found.keep ? [emit(walk, found.run ?? self)] : [];
  const written = writtenScript(walk, found?.run ?? self);
  const pieces: readonly Inner[] = [
    ...(found?.inner ?? []),
    ...written,
    ...textsRunBy(self),
    ...wordsRunBy(self),
  ];
  for (const piece of pieces) {
    if (walk.runs.length > maxRuns) {
      walk.note("too many commands");
      break;
    }
    const { stdin: _used, ...without } = context;
    const inner = deeper(piece.fed ? without : context, piece.via);
    const local = copyOf(state);
    if (piece.cwd !== undefined)
      local.cwd = state.cwd === undefined ? undefined : resolve(state.cwd, piece.cwd);
    if ("run" in piece) produced.push(emit(walk, { ...piece.run, redirects: [], ...at(local, inner) }));
    else if ("words" in piece) produced.push(...walk.dispatch(piece.words, [], local, inner));
    else
      produced.push(
        ...walk.text(
          piece.text,
          piece.args ? copyOf(local, positional(piece.args, piece.zero)) : local,
          inner,
        ),
      );
  }
  return produced;
}

/** The file into which a program that only starts another one writes what it sees of it. */
function reportOf(program: string, args: readonly Word[], started: readonly Word[] = []): Word | undefined {
  const own = args.slice(0, args.length - started.length);
  const flag = own.findIndex((arg) => isOneOf(arg.text, "-o --output"));
  if (flag !== -1) return own[flag + 1];
  return program === "script"
    ? own.find(
        (arg, index) =>
          !arg.text.startsWith("-") && !/^(?:-[a-z]*[cTIOBt]|--command)$/.test(own[index - 1]?.text ?? ""),
      )
    : undefined;
}

/** The text that `source` runs, where it can be told. */
function sourcedBy(walk: Walk, { program, args, cwd }: Run): { text: string; via: string } | undefined {
  const [file] = args;
  if (!isOneOf(program, "source .") || !file?.known || cwd === undefined) return undefined;
  const path = resolve(cwd, file.text);
  const text = walk.substitutions.has(file.text) ? undefined : textAt(walk, path);
  return text === undefined ? undefined : { text, via: viaOf(walk, path, program) };
}

/** What `xargs -a` takes from a file, as if it were fed with it. */
function fedFrom(walk: Walk, { program, args, cwd }: Run): Required<Pick<Run, "args" | "stdin">> | undefined {
  if (!isOneOf(program, "xargs gxargs") || cwd === undefined) return undefined;
  const at = args.findIndex((arg) => /^(?:-a|--arg-file(?:=.*)?)$/.test(arg.text));
  const isGlued = args[at]?.text.includes("=") ?? false;
  const file = args[at]?.text.split("=")[1] ?? args[at + 1]?.text;
  const text = at === -1 || file === undefined ? undefined : textAt(walk, resolve(cwd, file));
  if (text === undefined) return undefined;
  return { args: args.toSpliced(at, isGlued ? 1 : 2), stdin: { from: "text", text } };
}

/** What `cat` shows of files, where somebody looks at the disk. */
function printedFrom(walk: Walk, { program, args, cwd, elsewhere }: Run): string | undefined {
  if (program !== "cat" || !walk.place.disk || cwd === undefined || elsewhere !== undefined) return undefined;
  const files = args.filter((arg) => !arg.text.startsWith("-"));
  const texts = files.map((arg) => (arg.known ? textAt(walk, resolve(cwd, arg.text)) : undefined));
  return files.length === 0 || texts.includes(undefined) ? undefined : texts.join("");
}

/** The program's name; one with a pattern in it is the first dangerous one that fits. */
function programOf(word: Word): string {
  const called = basename(word.text);
  const name = called.toLowerCase().endsWith(".exe") ? called.slice(0, -4) : called;
  if (!word.glob) return name;
  return dangerous.find((each) => matchesGlob(each, name)) ?? name;
}

const dangerous = [
  "rm",
  "dd",
  "mkfs.ext4",
  "mkfs",
  "shred",
  "chmod",
  "chown",
  "cat",
  "bash",
  "sh",
  "curl",
  "wget",
  "reboot",
  "shutdown",
  "poweroff",
  "find",
  "git",
];

const quoted = (word: Word): string => (word.known ? `'${word.text.replaceAll("'", `'\\''`)}'` : word.text);
