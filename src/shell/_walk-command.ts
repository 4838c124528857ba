import type { CommandNode } from "unbash";
import type { Run } from "./model.ts";
import { assign } from "./_variables.ts";
import { copyOf, carryOver, deeper, at, type Walk, type State, type Context } from "./_walk.ts";
import { scopeOf, indexOf } from "./_walk-scope.ts";
import { redirectsOf } from "./_walk-redirects.ts";
import { emit } from "./_walk-emit.ts";
import { preload } from "./_walk-preload.ts";
import { setDeclared } from "./_walk-builtins.ts";
import { outputOf } from "./output.ts";
import { expandAssignment, expandWord } from "./words.ts";

export function walkCommand(
  walk: Walk,
  node: CommandNode & { type: "Command" },
  state: State,
  context: Context,
): Run[] {
  const scope = scopeOf(walk, state, context);
  const { redirects, stdin, fds } = redirectsOf(walk, node.redirects, state, context);
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
      ? [emit(walk, { program: "", called: "", args: [], redirects, ...at(state, inner) })]
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
        if (node.name?.value === "export") preload(walk, made.name, made.value, state, context);
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
      ? [emit(walk, { program: "", called: "", args: [], redirects, ...at(state, inner) })]
      : [];
  }
  for (const [name, value] of values) {
    preload(walk, name, value, state, context);
    // A variable that names a program for another one to start.
    if (
      /^(?:GIT_\w+|PAGER|MANPAGER|EDITOR|VISUAL|PROMPT_COMMAND|BASH_ENV|ENV|LESSOPEN|BROWSER|RSYNC_RSH|PS[014])$/.test(
        name,
      ) &&
      value.known
    ) {
      const text = value.from ? outputOf(value.from) : value.text;
      // `less` is told by a bar that a command follows.
      if (text !== undefined && /\s/.test(text))
        walk.text(text.replace(/^\|{1,2}-?/, ""), copyOf(state), deeper(context, name));
    }
  }
  // `X=1 cmd` does not outlast the command, but its own words were expanded before it.
  const local = values.length > 0 ? copyOf(state, values) : state;
  const before = state.fds;
  local.fds = fds;
  const produced = walk.dispatch(words, redirects, local, inner);
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

const declaring = new Set(["declare", "typeset", "local", "export", "readonly"]);
