import { isAbsolute, resolve } from "node:path";
import { eventNames } from "../core/event.ts";
import type { Handler, HookDefinition, Match, Profile } from "../core/hook.ts";
import { defined, isObject, type Json } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import {
  environmentsOf,
  eventOf,
  fieldsOf,
  flagOf,
  globsOf,
  isAddress,
  leastOf,
  patternOf,
  textsOf,
  timeoutOf,
  type Reports,
} from "./_reader.ts";

/** What an inline hook may say, each with what it means. */
export const inlineKeys: Readonly<Record<string, string>> = {
  id: "Its name.",
  on: "The event, or a list of events.",
  match: "When it is wanted; all that is given must hold.",
  run: "A command: a text for a shell, or a list of a program and its arguments.",
  module: "A TypeScript file whose default function is called with the payload.",
  http: "An address the payload is posted to; its host must be in handlers.http.allow.",
  prompt: "A text for the model.",
  timeoutMs: "How long it may take. 30000.",
  blocking:
    "true: an error or crash of it stops what it is about. false: it takes notes, and runs whatever other hooks refuse.",
  environments: "Where it runs; everywhere when not given.",
  once: "Once a session.",
  background: "Started and not waited for.",
  env: "Variables for its command.",
  profile: "How it is spoken to and read: plugin, harness or ability.",
  summary: "For people.",
  enabled: "Whether it runs.",
};

export const inlineMatchKeys: Readonly<Record<string, string>> = {
  tool: "A regular expression over tool names, or over what else the event is about.",
  fields: "Dotted paths into the payload, each with the values it may have.",
  if: "A permission rule such as Bash(git *).",
  ability: "Patterns over ability ids.",
  operation: "Patterns over operation keys.",
  minDurationMs: "How long an ability call took at least.",
  changedPaths: "Patterns one of which a changed file must fit.",
};

// A step of the orchestrator is its own: no script from outside is asked about it.
export const inlineEvents = eventNames.filter((name) => name !== "StateTransition");
const events = Object.fromEntries(inlineEvents.map((name) => [name, name]));
const usualTimeout = 30_000;
const abilityEvents = ["PreAbilityCall", "PostAbilityCall", "SessionStop"];
export const inlineProfiles = ["plugin", "harness", "ability"] as const satisfies Profile[];

/** Reads the `hooks` of a policy. Paths stay as they are written until the workspace is known. */
export function readInline(value: unknown, file: string, own: boolean, reader: Reports): HookDefinition[] {
  if (!Array.isArray(value)) {
    reader.error(
      [],
      "HL_HOOK_FIELD",
      "not a list",
      "Expected a list of hooks, each with `id`, `on` and `run`.",
    );
    return [];
  }
  const ids = new Set<unknown>();
  return value.flatMap((entry: unknown, at) => {
    const found = define(entry, at, file, own, reader);
    if (found && ids.has(found.id))
      reader.error(
        [at, "id"],
        "HL_HOOK_DUPLICATE",
        `the id "${found.id}" is taken by a hook above`,
        "Give it an id of its own.",
      );
    ids.add(found?.id);
    return found ?? [];
  });
}

function define(
  value: unknown,
  at: number,
  file: string,
  own: boolean,
  reader: Reports,
): HookDefinition | undefined {
  if (!isObject(value))
    return reader.error([at], "HL_HOOK_FIELD", "not a mapping", "Expected `id`, `on` and `run`.");
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(inlineKeys, key)) continue;
    const near = nearest(key, Object.keys(inlineKeys));
    const hint = `Expected any of ${Object.keys(inlineKeys).join(", ")}.`;
    reader.error(
      [at, key],
      "HL_HOOK_FIELD",
      `unknown key "${key}"`,
      near === undefined ? hint : `Did you mean "${near}"? ${hint}`,
    );
  }
  const { id } = value;
  if (typeof id !== "string" || !/^[\w.-]+$/.test(id))
    return reader.error(
      [at, "id"],
      "HL_HOOK_FIELD",
      "missing or no name",
      "Expected letters, digits, `_`, `-`, `.`.",
    );
  const { on } = value;
  // No event at all is as wrong as one that does not exist.
  const named: unknown[] = Array.isArray(on) && on.length > 0 ? on : [on];
  const wanted = named.flatMap((each) => eventOf(each, events, [at, "on"], reader) ?? []);
  const handler = handlerOf(value, at, reader);
  if (!handler) return undefined;
  const flag = (key: string, usual: boolean) => flagOf(value[key], usual, [at, key], reader);
  const blocking = flag("blocking", false);
  const background = flag("background", false);
  if (background && handler.kind !== "command")
    reader.error(
      [at, "background"],
      "HL_HOOK_FIELD",
      "only a command can be left to run by itself",
      "Take `background` out, or let a command do it.",
    );
  const profile = inlineProfiles.find((each) => each === value["profile"]);
  if (profile === undefined && value["profile"] !== undefined)
    reader.error(
      [at, "profile"],
      "HL_HOOK_FIELD",
      `${JSON.stringify(value["profile"])} is no profile`,
      `Expected one of ${inlineProfiles.join(", ")}.`,
    );
  return {
    id,
    source: "inline",
    file,
    line: reader.lineOf([at, "id"]),
    profile: profile ?? usualProfile(wanted, handler),
    events: wanted,
    enabled: flag("enabled", true),
    handler,
    timeoutMs: timeoutOf(value["timeoutMs"], "ms", usualTimeout, [at, "timeoutMs"], reader),
    blocking,
    failMode: blocking ? "closed" : "open",
    ...defined({
      match: matchOf(value["match"], at, reader),
      environments: environmentsOf(value["environments"], [at, "environments"], reader),
      summary: typeof value["summary"] === "string" ? value["summary"] : undefined,
      once: flag("once", false) ? (true as const) : undefined,
      background: background ? (true as const) : undefined,
      takesNotes: value["blocking"] === false ? (true as const) : undefined,
      own: own ? (true as const) : undefined,
    }),
  };
}

const usualProfile = (named: readonly string[], { kind }: Handler): Profile =>
  kind === "module" || named.some((event) => abilityEvents.includes(event)) ? "ability" : "plugin";

function handlerOf(value: Json, at: number, reader: Reports): Handler | undefined {
  const { run, module, http, prompt } = value;
  const kinds = [run, module, http, prompt].filter((each) => each !== undefined);
  const hint = "Expected one of `run`, `module`, `http` and `prompt`.";
  if (kinds.length !== 1)
    return reader.error(
      [at],
      "HL_HOOK_HANDLER",
      kinds.length === 0 ? "it runs nothing" : "it runs several things",
      hint,
    );
  const env = variablesOf(value["env"], [at, "env"], reader);
  if (typeof run === "string" && run.trim() !== "")
    return { kind: "command", shell: run, ...defined({ env }) };
  const args = Array.isArray(run) ? textsOf(run) : undefined;
  if (args && args.length > 0) return { kind: "command", args, ...defined({ env }) };
  if (typeof module === "string" && module !== "") return { kind: "module", path: module };
  if (isAddress(http)) return { kind: "http", url: http };
  if (typeof prompt === "string" && prompt !== "") return { kind: "prompt", prompt };
  const key = ["run", "module", "http", "prompt"].find((each) => value[each] !== undefined) ?? "run";
  return reader.error([at, key], "HL_HOOK_HANDLER", "cannot be read", `Expected ${shapes[key]}.`);
}

const shapes: Readonly<Record<string, string>> = {
  run: "a command line, or a list of a program and its arguments",
  module: "the path of a TypeScript file",
  http: "an address, http:// or https://",
  prompt: "a text",
};

/** Numbers and flags as the texts they are written as. */
function variablesOf(
  value: unknown,
  path: (string | number)[],
  reader: Reports,
): Record<string, string> | undefined {
  if (value === undefined) return undefined;
  const plain = ["string", "number", "boolean"];
  if (isObject(value) && Object.values(value).every((each) => plain.includes(typeof each)))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, String(each)]));
  return reader.error(path, "HL_HOOK_FIELD", "not a mapping of texts", "Expected names with their values.");
}

function matchOf(value: unknown, at: number, reader: Reports): Match | undefined {
  if (value === undefined) return undefined;
  const path = [at, "match"];
  const keys = Object.keys(inlineMatchKeys);
  const wrong = (key: string, text: string): undefined =>
    reader.error(
      key === "" ? path : [...path, key],
      "HL_HOOK_MATCHER",
      text,
      `Expected any of ${keys.join(", ")}.`,
    );
  if (!isObject(value)) return wrong("", "not a mapping");
  for (const key of Object.keys(value)) if (!keys.includes(key)) wrong(key, `unknown key "${key}"`);
  const text = (key: string): string | undefined => {
    const given = value[key];
    return given === undefined || typeof given === "string" ? given : wrong(key, "not a text");
  };
  const globs = (key: string) => globsOf(value[key], [...path, key], reader);
  const tool = text("tool");
  return defined({
    subject: tool === undefined ? undefined : patternOf(tool, [...path, "tool"], reader),
    fields: fieldsOf(value["fields"], [...path, "fields"], reader),
    permission: text("if"),
    abilities: globs("ability"),
    operations: globs("operation"),
    changedPaths: globs("changedPaths"),
    minDurationMs: leastOf(value["minDurationMs"], [...path, "minDurationMs"], reader),
  });
}

/** Inline hooks with their paths made absolute: a program with a slash in it, and a module. */
export const placed = (hooks: readonly HookDefinition[], root: string): HookDefinition[] =>
  hooks.map((hook) => {
    const { handler } = hook;
    if (handler.kind === "module")
      return { ...hook, handler: { ...handler, path: resolve(root, handler.path) } };
    const [program = "", ...args] = handler.kind === "command" ? (handler.args ?? []) : [];
    if (!/[\\/]/.test(program) && !/\.\w+$/.test(program)) return hook;
    return isAbsolute(program) && handler.kind === "command"
      ? { ...hook, handler: { ...handler, script: program, args } }
      : { ...hook, handler: { ...handler, script: resolve(root, program), args } as Handler };
  });
