import type { Script, Statement, SyntaxNode } from "unbash";
import type { Feed, Redirect, Run, Word } from "./model.ts";
import type { Value } from "./words.ts";

/** Where a command line runs. */
export interface Place {
  readonly cwd: string;
  readonly home: string;
  /** The workspace root. */
  readonly root: string;
  /** Where it is given, scripts are followed into their files, and git's aliases to what they stand for. */
  readonly disk?: Disk;
}

/** What lies on the disk. */
export interface Disk {
  text(path: string): string | undefined;
  /** Is what a script does its own affair, as far as nobody can tell it? */
  isTrusted(path: string): boolean;
  alias(name: string, folder: string): string | undefined;
}

export const maxRuns = 2000;
export const maxDepth = 12;

export interface State {
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
export interface Channel {
  readonly feed?: Feed;
  readonly target?: Word;
}

export interface Context {
  readonly via: readonly string[];
  readonly stdin?: Feed;
  readonly elsewhere?: string;
  readonly mounts?: Run["mounts"];
  readonly depth: number;
}

/** One command line being unfolded: what is known so far, and the ways to go on. */
export interface Walk {
  readonly place: Place;
  readonly runs: Run[];
  readonly substitutions: Map<string, readonly Run[]>;
  /** Texts the command line itself puts into files. */
  readonly files: Map<string, string>;
  /** Programs under another name: `cp /bin/rm ./r`. */
  readonly copies: Map<string, string>;
  /** What runs at the end. */
  readonly traps: (() => void)[];
  /** Says that something could not be understood. */
  note(trouble: string): void;
  text(source: string, state: State, context: Context): Run[];
  script(script: Script, state: State, context: Context): Run[];
  list(node: { commands: readonly Statement[] } | undefined, state: State, context: Context): Run[];
  body(node: SyntaxNode, state: State, context: Context): Run[];
  dispatch(words: readonly Word[], redirects: readonly Redirect[], state: State, context: Context): Run[];
}

/** The text of a file: as this command line writes it, or else as it lies there, if anybody looks. */
export const textAt = ({ files, place }: Walk, path: string): string | undefined =>
  files.get(path) ?? place.disk?.text(path);

/** What stands in `via` of a command that comes out of a script one trusts. */
export const trusted = "trusted script";

export const viaOf = ({ files, place }: Walk, path: string, via: string): string =>
  !files.has(path) && place.disk?.isTrusted(path) ? trusted : via;

export const newState = (place: Place): State => ({
  cwd: place.cwd,
  left: [],
  vars: new Map(),
  functions: new Map(),
  aliases: new Map(),
  fds: new Map(),
});

export const copyOf = (state: State, values: readonly (readonly [string, Value])[] = []): State => ({
  cwd: state.cwd,
  left: state.left,
  vars: new Map([...state.vars, ...values]),
  functions: new Map(state.functions),
  aliases: new Map(state.aliases),
  fds: state.fds,
});

/** Takes over what a function or a built-in command has set, but for what was only its own. */
export function carryOver(from: State, to: State, except: ReadonlySet<string>): void {
  for (const [name, value] of from.vars)
    if (!/^[\d@*#]/.test(name) && !except.has(name)) to.vars.set(name, value);
  for (const [name, body] of from.functions) to.functions.set(name, body);
}

export const deeper = (context: Context, via: string): Context => ({
  ...context,
  via: [...context.via, via],
  depth: context.depth + 1,
});

export const at = (
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
