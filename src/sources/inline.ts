import { isAbsolute, resolve } from "node:path";
import { eventNames } from "../core/event.ts";
import type { Handler, HookDefinition, Match, Profile } from "../core/hook.ts";
import { defined, isObject, type Json } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import { eventOf, patternOf, textsOf, timeoutOf, type Reports } from "./_reader.ts";

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
  blocking: "Whether an error or crash of it stops what it is about.",
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
const events = Object.fromEntries(
  eventNames.filter((name) => name !== "StateTransition").map((name) => [name, name]),
);
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
  return value.flatMap((entry: unknown, at) => define(entry, at, file, own, reader) ?? []);
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
  const named: unknown[] = Array.isArray(value["on"]) ? value["on"] : [value["on"]];
  const wanted = named.flatMap((each) => eventOf(each, events, [at, "on"], reader) ?? []);
  const handler = handlerOf(value, at, reader);
  if (!handler) return undefined;
  const blocking = value["blocking"] === true;
  const profile = inlineProfiles.find((each) => each === value["profile"]) ?? usualProfile(wanted, handler);
  return {
    id,
    source: "inline",
    file,
    line: reader.lineOf([at, "id"]),
    profile,
    events: wanted,
    enabled: value["enabled"] !== false,
    handler,
    timeoutMs: timeoutOf(value["timeoutMs"], "ms", usualTimeout, [at, "timeoutMs"], reader),
    blocking,
    failMode: blocking ? "closed" : "open",
    ...defined({
      match: matchOf(value["match"], at, reader),
      environments: textsOf(value["environments"]),
      summary: typeof value["summary"] === "string" ? value["summary"] : undefined,
      once: value["once"] === true ? (true as const) : undefined,
      background: value["background"] === true ? (true as const) : undefined,
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
  const env = isObject(value["env"])
    ? Object.fromEntries(Object.entries(value["env"]).map(([key, each]) => [key, String(each)]))
    : undefined;
  if (typeof run === "string" && run.trim() !== "")
    return { kind: "command", shell: run, ...defined({ env }) };
  const args = Array.isArray(run) ? textsOf(run) : undefined;
  if (args && args.length > 0) return { kind: "command", args, ...defined({ env }) };
  if (typeof module === "string") return { kind: "module", path: module };
  if (typeof http === "string" && URL.canParse(http)) return { kind: "http", url: http };
  if (typeof prompt === "string" && prompt !== "") return { kind: "prompt", prompt };
  return reader.error([at], "HL_HOOK_HANDLER", "what it runs cannot be read", hint);
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
  const { tool, fields, if: permission, minDurationMs } = value;
  const plain = isObject(fields)
    ? Object.fromEntries(
        Object.entries(fields).map(([key, each]) => [key, (Array.isArray(each) ? each : [each]) as string[]]),
      )
    : undefined;
  return defined({
    subject: typeof tool === "string" ? patternOf(tool, [...path, "tool"], reader) : undefined,
    fields: plain,
    permission: typeof permission === "string" ? permission : undefined,
    abilities: textsOf(value["ability"]),
    operations: textsOf(value["operation"]),
    changedPaths: textsOf(value["changedPaths"]),
    minDurationMs: typeof minDurationMs === "number" ? minDurationMs : undefined,
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
