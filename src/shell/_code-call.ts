import { constant, elementOf, nameOf, unknown, type Value } from "./_code-value.ts";
import { ranByName } from "./_code-by-name.ts";
import { calledService, isServiceName } from "./_code-service.ts";
import type { Api, World } from "./_code-world.ts";

const none: ReadonlyMap<string, Value> = new Map();

/** Calls a value: reports what that does, and gives what comes back. */
export function invoke(
  world: World,
  callee: Value,
  args: readonly Value[],
  named: ReadonlyMap<string, Value> = none,
): Value {
  const api = apiOf(world, callee);
  const self = callee.is === "name" || callee.is === "method" ? (callee.self ?? unknown) : unknown;
  const name = nameIn(world, callee);
  const call = { world, name, self, args, named };
  const served = name === "" ? undefined : calledService(call, api !== undefined);
  const result = api?.(call);
  if (result !== undefined) return result;
  if (served !== undefined) return served;
  if (api === undefined && ranByName(call)) return nameOf(name);
  // `["a", "b"].forEach(fs.unlinkSync)`: the function is not called here, but will be.
  const [first] = args;
  const given = receivedBy(world, callee);
  if (api === undefined && given !== undefined && first?.is === "name") return invoke(world, first, [given]);
  return unknown;
}

const nameIn = (world: World, callee: Value): string => {
  if (callee.is === "name") return world.dialect.canonical(callee.name);
  return callee.is === "method" ? callee.name : "";
};

function apiOf(world: World, callee: Value): Api | undefined {
  const { dialect, starred } = world;
  if (callee.is === "method") return dialect.methods.get(callee.name);
  // PHP calls the function that a text names.
  const name = callee.is === "name" ? callee.name : dialect.joins === "." ? constant(callee) : undefined;
  if (name === undefined) return undefined;
  const full = dialect.canonical(name);
  const own =
    dialect.functions.get(full) ?? (full.includes(".") ? dialect.methods.get(lastName(full)) : undefined);
  if (own !== undefined || starred.length === 0) return own;
  const module = starred.find((each) => dialect.functions.has(`${each}.${full}`));
  return module === undefined ? undefined : dialect.functions.get(`${module}.${full}`);
}

export const isCallable = (value: Value): boolean => value.is === "name" || value.is === "method";

/** Is this a call that does something worth knowing, so that it may be read without brackets? */
export function isKnownCall(world: World, callee: Value): boolean {
  const name = nameIn(world, callee);
  return (
    isCallable(callee) &&
    (apiOf(world, callee) !== undefined || world.dialect.iterators.has(lastName(name)) || isServiceName(name))
  );
}

export const lastName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** What a function given to this call will get, when it is called with the elements of something. */
export function receivedBy(world: World, callee: Value): Value | undefined {
  const { iterators } = world.dialect;
  if (callee.is === "method") return iterators.has(callee.name) ? elementOf(callee.self) : undefined;
  if (callee.is !== "name") return undefined;
  const dot = callee.name.lastIndexOf(".");
  return dot > 0 && iterators.has(callee.name.slice(dot + 1)) ? nameOf(callee.name.slice(0, dot)) : undefined;
}

/** No function of a library is called by a longer name, and names that grow with the code cost time. */
export const maxName = 200;

/** A member of a value: of a module a longer name, of anything else a method that may be called. */
export function memberOf(world: World, value: Value, name: string, chain?: string): Value {
  const bound = chain === undefined ? undefined : world.variables.get(chain);
  if (bound !== undefined) return bound;
  const special = world.dialect.property?.(value, name);
  if (special !== undefined) return special;
  if (value.is === "name") {
    if (value.name.length + name.length > maxName) return unknown;
    const full = `${value.name}.${name}`;
    return world.dialect.constants.get(world.dialect.canonical(full)) ?? nameOf(full, value.self);
  }
  if (value.is === "record") {
    const field = value.fields.get(name);
    if (field !== undefined) return field;
  }
  return { is: "method", self: value.is === "method" ? unknown : value, name };
}
