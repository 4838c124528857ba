import { resolve } from "node:path";
import { variableOf } from "../core/agent-variables.ts";
import { copyOf, deeper, at, textAt, type Context, type State, type Walk } from "./_walk.ts";
import { emit } from "./_walk-emit.ts";

/** Variables by which a program is made to run a file before its own code, and how their values name it. */
const loading: Readonly<Record<string, RegExp>> = {
  LD_PRELOAD: /[^\s:]+/g,
  LD_AUDIT: /[^\s:]+/g,
  DYLD_INSERT_LIBRARIES: /[^\s:]+/g,
  BASH_ENV: /^\S+$/g,
  ENV: /^\S*\/\S*$/g,
  PYTHONSTARTUP: /^.+$/g,
  NODE_OPTIONS: /(?<=(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)[\s=])\S+/g,
  BUN_OPTIONS: /(?<=(?:^|\s)(?:-r|--preload|--require)[\s=])\S+/g,
  RUBYOPT: /(?<=(?:^|\s)-r\s*)\S+/g,
  PERL5OPT: /(?<=(?:^|\s)-M)\S+/g,
  JAVA_TOOL_OPTIONS: /(?<=-(?:javaagent|agentpath):)[^\s=]+/g,
};

/** Tells of a variable by which an agent is started without hooks, for whatever comes after it. */
export function tellOf(
  walk: Walk,
  name: string,
  values: readonly { readonly text: string; readonly known: boolean }[],
  state: State,
  context: Context,
): void {
  if (!variableOf(name)) return;
  emit(walk, {
    program: "agent-variable",
    called: name,
    args: values.map(({ text, known }) => ({ text, known, glob: false })),
    redirects: [],
    ...at(state, deeper(context, name)),
  });
}

/** Tells of the files that a setting makes every program run that comes after it. */
export function preload(
  walk: Walk,
  name: string,
  value: { readonly text: string; readonly known: boolean },
  state: State,
  context: Context,
): void {
  tellOf(walk, name, [value], state, context);
  const pattern = Object.hasOwn(loading, name) ? loading[name] : undefined;
  if (pattern === undefined) return;
  for (const [file] of value.text.matchAll(pattern)) {
    // A shell takes it for a file as it stands; others look for a bare name elsewhere.
    if (!file.includes("/") && name !== "BASH_ENV") continue;
    const script = file.replace(/^file:\/\//, "");
    emit(walk, {
      program: name,
      called: name,
      args: [{ text: script, known: value.known, glob: false }],
      redirects: [],
      script,
      ...at(state, deeper(context, name)),
    });
    const isShells = name === "BASH_ENV" || name === "ENV";
    const text = isShells && state.cwd !== undefined ? textAt(walk, resolve(state.cwd, script)) : undefined;
    if (text !== undefined) walk.text(text, copyOf(state), deeper(context, name));
  }
}
