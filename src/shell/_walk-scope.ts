import { isOneOf } from "../core/one-of.ts";
import { forEachChild, type ArithmeticExpression, type SyntaxNode, type Word as SyntaxWord } from "unbash";
import { basename, dirname, resolve } from "node:path";
import type { Run } from "./model.ts";
import { calculated } from "./_arithmetic.ts";
import { assign, realName } from "./_variables.ts";
import { copyOf, deeper, type Walk, type State, type Context, type Place } from "./_walk.ts";
import { outputOf } from "./output.ts";
import { expandParts, expandSingle, numberIn, type Scope, type Value } from "./words.ts";

export function scopeOf(walk: Walk, state: State, context: Context): Scope {
  return {
    home: walk.place.home,
    get: (name) => state.vars.get(realName(state.vars, name)) ?? wellKnown(name, state, walk.place),
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
      const inner = part.script ? walk.script(part.script, copyOf(state), deeper(fed, label)) : [];
      if (part.type === "ProcessSubstitution") {
        const path = `/dev/fd/${part.operator === "<" ? "from" : "to"}-${walk.substitutions.size}`;
        walk.substitutions.set(path, inner);
        return { text: path, known: true, from: inner };
      }
      const text = printedBy(inner, walk.place);
      return text === undefined
        ? { text: part.text, known: false, from: inner }
        : { text: text.replace(/\n+$/, ""), known: true };
    },
  };
}

/** Variables every shell has, and outputs of commands everybody uses. */
function wellKnown(name: string, state: State, place: Place): Value | undefined {
  if (name === "CLAUDE_PROJECT_DIR" || name === "COPILOT_PROJECT_DIR" || name === "GITHUB_WORKSPACE")
    return { text: place.root, known: true };
  if (name === "HOME") return { text: place.home, known: true };
  if (name === "PWD") return state.cwd === undefined ? undefined : { text: state.cwd, known: true };
  if (name === "SHELL" || name === "BASH") return { text: "/bin/bash", known: true };
  if (name === "TMPDIR" || name === "TMP" || name === "TEMP") return { text: "/tmp", known: true };
  // A script that lies here.
  if (name === "0") return { text: "./0", known: true };
  // Numbers and names that only make a word unique.
  if (
    /^(?:[$!?#_-]|RANDOM|BASHPID|PPID|UID|EUID|SECONDS|LINENO|HOSTNAME|USER|LOGNAME|EPOCHSECONDS)$/.test(name)
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
  if (isOneOf(run.program, "which command type") && args.length > 0)
    return args.at(-1)?.includes("/") ? args.at(-1) : `/usr/bin/${args.at(-1)}`;
  if (run.program === "nproc" || run.program === "date") return "1";
  return undefined;
}

/** Walks the commands inside the substitutions of a node that is no command itself. */
export function substitutionsIn(node: SyntaxNode, scope: Scope): void {
  forEachChild(node, (child) => {
    if (child.type === "CommandExpansion" || child.type === "ProcessSubstitution") scope.substitute(child);
    else if (child.type === "ArithmeticCommandExpansion")
      scope.substitute({ ...child, type: "CommandExpansion", script: child.script });
    else substitutionsIn(child, scope);
  });
}

export const calculate = (node: ArithmeticExpression | undefined, scope: Scope): number | undefined =>
  calculated(node, { scope, expand: (parts) => expandParts(parts, scope) });

/** The number or name of an element. */
export function indexOf(word: SyntaxWord, array: Value | undefined, scope: Scope): string {
  const { text } = expandSingle(word, scope);
  return array?.keys ? text : String(numberIn(text, scope) ?? text);
}
