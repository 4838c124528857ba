import {
  forEachChild,
  parse,
  type ArithmeticExpression,
  type CommandNode,
  type PipelineNode,
  type Redirection,
  type Script,
  type Word as SyntaxWord,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { basename, dirname, isAbsolute, join, matchesGlob, resolve } from "node:path";
import type { Shell } from "../core/action.ts";
import type { Feed, Redirect, Run, Word } from "./model.ts";
import { calculated } from "./_arithmetic.ts";
import { patchFile } from "./_patching.ts";
import { aboutOf, textsRunBy, wordsRunBy } from "./_texts.ts";
import {
  assign,
  declaredBy,
  declares,
  positional,
  printsInto,
  reads,
  readsLines,
  realName,
  setsArguments,
  shiftsArguments,
} from "./_variables.ts";
import { embedded, type Inner } from "./embedded.ts";
import { outputOf, textOf } from "./output.ts";
import {
  expandAssignment,
  expandParts,
  expandSingle,
  expandWord,
  numberIn,
  type Scope,
  type Value,
} from "./words.ts";
import { unwrap } from "./wrappers.ts";

/** Where a command line runs. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  /** The workspace root. */
  readonly root: string;
}

export interface Unfolded {
  /** Every command that will or may run, in order. */
  readonly runs: readonly Run[];
  /** Why part of the text could not be understood; then nobody can vouch for it. */
  readonly troubles: readonly string[];
}

// The parser needs seconds on some texts beyond these, and synchronous code cannot be stopped kindly.
const maxLength = 64 * 1024;
const maxNesting = 64;
const maxRuns = 2000;
const maxDepth = 12;

interface State {
  cwd: string | undefined;
  /** Folders that `pushd` has left and `popd` goes back to. */
  left: readonly (string | undefined)[];
  readonly vars: Map<string, Value>;
  readonly functions: Map<string, SyntaxNode>;
  readonly aliases: Map<string, string>;
  /** Variables that end with the function they were declared in. */
  readonly locals?: Set<string>;
  /** Descriptors other than the usual ones, by number. */
  fds: ReadonlyMap<string, Channel>;
}

/** What is read from an open descriptor, and where it leads. */
interface Channel {
  readonly feed?: Feed;
  readonly target?: Word;
}

interface Context {
  readonly via: readonly string[];
  readonly stdin?: Feed;
  readonly elsewhere?: string;
  readonly mounts?: Run["mounts"];
  readonly depth: number;
}

/** Unfolds a command line to the commands that will really run, each with where it came from. */
export function unfold(text: string, place: Place, shell: Shell = "posix"): Unfolded {
  const runs: Run[] = [];
  const troubles: string[] = [];
  const substitutions = new Map<string, readonly Run[]>();
  /** Texts the command line itself puts into files. */
  const files = new Map<string, string>();
  /** Programs under another name: `cp /bin/rm ./r`. */
  const copies = new Map<string, string>();
  const traps: (() => void)[] = [];
  const note = (trouble: string): void => {
    if (!troubles.includes(trouble)) troubles.push(trouble);
  };
  if (shell === "posix") walkText(text, newState(place), { via: [], depth: 0 });
  else dispatch(["pwsh", "-Command", text].map(plainWord), [], newState(place), { via: [], depth: 0 });
  for (const trap of traps) trap();
  return { runs, troubles };

  function walkText(source: string, state: State, context: Context): Run[] {
    if (source.length > maxLength) note("the text is too long");
    else if (nesting(source) > maxNesting || context.depth > maxDepth) note("the text is nested too deep");
    else return walkScript(parse(source.replaceAll("\r\n", "\n")), state, context);
    return [];
  }

  function walkScript(script: Script, state: State, context: Context): Run[] {
    if ("errors" in script && (script as { errors?: readonly unknown[] }).errors?.length)
      note("part of the text is no complete command");
    return script.commands.flatMap((statement) => walkStatement(statement, state, context));
  }

  function walkStatement(statement: Statement, state: State, context: Context): Run[] {
    return walkNode(statement.command, state, context);
  }

  function walkList(
    node: { commands: readonly Statement[] } | undefined,
    state: State,
    context: Context,
  ): Run[] {
    return node?.commands.flatMap((statement) => walkStatement(statement, state, context)) ?? [];
  }

  function walkNode(node: PipelineNode | Statement["command"], state: State, context: Context): Run[] {
    if (runs.length > maxRuns) {
      note("too many commands");
      return [];
    }
    switch (node.type) {
      case "Pipeline": {
        let before: Run[] | undefined;
        const all: Run[] = [];
        for (const command of node.commands) {
          const inner = before
            ? { ...context, stdin: { from: "commands", commands: before } as const }
            : context;
          before = walkNode(command, node.commands.length > 1 ? copyOf(state) : state, inner);
          all.push(...before);
        }
        return node.commands.length > 1 ? (before ?? []) : all;
      }
      case "AndOr":
        return node.commands.flatMap((command) => walkNode(command, state, context));
      case "Subshell":
        return walkList(node.body, copyOf(state), context);
      case "BraceGroup":
        return walkList(node.body, state, context);
      case "If":
        return [
          ...walkList(node.clause, state, context),
          ...walkList(node.then, state, context),
          ...node.elif.flatMap((each) => [
            ...walkList(each.clause, state, context),
            ...walkList(each.then, state, context),
          ]),
          ...walkList(node.else, state, context),
        ];
      case "While":
        return walkWhile(node, state, context);
      case "For":
      case "Select":
        return walkLoop(
          node.name.value,
          node.wordlist?.flatMap((word) => expandWord(word, scopeOf(state, context))),
          node.body,
          state,
          context,
        );
      case "ArithmeticFor":
        return walkCounting(node, state, context);
      case "Case": {
        const before = copyOf(state);
        return node.items.flatMap((item) => {
          const inner = copyOf(before);
          const ran = walkList(item.body, inner, context);
          for (const [name, value] of inner.vars)
            if (before.vars.get(name) !== value) state.vars.set(name, value);
          return ran;
        });
      }
      case "Function":
        state.functions.set(node.name.value, node.body);
        // A function that pipes itself into itself never ends.
        return pipesItself(node.body, node.name.value)
          ? [
              emit({
                program: "fork bomb",
                called: node.name.value,
                args: [],
                redirects: [],
                ...at(state, context),
              }),
            ]
          : [];
      case "Coproc":
        return walkBody(node.body, copyOf(state), context);
      case "Redirected": {
        const { redirects, stdin, fds } = redirectsOf(node.redirects, state, context);
        const before = state.fds;
        state.fds = fds;
        const inner = walkNode(node.command, state, stdin ? { ...context, stdin } : context);
        state.fds = before;
        const own =
          redirects.length > 0
            ? [emit({ program: "", called: "", args: [], redirects, ...at(state, context) })]
            : [];
        return [...inner, ...own];
      }
      case "Command":
        return walkCommand(node, state, context);
      case "ArithmeticCommand":
        if (/\$\(|`/.test(node.body)) substitutionsIn(node, scopeOf(state, context));
        else calculate(node.expression, scopeOf(state, context));
        return [];
      default:
        // Tests run nothing but the substitutions inside them.
        substitutionsIn(node, scopeOf(state, context));
        return [];
    }
  }

  function walkBody(node: SyntaxNode, state: State, context: Context): Run[] {
    return node.type === "CompoundList"
      ? walkList(node, state, context)
      : walkNode(node as CommandNode, state, context);
  }

  function walkLoop(
    name: string,
    words: readonly Word[] | undefined,
    body: { commands: readonly Statement[] },
    state: State,
    context: Context,
  ): Run[] {
    const values = words?.filter((word) => word.known && !word.glob) ?? [];
    const rounds: Value[] = values.slice(0, 20).map(({ text }) => ({ text, known: true }));
    // What a glob or a substitution brings is only known when it runs, but it stays what it is made of.
    for (const word of words?.filter((each) => !each.known || each.glob).slice(0, 3) ?? []) {
      rounds.push({ text: word.text, known: word.known, list: [word] });
    }
    if (rounds.length === 0) rounds.push({ text: `$${name}`, known: false });
    return rounds.flatMap((value) => {
      state.vars.set(name, value);
      return walkList(body, state, context);
    });
  }

  /** A loop that reads known text line by line goes round as often as there are lines. */
  function walkWhile(
    node: { clause: { commands: readonly Statement[] }; body: { commands: readonly Statement[] } },
    state: State,
    context: Context,
  ): Run[] {
    const once = (): Run[] => [
      ...walkList(node.clause, state, context),
      ...walkList(node.body, state, context),
    ];
    const command = node.clause.commands[0]?.command;
    if (
      isEndless(command) &&
      node.body.commands.some((each) => each.background) &&
      !node.body.commands.some(waits)
    )
      emit({ program: "fork bomb", called: "while", args: [], redirects: [], ...at(state, context) });
    if (command?.type !== "Command" || command.name?.value !== "read") return once();
    const words = command.args.map((arg) => (arg.type === "Word" ? arg.value : ""));
    const number = words[words.findIndex((word) => /^-\w*u$/.test(word)) + 1] ?? "";
    const channel = words.some((word) => /^-\w*u$/.test(word)) ? state.fds.get(number) : undefined;
    const lines = textOf(channel ? channel.feed : context.stdin)?.split("\n");
    if (!lines) return once();
    if (lines.at(-1) === "") lines.pop();
    const fed = (from: number): Context => {
      const stdin = { from: "text", text: lines.slice(from).join("\n") } as const;
      if (!channel) return { ...context, stdin };
      state.fds = new Map([...state.fds, [number, { feed: stdin }]]);
      return context;
    };
    return lines
      .slice(0, 20)
      .flatMap((_, at) => [
        ...walkList(node.clause, state, fed(at)),
        ...walkList(node.body, state, fed(at + 1)),
      ]);
  }

  /** `for ((i = 0; i < n; i++))`: round by round as long as something is put together in it. */
  function walkCounting(
    node: {
      initialize: ArithmeticExpression | undefined;
      test: ArithmeticExpression | undefined;
      update: ArithmeticExpression | undefined;
      body: { commands: readonly Statement[] };
    },
    state: State,
    context: Context,
  ): Run[] {
    const scope = scopeOf(state, context);
    const most = node.body.commands.some((each) => assigns(each)) ? 64 : 2;
    const all: Run[] = [];
    calculate(node.initialize, scope);
    for (let round = 0; round < most; round++) {
      const test = calculate(node.test, scope);
      if (test === 0 || (test === undefined && round > 0)) break;
      all.push(...walkList(node.body, state, context));
      calculate(node.update, scope);
    }
    return all;
  }

  function walkCommand(node: CommandNode & { type: "Command" }, state: State, context: Context): Run[] {
    const scope = scopeOf(state, context);
    const { redirects, stdin, fds } = redirectsOf(node.redirects, state, context);
    const inner: Context = stdin ? { ...context, stdin } : context;
    const assigned = node.prefix.flatMap((part) => (part.type === "Assignment" ? [part] : []));
    const declared = (part: (typeof assigned)[number]) => ({
      name: part.name,
      value: expandAssignment(part.value, scope),
      append: part.append,
      index: part.index ? indexOf(part.index, scope.get(part.name), scope) : undefined,
    });
    if (!node.name && node.args.length === 0) {
      // One after the other: `a=/; b=$a` may stand in one command.
      for (const part of assigned) {
        const { name, value, ...manner } = declared(part);
        assign(state.vars, name, value, manner);
      }
      return redirects.length > 0
        ? [emit({ program: "", called: "", args: [], redirects, ...at(state, inner) })]
        : [];
    }
    const last = assigned.at(-1);
    // The parser takes `X=<(…) cmd` for an empty value and a command.
    const isTorn = last !== undefined && last.end === node.name?.pos && node.name.text.startsWith("<(");
    const values = assigned.map(
      (part) =>
        [
          part.name,
          expandAssignment(isTorn && part === last && node.name ? node.name : part.value, scope),
        ] as const,
    );
    const isDeclaring = declaring.has(node.name?.value ?? "");
    const words = [
      ...(node.name && !isTorn ? expandWord(node.name, scope) : []),
      ...node.args.flatMap((arg) => {
        if (arg.type === "Word") return expandWord(arg, scope);
        if (isDeclaring) {
          const made = declared(arg);
          setDeclared(
            node.args.map((each) => ("value" in each && each.type === "Word" ? each.value : "")),
            [made],
            state,
            !/^(?:export|readonly)$/.test(node.name?.value ?? ""),
          );
          return [{ text: made.name, known: true, glob: false }];
        }
        const value = expandAssignment(arg.value, scope);
        return [{ text: `${arg.name}=${value.text}`, known: value.known, glob: false }];
      }),
    ];
    if (words.length === 0) {
      for (const [name, value] of values) assign(state.vars, name, value);
      return redirects.length > 0
        ? [emit({ program: "", called: "", args: [], redirects, ...at(state, inner) })]
        : [];
    }
    for (const [name, value] of values) {
      // A variable that names a program for another one to start.
      if (
        /^(?:GIT_\w+|PAGER|MANPAGER|EDITOR|VISUAL|PROMPT_COMMAND|BASH_ENV|ENV|LESSOPEN|BROWSER|RSYNC_RSH|PS[014])$/.test(
          name,
        ) &&
        value.known
      ) {
        const text = value.from ? outputOf(value.from) : value.text;
        if (text !== undefined && /\s/.test(text)) walkText(text, copyOf(state), deeper(context, name));
      }
    }
    // `X=1 cmd` does not outlast the command, but its own words were expanded before it.
    const local = values.length > 0 ? copyOf(state, values) : state;
    const before = state.fds;
    local.fds = fds;
    const produced = dispatch(words, redirects, local, inner);
    // What `exec` opens stays open.
    state.fds = node.name?.value === "exec" && words.length === 1 ? fds : before;
    if (local !== state) {
      state.cwd = local.cwd;
      state.left = local.left;
      // What a built-in command reads or makes stays, though the settings it was given do not.
      if (/^(?:read|mapfile|readarray|printf|eval|\.|source)$/.test(words[0]?.text ?? ""))
        carryOver(local, state, new Set(values.map(([name]) => name)));
    }
    const end = words.at(-1);
    if (end) state.vars.set("_", { text: end.text, known: end.known, list: [end] });
    return produced;
  }

  function setDeclared(
    flags: readonly string[],
    all: Parameters<typeof declares>[2],
    state: State,
    isLocal: boolean,
  ): void {
    const letters = flags.filter((flag) => /^-[a-zA-Z]+$/.test(flag)).join("");
    if (isLocal && !letters.includes("g")) for (const { name } of all) state.locals?.add(name);
    declares(state.vars, letters, all);
  }

  function dispatch(
    words: readonly Word[],
    redirects: readonly Redirect[],
    state: State,
    context: Context,
  ): Run[] {
    const [first, ...args] = words;
    if (!first) return [];
    if (context.depth > maxDepth || runs.length > maxRuns) {
      note("the text is nested too deep");
      return [];
    }
    // A text in the place of a program: `yarn exec 'rm -rf x'`.
    if (first.known && /\s/.test(first.text.trim()) && context.via.length > 0)
      return walkText(first.text, state, deeper(context, "text"));
    const program = programOf(first);
    const alias = state.aliases.get(first.text);
    if (alias !== undefined) {
      const without = {
        ...state,
        aliases: new Map([...state.aliases].filter(([name]) => name !== first.text)),
      };
      return walkText(
        [alias, ...args.map(quoted)].join(" "),
        without,
        deeper(context, `alias ${first.text}`),
      );
    }
    const body = state.functions.get(first.text);
    if (body) {
      const via = `${first.text}()`;
      const inner = { ...copyOf(state, positional(args)), locals: new Set<string>() };
      // One that calls itself is followed some way, for `f f f rm`.
      if (context.via.filter((each) => each === via).length > 2) inner.functions.delete(first.text);
      const ran = walkBody(body, inner, deeper(context, via));
      state.cwd = inner.cwd;
      state.left = inner.left;
      carryOver(inner, state, inner.locals);
      return [
        ...ran,
        ...(redirects.length > 0
          ? [emit({ program: "", called: "", args: [], redirects, ...at(state, context) })]
          : []),
      ];
    }
    if (program === "git") {
      const setting = args.findIndex((arg) => /^alias\./.test(arg.text));
      if (args.some((arg) => arg.text === "config") && setting !== -1)
        state.aliases.set(`git ${args[setting]?.text.slice(6)}`, args[setting + 1]?.text ?? "");
      const own = state.aliases.get(`git ${args[0]?.text ?? ""}`);
      if (own !== undefined)
        return walkText(
          own.startsWith("!") ? own.slice(1) : `git ${own}`,
          state,
          deeper(context, "git alias"),
        );
    }
    if (/^(?:docker|podman)$/.test(program) && args[0]?.text === "compose")
      return dispatch([{ ...first, text: "docker-compose" }, ...args.slice(1)], redirects, state, context);
    // Names that are worked out again by the command itself: `test -v 'a[$(rm x)]'`.
    if (/^(?:compgen|printf|test|\[|unset|read|let|declare)$/.test(program))
      for (const [index, arg] of args.entries())
        if (
          /\$\(|`/.test(arg.text) &&
          arg.known &&
          (/^-[vW]$/.test(args[index - 1]?.text ?? "") || /^\w+\[/.test(arg.text))
        )
          walkText(
            arg.text.replace(/^[^$`]*/, "").replace(/[^)`]*$/, ""),
            copyOf(state),
            deeper(context, program),
          );
    const changed = builtin(program, args, state, context);
    if (changed)
      return redirects.length === 0
        ? changed
        : [...changed, emit({ program, called: first.text, args, redirects, ...at(state, context) })];
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
      if (address !== undefined && /^(?:npx|bunx|npm|pnpm|yarn|bun|uvx|pipx|uv)$/.test(program))
        emit({ program: address, called: address, args: [], redirects: [], ...at(state, inner) });
      for (const piece of textsRunBy({ program, called: first.text, args, redirects: [], via: [] }))
        if (/^(?:ssh|scp|sftp|rsync)$/.test(program))
          walkText(piece.text, copyOf(state), deeper(context, program));
      const local = copyOf(
        state,
        taken.assigned.map((word) => assignment(word.text)),
      );
      const moves =
        program === "env" ? args.findIndex((arg) => arg.text === "-C" || arg.text.startsWith("--chdir")) : -1;
      const folder = args[moves];
      if (moves !== -1)
        local.cwd = moved(
          state,
          folder?.text.includes("=")
            ? { ...folder, text: folder.text.replace(/^[^=]*=/, "") }
            : args[moves + 1],
        );
      if (taken.text) return runText(taken.text, redirects, local, inner);
      return dispatch(taken.words ?? [], redirects, local, inner);
    }
    // Without a command, a shell elsewhere reads what it is fed.
    const remote = /^(?:ssh|sshpass)$/.test(program) && args.length > 0 ? textOf(context.stdin) : undefined;
    if (remote !== undefined) {
      const { stdin: _used, ...without } = context;
      const place = isHere(program, args) ? {} : { elsewhere: program };
      return walkText(remote, copyOf(state), { ...deeper(without, program), ...place });
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
      return [emit({ ...self, stdin: { from: "commands", commands: first.from } })];
    const renamed = state.cwd === undefined ? undefined : copies.get(resolve(state.cwd, first.text));
    if (renamed !== undefined && first.text.includes("/"))
      return dispatch([{ ...first, text: renamed }, ...args], redirects, state, deeper(context, first.text));
    const text = self.stdin ? undefined : writtenFor(program, args, state);
    if (text !== undefined) {
      const fed: Run = { ...self, stdin: { from: "text", text } };
      const ran = textsRunBy(fed).flatMap((piece) =>
        walkText(piece.text, copyOf(state), deeper(context, piece.via)),
      );
      return [emit(fed), ...ran];
    }
    const found = embedded(self, substitutions);
    const produced = !found ? [emit(self)] : found.keep ? [emit(found.run ?? self)] : [];
    const written = writtenScript(found?.run ?? self);
    const pieces: readonly Inner[] = [
      ...(found?.inner ?? []),
      ...written,
      ...textsRunBy(self),
      ...wordsRunBy(self),
    ];
    for (const piece of pieces) {
      const { stdin: _used, ...without } = context;
      const inner = deeper(piece.fed ? without : context, piece.via);
      const local = copyOf(state);
      if (piece.cwd !== undefined)
        local.cwd = state.cwd === undefined ? undefined : resolve(state.cwd, piece.cwd);
      if ("run" in piece) produced.push(emit({ ...piece.run, redirects: [], ...at(local, inner) }));
      else if ("words" in piece) produced.push(...dispatch(piece.words, [], local, inner));
      else
        produced.push(
          ...walkText(
            piece.text,
            piece.args ? copyOf(local, positional(piece.args, piece.zero)) : local,
            inner,
          ),
        );
    }
    return produced;
  }

  /** The text this command line has written into the file that a program takes its orders from. */
  function writtenFor(program: string, args: readonly Word[], state: State): string | undefined {
    const { cwd } = state;
    if (cwd === undefined || files.size === 0) return undefined;
    const flag = args.findIndex((arg) => /^(?:-f|--file|--justfile|-t|--taskfile)$/.test(arg.text));
    const patch = flag === -1 ? patchFile(program, args) : undefined;
    const named = patch
      ? [patch.text]
      : flag === -1
        ? (defaults[program] ?? [])
        : [args[flag + 1]?.text ?? ""];
    const name = named.find((each) => files.has(resolve(cwd, each)));
    return name === undefined ? undefined : files.get(resolve(cwd, name));
  }

  /** The text of a script this very command line has written. */
  function writtenScript(run: Run): Inner[] {
    const file = run.script ?? (run.called.includes("/") ? run.called : undefined);
    if (file === undefined || run.cwd === undefined) return [];
    const text = files.get(resolve(run.cwd, file));
    if (text === undefined) return [];
    const again = embedded({ ...run, args: [], stdin: { from: "text", text } }, substitutions);
    const code = again?.run?.effects;
    if (code) emit({ ...run, effects: code });
    return (again?.inner ?? [{ via: "script", text }]).map((piece) => ({ ...piece, fed: true as const }));
  }

  /** A word that is a whole program: known text is walked, unknown text is told about. */
  function runText(text: Word, redirects: readonly Redirect[], state: State, context: Context): Run[] {
    if (text.known) return walkText(text.text, state, context);
    const stdin: Feed | undefined = text.from ? { from: "commands", commands: text.from } : undefined;
    return [
      emit({
        program: "sh",
        called: "sh",
        args: [text],
        redirects,
        ...at(state, context),
        ...(stdin ? { stdin } : {}),
        opaque: true,
      }),
    ];
  }

  /** Built-in commands that change what later ones mean. */
  function builtin(
    program: string,
    args: readonly Word[],
    state: State,
    context: Context,
  ): Run[] | undefined {
    switch (program) {
      case "cd":
      case "pushd": {
        const to = args.find((arg) => !/^-[LPe@]+$|^--$/.test(arg.text));
        const before = state.cwd;
        if (program === "pushd") state.left = [...state.left, before];
        const [beside] = state.vars.get("CDPATH")?.text.split(":") ?? [];
        state.cwd =
          to?.text === "-"
            ? state.vars.get("OLDPWD")?.text
            : moved(beside && /^\w/.test(to?.text ?? "") ? { ...state, cwd: beside } : state, to);
        if (before === undefined) state.vars.delete("OLDPWD");
        else state.vars.set("OLDPWD", { text: before, known: true });
        return [];
      }
      case "popd":
        state.cwd = state.left.at(-1);
        state.left = state.left.slice(0, -1);
        return [];
      case "export":
      case "declare":
      case "typeset":
      case "local":
      case "readonly": {
        if (args.length === 0 || args.some((arg) => /^-\w*p/.test(arg.text))) return undefined;
        setDeclared(
          args.map((arg) => arg.text),
          args.flatMap((arg) => declaredBy(arg) ?? []),
          state,
          program !== "export" && program !== "readonly",
        );
        return [];
      }
      case "unset":
        for (const arg of args) state.vars.delete(realName(state.vars, arg.text));
        return [];
      case "read":
        reads(
          state.vars,
          args,
          (number) => (number === undefined ? context.stdin : state.fds.get(number)?.feed),
          state.vars.get("IFS")?.text ?? " \t\n",
        );
        return [];
      case "mapfile":
      case "readarray": {
        const called = readsLines(state.vars, args, context.stdin);
        return called ? runText(called, [], copyOf(state), deeper(context, program)) : [];
      }
      case "printf":
        return printsInto(state.vars, args) ? [] : undefined;
      case "let":
        for (const arg of args) numberIn(arg.text, scopeOf(state, context));
        return [];
      case "alias":
        for (const arg of args) {
          const [name, value] = assignment(arg.text);
          if (arg.text.includes("=")) state.aliases.set(name, value.text);
        }
        return [];
      case "eval": {
        const text = args.map((arg) => arg.text).join(" ");
        const from = args.flatMap((arg) => arg.from ?? []);
        const word = {
          text,
          known: args.every((arg) => arg.known),
          glob: false,
          ...(from.length > 0 ? { from } : {}),
        };
        return runText(word, [], state, deeper(context, "eval"));
      }
      case "trap": {
        const text = args.find((arg) => !arg.text.startsWith("-"));
        // It runs at the end, with what the variables hold by then.
        if (text && args.length > 1)
          traps.push(() => void runText(text, [], copyOf(state), deeper(context, "trap")));
        return [];
      }
      case "set":
        setsArguments(state.vars, args);
        return args.length === 0 ? undefined : [];
      case "shift":
        shiftsArguments(state.vars, args, scopeOf(state, context));
        return [];
      case "hash": {
        const at = args.findIndex((arg) => arg.text === "-p");
        const [path, name] = at === -1 ? [] : args.slice(at + 1);
        if (path && name) state.aliases.set(name.text, path.text);
        return [];
      }
      case "shopt":
        return [];
      default:
        return undefined;
    }
  }

  function redirectsOf(
    all: readonly Redirection[],
    state: State,
    context: Context,
  ): { redirects: Redirect[]; stdin?: Feed; fds: ReadonlyMap<string, Channel> } {
    const redirects: Redirect[] = [];
    let stdin: Feed | undefined;
    let { fds } = state;
    const scope = scopeOf(state, context);
    const opens = (each: Redirection, feed: Feed | undefined, target?: Word): void => {
      const name = descriptorOf(each);
      if (name === "0") stdin = feed ?? stdin;
      else if (name !== undefined)
        fds = new Map([...fds, [name, { ...(feed ? { feed } : {}), ...(target ? { target } : {}) }]]);
      if (each.descriptor?.type === "FileDescriptorVariable")
        assign(state.vars, each.descriptor.name, { text: name ?? "", known: true });
    };
    for (const each of all) {
      if (each.type === "HereDoc") {
        const value = each.body.parts ? expandParts(each.body.parts, scope) : { text: each.body.text };
        opens(each, {
          from: "text",
          text: each.operator === "<<-" ? value.text.replace(/^\t+/gm, "") : value.text,
        });
      } else if (each.type === "HereString") {
        opens(each, { from: "text", text: `${each.target ? expandSingle(each.target, scope).text : ""}\n` });
      } else if (each.target) {
        const value = expandSingle(each.target, scope);
        const target: Word = {
          text: value.text,
          known: value.known,
          glob: false,
          ...(value.emptied === undefined ? {} : { emptied: value.emptied }),
        };
        const number = descriptorOf(each);
        if (each.operator.includes("&") && (/^&?(?:\d*|\{\w+\})-?$/.test(value.text) || !value.known)) {
          const channel = fds.get(value.text);
          if (each.operator === "<&" && channel) opens(each, channel.feed, channel.target);
          else if (channel?.target && number === undefined)
            redirects.push({ mode: "append", target: channel.target });
          continue;
        }
        const fed = substitutions.get(value.text);
        const feed = fed ? ({ from: "commands", commands: fed } as const) : feedAt(value, state);
        if (each.operator.startsWith("<")) opens(each, feed, target);
        else if (number !== undefined) opens(each, undefined, target);
        const fd =
          number === undefined || /^[01]$/.test(number) || !/^\d$/.test(number) ? {} : { fd: Number(number) };
        if (each.operator === "<" && fed) continue;
        redirects.push({
          mode: each.operator === "<" ? "read" : each.operator.includes(">>") ? "append" : "write",
          target,
          ...fd,
        });
      }
    }
    return stdin ? { redirects, stdin, fds } : { redirects, fds };
  }

  /** What is read from a file this command line has written, or from the network by a name of the shell's. */
  function feedAt(path: Value, state: State): Feed | undefined {
    if (/^\/dev\/(?:tcp|udp)\//.test(path.text))
      return {
        from: "commands",
        commands: [{ program: "/dev/tcp", called: path.text, args: [], redirects: [], via: [] }],
      };
    const own = channelAt(path.text, state);
    if (own?.feed) return own.feed;
    const text =
      state.cwd === undefined || !path.known ? undefined : files.get(resolve(state.cwd, path.text));
    return text === undefined ? undefined : { from: "text", text };
  }

  function scopeOf(state: State, context: Context): Scope {
    return {
      home: place.home,
      get: (name) => state.vars.get(realName(state.vars, name)) ?? wellKnown(name, state, place),
      set: (name, value) => assign(state.vars, name, value),
      ifs: state.vars.get("IFS")?.text ?? " \t\n",
      substitute(part) {
        if (part.type !== "CommandExpansion" && part.type !== "ProcessSubstitution") {
          substitutionsIn(part, this);
          return { text: part.text, known: false };
        }
        const label = part.type === "CommandExpansion" ? "$(…)" : `${part.operator}(…)`;
        // What is written into `>(…)` is mostly what the command itself is fed with, as by tee.
        const { stdin, ...without } = context;
        const fed = part.type === "ProcessSubstitution" && part.operator === ">" && stdin ? context : without;
        const inner = part.script ? walkScript(part.script, copyOf(state), deeper(fed, label)) : [];
        if (part.type === "ProcessSubstitution") {
          const path = `/dev/fd/${part.operator === "<" ? "from" : "to"}-${substitutions.size}`;
          substitutions.set(path, inner);
          return { text: path, known: true, from: inner };
        }
        const text = printedBy(inner, place);
        return text === undefined
          ? { text: part.text, known: false, from: inner }
          : { text: text.replace(/\n+$/, ""), known: true };
      },
    };
  }

  function emit(run: Run): Run {
    const [from, to] = /^(?:cp|ln|install|mv)$/.test(run.program)
      ? run.args.filter((arg) => !arg.text.startsWith("-"))
      : [];
    const program = /^\/(?:usr\/)?(?:local\/)?s?bin\/([\w.-]+)$/.exec(from?.text ?? "")?.[1];
    if (program !== undefined && to && run.cwd !== undefined) copies.set(resolve(run.cwd, to.text), program);
    for (const { mode, target } of run.redirects) {
      const text =
        mode === "read" || run.cwd === undefined || !target.known
          ? undefined
          : outputOf([{ ...run, redirects: [] }]);
      if (text !== undefined && run.cwd !== undefined) files.set(resolve(run.cwd, target.text), text);
    }
    if (run.program === "tee" && run.cwd !== undefined) {
      const text = textOf(run.stdin);
      for (const arg of run.args)
        if (text !== undefined && !arg.text.startsWith("-")) files.set(resolve(run.cwd, arg.text), text);
    }
    const about = aboutOf(run);
    if (about) {
      const marked = { ...run, about };
      runs.push(marked);
      return marked;
    }
    runs.push(run);
    // What is written to the shell's own name for a connection goes there.
    for (const { mode, target } of run.redirects) {
      const [, kind, host = "", port = ""] = /^\/dev\/(tcp|udp)\/([^/]*)\/?(.*)$/.exec(target.text) ?? [];
      if (kind === undefined || mode === "read" || run.program === "exec") continue;
      const words = [host, port].map((text) => ({ text, known: target.known, glob: false }));
      const stdin = { from: "commands", commands: [{ ...run, redirects: [] }] } as const;
      runs.push({
        program: "/dev/tcp",
        called: target.text,
        args: words,
        redirects: [],
        via: run.via,
        stdin,
      });
    }
    return run;
  }
}

/** The descriptor a redirection is about, where it says so; input has the number 0. */
function descriptorOf({ descriptor, operator }: Redirection): string | undefined {
  if (descriptor?.type === "FileDescriptorVariable") return `{${descriptor.name}}`;
  return descriptor ? String(descriptor.value) : operator.startsWith("<") ? "0" : undefined;
}

const channelAt = (path: string, state: State): Channel | undefined => {
  const name = /^\/(?:dev|proc\/self)\/fd\/(\d+|\{\w+\})$/.exec(path)?.[1];
  return name === undefined ? undefined : state.fds.get(name);
};

function pipesItself(node: SyntaxNode, name: string): boolean {
  let found = false;
  let inLoop = false;
  const look = (each: SyntaxNode): void => {
    if (each.type === "Pipeline") {
      const calls = each.commands.filter(
        (command) => command.type === "Command" && command.name?.value === name,
      );
      if (calls.length > 1) found = true;
    }
    // One copy of itself in the background, and the next at once.
    if (each.type === "CompoundList" || each.type === "BraceGroup" || each.type === "Subshell") {
      const list = each.type === "CompoundList" ? each.commands : each.body.commands;
      const own = list.filter((statement) => isCallOf(statement, name));
      if (own.some((statement) => statement.background) && (own.length > 1 || inLoop)) found = true;
    }
    const before = inLoop;
    if (each.type === "While") inLoop = true;
    if (!found) forEachChild(each, look);
    inLoop = before;
  };
  look(node);
  return found;
}

const isEndless = (node: Statement["command"] | undefined): boolean =>
  node?.type === "Command" && /^(?:true|:)$/.test(node.name?.value ?? "");

/** Does a statement of a loop keep it from starting the next thing at once? */
function waits({ command }: Statement): boolean {
  const all = command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
  return all.some(
    (each) =>
      each.type === "Command" &&
      /^(?:sleep|wait|read|inotifywait|break|exit|return)$/.test(each.name?.value ?? ""),
  );
}

function isCallOf({ command }: Statement, name: string): boolean {
  const [only, ...more] =
    command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
  return more.length === 0 && only?.type === "Command" && only.name?.value === name;
}

/** Walks the commands inside the substitutions of a node that is no command itself. */
function substitutionsIn(node: SyntaxNode, scope: Scope): void {
  forEachChild(node, (child) => {
    if (child.type === "CommandExpansion" || child.type === "ProcessSubstitution") scope.substitute(child);
    else if (child.type === "ArithmeticCommandExpansion")
      scope.substitute({ ...child, type: "CommandExpansion", script: child.script });
    else substitutionsIn(child, scope);
  });
}

/** The program's name; one with a pattern in it is the first dangerous one that fits. */
function programOf(word: Word): string {
  const name = basename(word.text).replace(/\.exe$/i, "");
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

const isAddress = (text: string): boolean => /^(?:git\+|https?:\/\/|github:|gitlab:)/.test(text);

/** One that runs already is another place than one that is made for the command. */
const placeOf = (program: string, args: readonly Word[]): string =>
  /^(?:docker|podman|nerdctl|docker-compose)$/.test(program) && args.some((arg) => arg.text === "exec")
    ? `${program} exec`
    : program;

/** Another name for this machine. */
const isHere = (program: string, args: readonly Word[]): boolean =>
  program === "ssh" &&
  args.some((arg) => /^(?:[\w.-]+@)?(?:localhost|127\.0\.0\.1|::1)$/.test(arg.text)) &&
  !args.some((arg) => arg.text === "-p");

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

/** A container that enters the first process or the mounted root is on this machine again. */
function comesBack(program: string, args: readonly Word[], { mounts }: Context): boolean {
  if (program === "nsenter")
    return args.some(
      ({ text }, at) =>
        /^(?:-t1|--target=1)$/.test(text) || (/^(?:-t|--target)$/.test(text) && args[at + 1]?.text === "1"),
    );
  return (
    program === "chroot" &&
    (mounts?.some(([inside, outside]) => outside === "/" && args.some((arg) => arg.text === inside)) ?? false)
  );
}

/** `-v outside:inside` of a container. */
function mountsOf(args: readonly Word[], cwd: string | undefined): (readonly [string, string])[] {
  return args.flatMap((arg, index): (readonly [string, string])[] => {
    const value = /^(?:-v|--volume)$/.test(args[index - 1]?.text ?? "")
      ? arg.text
      : /^(?:-v|--volume=)(.+)$/.exec(arg.text)?.[1];
    const [outside, inside] = value?.split(":") ?? [];
    const bind = arg.text.includes("type=bind")
      ? {
          from: /(?:source|src)=([^,]+)/.exec(arg.text)?.[1],
          to: /(?:target|dst|destination)=([^,]+)/.exec(arg.text)?.[1],
        }
      : undefined;
    if (bind?.from && bind.to) return [[bind.to, bind.from]];
    if (!outside || !inside?.startsWith("/") || !/^[/.~]/.test(outside)) return [];
    return [[inside, outside.startsWith("/") ? outside : resolve(cwd ?? "/", outside)]];
  });
}

const newState = (place: Place): State => ({
  cwd: place.cwd,
  left: [],
  vars: new Map(),
  functions: new Map(),
  aliases: new Map(),
  fds: new Map(),
});

const copyOf = (state: State, values: readonly (readonly [string, Value])[] = []): State => ({
  cwd: state.cwd,
  left: state.left,
  vars: new Map([...state.vars, ...values]),
  functions: new Map(state.functions),
  aliases: new Map(state.aliases),
  fds: state.fds,
});

/** Takes over what a function or a built-in command has set, but for what was only its own. */
function carryOver(from: State, to: State, except: ReadonlySet<string>): void {
  for (const [name, value] of from.vars)
    if (!/^[\d@*#]/.test(name) && !except.has(name)) to.vars.set(name, value);
  for (const [name, body] of from.functions) to.functions.set(name, body);
}

const declaring = new Set(["declare", "typeset", "local", "export", "readonly"]);

/** Does a statement give a variable a value? */
function assigns(node: SyntaxNode): boolean {
  if (node.type === "Assignment") return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= assigns(child);
  });
  return found;
}

const calculate = (node: ArithmeticExpression | undefined, scope: Scope): number | undefined =>
  calculated(node, { scope, expand: (parts) => expandParts(parts, scope) });

/** The number or name of an element. */
function indexOf(word: SyntaxWord, array: Value | undefined, scope: Scope): string {
  const { text } = expandSingle(word, scope);
  return array?.keys ? text : String(numberIn(text, scope) ?? text);
}

const deeper = (context: Context, via: string): Context => ({
  ...context,
  via: [...context.via, via],
  depth: context.depth + 1,
});

const at = (
  state: State,
  { via, stdin, elsewhere, mounts }: Context,
): Pick<Run, "cwd" | "via" | "stdin" | "elsewhere" | "mounts" | "stage"> => ({
  via,
  ...stageOf(state),
  ...(mounts ? { mounts } : {}),
  ...(state.cwd === undefined ? {} : { cwd: state.cwd }),
  ...(stdin ? { stdin } : {}),
  ...(elsewhere === undefined ? {} : { elsewhere }),
});

const stages = ["RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "DJANGO_ENV"];

function stageOf({ vars }: State): { stage?: string } {
  if (vars.size === 0) return {};
  const value = stages.map((name) => vars.get(name)).find((each) => each?.known);
  return value ? { stage: value.text } : {};
}

function moved(state: State, to: Word | undefined): string | undefined {
  if (!to) return state.vars.get("HOME")?.text;
  if (!to.known || to.text === "-" || to.glob) return undefined;
  if (isAbsolute(to.text)) return resolve(to.text);
  return state.cwd === undefined ? undefined : join(state.cwd, to.text);
}

/** Variables every shell has, and outputs of commands everybody uses. */
function wellKnown(name: string, state: State, place: Place): Value | undefined {
  if (name === "CLAUDE_PROJECT_DIR" || name === "COPILOT_PROJECT_DIR" || name === "GITHUB_WORKSPACE")
    return { text: place.root, known: true };
  if (name === "HOME") return { text: place.home, known: true };
  if (name === "PWD") return state.cwd === undefined ? undefined : { text: state.cwd, known: true };
  if (name === "SHELL" || name === "BASH") return { text: "/bin/bash", known: true };
  if (name === "TMPDIR" || name === "TMP" || name === "TEMP") return { text: "/tmp", known: true };
  // Numbers and names that only make a word unique.
  if (
    /^(?:[$!?#0_-]|RANDOM|BASHPID|PPID|UID|EUID|SECONDS|LINENO|HOSTNAME|USER|LOGNAME|EPOCHSECONDS)$/.test(
      name,
    )
  )
    return { text: "0", known: true };
  if (name === "IFS") return { text: " \t\n", known: true };
  return undefined;
}

function printedBy(inner: readonly Run[], place: Place): string | undefined {
  const text = outputOf(inner);
  if (text !== undefined) return text;
  const [run] = inner;
  if (!run || inner.length !== 1) return undefined;
  const args = run.args.map((arg) => arg.text);
  if (run.program === "dirname" && run.args[0]?.known) return dirname(args[0] ?? "");
  if (run.program === "basename" && run.args[0]?.known) return basename(args[0] ?? "", args[1]);
  if (
    (run.program === "realpath" || run.program === "readlink") &&
    run.cwd !== undefined &&
    run.args.at(-1)?.known
  )
    return resolve(run.cwd, args.at(-1) ?? "");
  if (run.program === "mktemp") return "/tmp/tmp.hookline";
  if (run.program === "git" && args.includes("--show-toplevel")) return place.root;
  if (/^(?:which|command|type)$/.test(run.program) && args.length > 0)
    return args.at(-1)?.includes("/") ? args.at(-1) : `/usr/bin/${args.at(-1)}`;
  if (run.program === "nproc" || run.program === "date") return "1";
  return undefined;
}

function assignment(text: string): [string, Value] {
  const at = text.indexOf("=");
  return [text.slice(0, at), { text: text.slice(at + 1), known: true }];
}

const plainWord = (text: string): Word => ({ text, known: true, glob: false });

const quoted = (word: Word): string => (word.known ? `'${word.text.replaceAll("'", `'\\''`)}'` : word.text);

/** How deep openers are stacked at most, counted naively: quotes and comments only make it larger. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 40 || code === 123) deepest = Math.max(deepest, ++depth);
    else if (code === 41 || code === 125) depth = Math.max(0, depth - 1);
  }
  return deepest;
}
