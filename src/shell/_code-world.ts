import { commandLines } from "./_code-command.ts";
import type { Token } from "./_code-token.ts";
import {
  either,
  hole,
  home,
  optionsOf,
  type OpenFile,
  underPath,
  type Value,
  text,
  joined,
} from "./_code-value.ts";
import type { Effect } from "./model.ts";

/** A function of the language's library, told by what it does to the outside and what it gives back. */
export type Api = (call: Call) => Value | undefined;

export interface Call {
  readonly world: World;
  readonly name: string;
  /** What a method was called on. */
  readonly self: Value;
  readonly args: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** What is found out while a program is read from top to bottom. */
export interface World {
  readonly dialect: Dialect;
  readonly effects: Effect[];
  readonly variables: Map<string, Value>;
  /** Modules whose names count without their module: `from os import *`. */
  readonly starred: string[];
  /** False once something may run never or more than once; then an assignment adds a possibility. */
  straight: boolean;
  /** Where relative paths begin, when the program changes it. */
  cwd: Value | undefined;
  /** What a function given to the call being read will get. */
  element: Value | undefined;
  /** Part of the program was too deep to be read; said once. */
  lost: boolean;
  /** How many calls have been handed on. */
  calls: number;
  /** Steps left for work that does not advance in the code. */
  spare: number;
  /** Reads code that the program makes and runs. */
  readonly run: (code: string) => void;
}

/** A place in a program, and the ways to read on from there. */
export interface Reader {
  readonly tokens: readonly Token[];
  at: number;
  /** How deep in brackets and blocks; beyond a limit code is read flat. */
  level: number;
  /** The dotted name just read, if it can be assigned to. */
  chain: string | undefined;
  readonly world: World;
  /** Reads an expression with operators that bind at least so strongly. */
  readonly expression: (least?: number) => Value;
  /** Reads everything up to a place. */
  readonly statements: (end?: number) => void;
}

export const peek = (reader: Reader, ahead = 0): Token | undefined => reader.tokens[reader.at + ahead];

export interface Dialect {
  readonly tokens: (code: string) => readonly Token[];
  /** By full name: `os.remove`. */
  readonly functions: ReadonlyMap<string, Api>;
  /** By the last name, whatever it is called on: `.unlink()`. */
  readonly methods: ReadonlyMap<string, Api>;
  readonly constants: ReadonlyMap<string, Value>;
  /** The name a thing goes by in the tables. */
  readonly canonical: (name: string) => string;
  /** Reads a statement that is no expression; false leaves it to the caller. */
  readonly statement: (reader: Reader) => boolean;
  /** Reads an expression that begins with a word of the language, or nothing. */
  readonly operand: (reader: Reader, token: Token) => Value | undefined;
  /** A property of a value: `.parent` of a path. */
  readonly property?: (value: Value, name: string) => Value | undefined;
  /** What an operator makes, where it is special to the language. */
  readonly apply?: (world: World, sign: string, left: Value, right: Value) => Value | undefined;
  /** Signs between a name and its value in brackets: `=`, `:`, `=>`. */
  readonly pairs: ReadonlySet<string>;
  /** Signs that lead to a member: `.`, `->`. */
  readonly members: ReadonlySet<string>;
  /** The sign that joins texts. */
  readonly joins: "+" | "." | "";
  /** Methods whose function gets the elements of what they are called on. */
  readonly iterators: ReadonlySet<string>;
  readonly can: {
    /** `system "ls"`: a call without brackets. */
    readonly callBare?: true;
    /** `Dir.pwd`: a call without anything. */
    readonly callSilently?: true;
    /** `f { |x| … }`: a block behind a call. */
    readonly takeBlocks?: true;
    /** `$x{key}` */
    readonly indexByBraces?: true;
    /** Lists in arguments dissolve into them. */
    readonly flatten?: true;
    /** `[x for x in y]`, `x if y else z` */
    readonly comprehend?: true;
    /** `{ … }` where a value is wanted may be a block. */
    readonly blockAsValue?: true;
    /** Values side by side are joined. */
    readonly juxtapose?: true;
  };
}

/** Takes from the steps left; false when they are used up and the answer must be "unknown". */
export function spend(world: World, steps: number): boolean {
  if (world.spare < steps) return false;
  world.spare -= steps;
  return true;
}

/** A list as one text. */
export const joinedList = (world: World, items: readonly Value[], separator = ""): Value =>
  spend(world, items.length * 4) ? joined(items, separator) : text(hole);

/** Gives a variable a value. */
export function bind(world: World, name: string, value: Value): void {
  const known = world.straight ? undefined : world.variables.get(name);
  world.variables.set(name, known === undefined ? value : either(known, value));
}

const maxPath = 4096;

/** The paths a value may stand for; `undefined` is one that cannot be known. */
function pathsOf(world: World, value: Value | undefined): (string | undefined)[] {
  const placed = value !== undefined && world.cwd !== undefined ? underPath(world.cwd, value) : value;
  return optionsOf(placed).map((option) => {
    if (option.length > maxPath) return undefined;
    const filled = option.includes(hole) ? folderBefore(option) : option;
    if (filled === undefined) return undefined;
    if (filled.startsWith(home)) return pathOf(`~${filled.slice(1)}`);
    return pathOf(filled);
  });
}

/** Of a path with gaps, something in the folder before the first of them. */
function folderBefore(option: string): string | undefined {
  const folder = /^([^\uE000]+\/)[^/\uE000]*\uE000/.exec(option)?.[1];
  return folder === undefined || folder === "/" || option.includes("..") ? undefined : `${folder}unknown`;
}

const pathOf = (option: string): string | undefined => (option.includes(home) ? undefined : option);

export function emitDelete(
  world: World,
  path: Value | undefined,
  more: { readonly recursive?: boolean; readonly force?: boolean } = {},
): void {
  const how = { ...(more.recursive && { recursive: true }), ...(more.force && { force: true }) };
  for (const each of pathsOf(world, path))
    world.effects.push({ do: "delete", ...known("path", each), ...how });
}

export function emitRead(world: World, path: Value | undefined): void {
  for (const each of pathsOf(world, path)) world.effects.push({ do: "read", ...known("path", each) });
}

/** Reports a write, and gives the file back for what is written into it later. */
export function emitWrite(world: World, path: Value | undefined, content?: Value, append = false): OpenFile {
  const options = optionsOf(content);
  const [only] = options;
  const isKnown = options.length === 1 && only !== undefined && !only.includes(hole) && !only.includes(home);
  const effects: number[] = [];
  for (const each of pathsOf(world, path)) {
    effects.push(world.effects.length);
    world.effects.push({
      do: "write",
      ...known("path", each),
      ...known("text", isKnown ? only : undefined),
      ...(append && { append }),
    });
  }
  return { is: "file", path: path ?? text(hole), effects, spoiled: false };
}

const maxContent = 64 * 1024;

/** More text for an open file. What goes around in a loop is not known to be written once. */
export function addText(world: World, file: OpenFile, content: Value | undefined): void {
  const options = optionsOf(content);
  const [only] = options;
  if (options.length !== 1 || only === undefined || only.includes(hole) || only.includes(home))
    file.spoiled = true;
  if (!world.straight) file.spoiled = true;
  for (const at of file.effects) {
    const effect = world.effects[at];
    if (effect?.do !== "write") continue;
    const { text: before = "", ...rest } = effect;
    const more = before + (only ?? "");
    if (more.length > maxContent) file.spoiled = true;
    world.effects[at] = file.spoiled ? rest : { ...rest, text: more };
  }
}

/** Reports that a command is run, in a folder of its own if given, with a text for its input if given. */
export function emitExec(
  world: World,
  command: Value | undefined,
  more: { readonly cwd?: Value | undefined; readonly input?: Value | undefined } = {},
): void {
  const cwd = more.cwd === undefined ? world.cwd : world.cwd ? underPath(world.cwd, more.cwd) : more.cwd;
  const [folder] = cwd === undefined ? [] : commandLines({ is: "list", items: [cwd] });
  const [input] = more.input === undefined ? [] : commandLines({ is: "list", items: [more.input] });
  const isFollowed = command?.is !== "list" || spend(world, command.items.length * 4);
  for (const line of commandLines(command !== undefined && isFollowed ? command : text(hole))) {
    const isKnown = line !== hole && spend(world, line.length);
    const fed = input === undefined ? line : `printf '%s\\n' ${orUnknown(input)} | ${line}`;
    const placed = folder === undefined ? fed : `cd ${orUnknown(folder)} && ${fed}`;
    world.effects.push({ do: "exec", ...known("command", isKnown ? placed : undefined) });
  }
}

const orUnknown = (word: string): string => (word === hole ? '"$unknown"' : word);

/** Reports a use of the network; of an address with gaps the known beginning is kept if it names the host. */
export function emitFetch(world: World, url: Value | undefined, sends = false): void {
  for (const option of optionsOf(url)) {
    const gap = option.search(/[\uE000\uE001]/);
    const start = gap < 0 ? option : option.slice(0, gap);
    const isKnown = gap < 0 || /^\w+:\/\/[^/?#]+[/?#]/.test(start);
    world.effects.push({
      do: "fetch",
      ...known("url", isKnown && start.length <= maxPath ? start : undefined),
      ...(sends && { sends }),
    });
  }
}

const known = <K extends string>(key: K, value: string | undefined): { [key in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { [key in K]?: string }; // TypeScript widens a computed key
