// What library functions do, as small pieces that the tables of the languages are made of.
import {
  constant,
  hole,
  home,
  joined,
  listOf,
  optionsOf,
  text,
  underPath,
  unknown,
  type Value,
} from "./_code-value.ts";
import { type Api, type Call, emitDelete, emitExec, emitFetch, emitRead, emitWrite } from "./_code-world.ts";

/** A table of functions; a key may list several names. */
export function table(entries: Readonly<Record<string, Api>>): Map<string, Api> {
  const found = new Map<string, Api>();
  for (const names in entries) {
    const api = entries[names];
    if (api) for (const name of names.split(" ")) found.set(name, api);
  }
  return found;
}

/** An argument by its place or one of its names. */
export function argument(call: Call, at: number, ...names: string[]): Value | undefined {
  const named = names.map((name) => call.named.get(name)).find((value) => value !== undefined);
  return named ?? call.args[at];
}

/** An option, wherever the language puts those: by name, or in a record among the arguments. */
export function option(call: Call, name: string): Value | undefined {
  const named = call.named.get(name);
  if (named !== undefined) return named;
  for (const arg of call.args) if (arg.is === "record" && arg.fields.has(name)) return arg.fields.get(name);
  return undefined;
}

/** Is an option given and not plainly off? */
export function isOn(call: Call, name: string): boolean {
  const value = option(call, name);
  if (value === undefined) return false;
  if (value.is === "name") return !/^(?:false|none|null|nil|undefined)$/i.test(value.name);
  return value.is !== "number" || value.number !== 0;
}

interface Deleting {
  readonly recursive?: boolean;
  readonly force?: boolean;
  /** Options that make it so. */
  readonly recursiveBy?: string;
  readonly forceBy?: string;
}

const manner = (call: Call, how: Deleting) => ({
  recursive: how.recursive ?? (how.recursiveBy !== undefined && isOn(call, how.recursiveBy)),
  force: how.force ?? (how.forceBy !== undefined && isOn(call, how.forceBy)),
});

export const deletes =
  (how: Deleting = {}): Api =>
  (call) => {
    for (const path of spread(argument(call, 0, "path"))) emitDelete(call.world, path, manner(call, how));
    return unknown;
  };

/** Deletes everything in the arguments, which may be lists. */
export const deletesAll =
  (how: Deleting = {}): Api =>
  (call) => {
    const paths = call.args.filter((arg) => arg.is !== "record").flatMap(spread);
    for (const path of paths.length > 0 ? paths : [undefined])
      emitDelete(call.world, path, manner(call, how));
    return unknown;
  };

export const deletesSelf =
  (how: Deleting = {}): Api =>
  (call) => {
    if (call.args.every((arg) => arg.is !== "text")) emitDelete(call.world, call.self, how);
    return unknown;
  };

const spread = (value: Value | undefined): readonly (Value | undefined)[] =>
  value?.is === "list" ? value.items : [value];

export const reads =
  (at = 0): Api =>
  (call) => {
    for (const path of spread(call.args[at])) emitRead(call.world, path);
    return unknown;
  };

export const readsSelf: Api = (call) => {
  emitRead(call.world, call.self);
  return unknown;
};

export const writes =
  (at = 0, content = -1, append = false): Api =>
  (call) =>
    emitWrite(call.world, call.args[at], content < 0 ? undefined : call.args[content], append);

export const writesSelf: Api = (call) => emitWrite(call.world, call.self, call.args[0]);

/** Makes something at its path that is no file with a text: a folder, a link. */
export const makes =
  (at = 0): Api =>
  (call) => {
    for (const path of spread(call.args[at])) emitWrite(call.world, path);
    return unknown;
  };

export const makesSelf: Api = (call) => {
  emitWrite(call.world, call.self);
  return unknown;
};

export const moves: Api = (call) => {
  // A folder goes with all that is in it; what is not known may as well be a file.
  for (const path of spread(argument(call, 0, "src")))
    emitDelete(call.world, path, { recursive: constant(path) !== undefined });
  emitWrite(call.world, argument(call, 1, "dst"));
  return unknown;
};

export const copies: Api = (call) => {
  for (const path of spread(argument(call, 0, "src"))) emitRead(call.world, path);
  emitWrite(call.world, argument(call, 1, "dst"));
  return unknown;
};

/** Opens a file in the manner of C: the mode says what for. */
export function opens(call: Call, path: Value | undefined, mode: Value | undefined): Value {
  const named = mode?.is === "name" && mode.name.includes("O_") ? mode.name : "r?";
  const flags = mode === undefined ? "r" : (constant(mode) ?? named);
  const append = /^[^rwx]*a|APPEND/.test(flags);
  if (/[wax+]|O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|APPEND/.test(flags))
    return emitWrite(call.world, path, undefined, append);
  emitRead(call.world, path);
  if (flags === "r?") return emitWrite(call.world, path);
  return unknown;
}

/** Changing modes and owners has no effect of its own kind; it is told as the command that does the same. */
export const runsCommand =
  (
    program: string,
    first: (call: Call) => Value | undefined,
    ...rest: ((call: Call) => Value | undefined)[]
  ): Api =>
  (call) => {
    const words = [first, ...rest].map((pick) => pick(call) ?? unknown);
    emitExec(
      call.world,
      listOf([text(program), ...words.flatMap((word) => (word.is === "list" ? word.items : [word]))]),
    );
    return unknown;
  };

/** Ends processes, which are all arguments behind the signal, or the one before it. */
export const kills = (pids: "first" | "behind"): Api =>
  runsCommand(
    "kill",
    () => text("--"),
    (call) =>
      listOf(
        (pids === "first" ? call.args.slice(0, 1) : call.args.slice(1)).map((pid) =>
          pid.is === "number" ? text(String(pid.number)) : pid,
        ),
      ),
  );

/** A second name for a file, or a link to it: told as the command, so that whoever goes through it is followed. */
export const linksTo = (kind: "symbolic" | "hard"): Api =>
  runsCommand("ln", () => text(kind === "symbolic" ? "-sT" : "-T"), at(0), at(1));

export const at =
  (place: number) =>
  (call: Call): Value | undefined =>
    call.args[place];

export const mode =
  (place: number) =>
  (call: Call): Value | undefined => {
    const value = call.args[place];
    return value?.is === "number" ? text(value.number.toString(8)) : value;
  };

/** Runs its first argument: a command line, or a list of words. */
export const runsLine: Api = (call) => {
  emitExec(call.world, call.args[0], placeOf(call));
  return unknown;
};

const placeOf = (call: Call) => ({
  cwd: option(call, "cwd") ?? option(call, "chdir"),
  input: option(call, "input"),
});

/** Runs its first argument as a command line, or all of them as words. */
export const runs: Api = (call) => {
  const words = call.args.filter((arg) => arg.is !== "record");
  const [first] = words;
  const command =
    words.length > 1 ? listOf(words.flatMap((word) => (word.is === "list" ? word.items : [word]))) : first;
  emitExec(call.world, command, placeOf(call));
  return unknown;
};

/** Runs a program with a list of arguments: `spawn("rm", ["-rf", "x"])`. */
export const runsProgram: Api = (call) => {
  const [program = unknown, args] = call.args;
  const words =
    args?.is === "list" ? args.items : args === undefined || args.is === "record" ? [] : [unknown];
  const command = isOn(call, "shell") ? joined([program, ...words], " ") : listOf([program, ...words]);
  emitExec(call.world, command, placeOf(call));
  return unknown;
};

export const fetches =
  (at = 0, sends = false): Api =>
  (call) => {
    const body = ["data", "json", "files", "body", "form"].some((name) => option(call, name) !== undefined);
    const verb = constant(option(call, "method"))?.toUpperCase();
    const isSending = sends || body || (verb !== undefined && verb !== "GET" && verb !== "HEAD");
    emitFetch(call.world, argument(call, at, "url"), isSending);
    return unknown;
  };

/** Opens a connection to a host and a port, which may carry anything. */
export const connects =
  (host: (call: Call) => Value | undefined, port: (call: Call) => Value | undefined = () => undefined): Api =>
  (call) => {
    const [name, number] = [host(call), port(call)];
    const place = number === undefined ? [name ?? unknown] : [name ?? unknown, text(":"), number];
    emitFetch(call.world, joined([text("tcp://"), ...place]), true);
    return unknown;
  };

/** Runs a text as code of the same language. */
export const evaluates: Api = (call) => {
  for (const code of optionsOf(call.args[0])) {
    if (code.includes(hole) || code.includes(home)) call.world.effects.push({ do: "exec" });
    else call.world.run(code);
  }
  return unknown;
};

export const changesFolder: Api = (call) => {
  const [path = unknown] = call.args;
  call.world.cwd = call.world.cwd === undefined ? path : underPath(call.world.cwd, path);
  return unknown;
};
