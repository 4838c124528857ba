import { isOneOf } from "../core/one-of.ts";
import type { CommandNode } from "unbash";
import type { Run } from "./model.ts";
import { assign } from "./_variables.ts";
import { copyOf, carryOver, deeper, at, type Walk, type State, type Context } from "./_walk.ts";
import { scopeOf, indexOf } from "./_walk-scope.ts";
import { feedInto, redirectsOf } from "./_walk-redirects.ts";
import { emit } from "./_walk-emit.ts";
import { preload } from "./_walk-preload.ts";
import { setDeclared } from "./_walk-builtins.ts";
import { outputOf } from "./output.ts";
import { expandAssignment, expandWord, type Value } from "./words.ts";

export function walkCommand(
  walk: Walk,
  node: CommandNode & { type: "Command" },
  state: State,
  context: Context,
): Run[] {
  const scope = scopeOf(walk, state, context);
  const { redirects, stdin, fds } = redirectsOf(walk, node.redirects, state, context);
  const inner: Context = stdin ? { ...context, stdin } : context;
  const assigned: Extract<(typeof node.prefix)[number], { type: "Assignment" }>[] = [];
  for (const part of node.prefix) if (part.type === "Assignment") assigned.push(part);
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
  const values: (readonly [string, Value])[] = [];
  for (const part of assigned) {
    const given = isTorn && part === last && node.name ? node.name : part.value;
    values.push([part.name, expandAssignment(given, scope)]);
  }
  const isDeclaring = declaring.has(node.name?.value ?? "");
  const words = node.name && !isTorn ? expandWord(node.name, scope) : [];
  for (const arg of node.args) {
    if (arg.type === "Word") {
      words.push(...expandWord(arg, scope));
    } else if (isDeclaring) {
      const made = declared(arg);
      if (isExporting(node)) preload(walk, made.name, made.value, state, context);
      setDeclared(
        node.args.map((each) => ("value" in each && each.type === "Word" ? each.value : "")),
        [made],
        state,
        !isOneOf(node.name?.value ?? "", "export readonly"),
      );
      words.push({ text: made.name, known: true, glob: false });
    } else {
      const value = expandAssignment(arg.value, scope);
      words.push({ text: `${arg.name}=${value.text}`, known: value.known, glob: false });
    }
  }
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
  feedInto(walk, node.redirects, produced, local, context);
  // What `exec` opens stays open.
  state.fds = node.name?.value === "exec" && words.length === 1 ? fds : before;
  if (local !== state) {
    state.cwd = local.cwd;
    state.left = local.left;
    // What a built-in command reads or makes stays, though the settings it was given do not.
    if (isOneOf(words[0]?.text ?? "", "read mapfile readarray printf eval . source"))
      carryOver(local, state, new Set(values.map(([name]) => name)));
  }
  const end = words.at(-1);
  if (end) state.vars.set("_", { text: end.text, known: end.known, list: [end] });
  return produced;
}

/** `export X=1`, `declare -x X=1` */
const isExporting = ({ name, args }: CommandNode & { type: "Command" }): boolean =>
  name?.value === "export" || args.some((arg) => arg.type === "Word" && /^-\w*x/.test(arg.value));

const declaring = new Set(["declare", "typeset", "local", "export", "readonly"]);
