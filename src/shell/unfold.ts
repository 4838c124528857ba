import { parse, type Script } from "unbash";
import type { Shell } from "../core/action.ts";
import type { Run, Word } from "./model.ts";
import { hasManyHereDocuments, maxLength, maxNesting, nesting } from "./_nesting.ts";
import { maxDepth, newState, type Context, type Place, type State, type Walk } from "./_walk.ts";
import { dispatch } from "./_walk-dispatch.ts";
import { walkBody, walkList, walkStatement } from "./_walk-nodes.ts";

export type { Place };

export interface Unfolded {
  /** Every command that will or may run, in order. */
  readonly runs: readonly Run[];
  /** Why part of the text could not be understood; then nobody can vouch for it. */
  readonly troubles: readonly string[];
}

/** Unfolds a command line to the commands that will really run, each with where it came from. */
export function unfold(text: string, place: Place, shell: Shell = "posix"): Unfolded {
  const troubles: string[] = [];
  const walk: Walk = {
    place,
    runs: [],
    substitutions: new Map(),
    files: new Map(),
    copies: new Map(),
    traps: [],
    note: (trouble) => {
      if (!troubles.includes(trouble)) troubles.push(trouble);
    },
    text: (source, state, context) => walkText(walk, source, state, context),
    script: (script, state, context) => walkScript(walk, script, state, context),
    list: (node, state, context) => walkList(walk, node, state, context),
    body: (node, state, context) => walkBody(walk, node, state, context),
    dispatch: (words, redirects, state, context) => dispatch(walk, words, redirects, state, context),
  };
  if (text.length > maxLength) walk.note("the text is too long");
  else if (shell === "posix") walk.text(text, newState(place), { via: [], depth: 0 });
  else walk.dispatch(["pwsh", "-Command", text].map(plainWord), [], newState(place), { via: [], depth: 0 });
  for (const trap of walk.traps) trap();
  return { runs: walk.runs, troubles };
}

function walkText(walk: Walk, source: string, state: State, context: Context): Run[] {
  if (source.length > maxLength) walk.note("the text is too long");
  else if (nesting(source) > maxNesting || hasManyHereDocuments(source) || context.depth > maxDepth)
    walk.note("the text is nested too deep");
  else return walk.script(parse(source.replaceAll("\r\n", "\n")), state, context);
  return [];
}

function walkScript(walk: Walk, script: Script, state: State, context: Context): Run[] {
  if ("errors" in script && (script as { errors?: readonly unknown[] }).errors?.length)
    walk.note("part of the text is no complete command");
  return script.commands.flatMap((statement) => walkStatement(walk, statement, state, context));
}

const plainWord = (text: string): Word => ({ text, known: true, glob: false });
