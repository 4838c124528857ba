import { join, resolve } from "node:path";
import type { Handler, HookDefinition } from "../../core/hook.ts";
import { isObject, type Json } from "../../core/json.ts";
import { nearest } from "../../core/nearest.ts";
import { isInside, pathBelow } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { sha256 } from "../../platform/digest.ts";
import type { Ability, Implementation, ImplementationKind, RegistryEntry } from "../../routing/ability.ts";

type Command = Extract<Handler, { kind: "command" }>;

/** How an ability is carried out, with all that was left open filled in. */
export type Invocation =
  | { readonly kind: "script"; readonly command: Command }
  | {
      readonly kind: "api";
      readonly url: string;
      readonly method: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly allowedEnvVars: readonly string[];
    }
  | { readonly kind: "mcp"; readonly server: string; readonly command: Command; readonly tool: string };

/** An ability as it can be run at this moment, in one environment. */
export interface Runnable {
  readonly ability: string;
  /** What calls it in records: its own key, or its id. */
  readonly operation: string;
  readonly entry: RegistryEntry;
  readonly implementation: Implementation;
  readonly invocation: Invocation;
  readonly timeoutMs: number;
  /** What the environment adds to every input that does not say otherwise. */
  readonly parameters: Json;
  /** Of what would run and of what it takes: a task is for one of these. */
  readonly digest: string;
}

/** Why an ability cannot be run here, and what to do about it. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
  constructor(
    message: string,
    readonly suggestion?: string,
  ) {
    super(message);
  }
}

const usualTimeoutMs = 10 * 60_000;
const longestTimeoutMs = 24 * 3_600_000;

/** Chooses the implementation that counts in an environment, and reads how it is called. */
export function runnableOf(ability: Ability, environment: string, root: string, world: World): Runnable {
  const { entry, id } = ability;
  if (!entry)
    throw new Unavailable(
      `${id} has no registry file that can be read`,
      `See hookline ability show ${id} and hookline ability lint.`,
    );
  const { environments } = entry;
  if (environments && !environments.includes(environment))
    throw new Unavailable(
      `${id} is not for the environment ${environment}; it is for ${environments.join(", ") || "none"}`,
      environments[0] === undefined ? undefined : `Say --env ${environments[0]}, or choose another ability.`,
    );
  const implementation = chosen(entry);
  const invocation = readInvocation(implementation, root, world);
  const parameters = entry.config?.parameters[environment] ?? {};
  const timeoutMs = timeoutOf(implementation);
  const digest = sha256(
    JSON.stringify([
      id,
      implementation.id,
      invocation,
      timeoutMs,
      parameters,
      entry.inputSchema ?? null,
      entry.outputSchema ?? null,
    ]),
  );
  const operation = entry.operationKey ?? id;
  return { ability: id, operation, entry, implementation, invocation, timeoutMs, parameters, digest };
}

function chosen({ id, implementations, config, operations, level }: RegistryEntry): Implementation {
  const allowed = config?.allowedImplementations;
  const usable = allowed ? implementations.filter((each) => allowed.includes(each.id)) : implementations;
  const wanted = config?.defaultImplementation;
  const found = wanted === undefined ? usable[0] : usable.find((each) => each.id === wanted);
  if (found) return found;
  if (wanted !== undefined && implementations.some((each) => each.id === wanted))
    throw new Unavailable(
      `the default implementation ${wanted} of ${id} is not among those that are allowed`,
    );
  if (wanted !== undefined)
    throw new Unavailable(`${id} has no implementation ${wanted}, which its config makes the default`);
  if (level === "high" && operations.length > 0)
    throw new Unavailable(
      `${id} has no implementation of its own`,
      `Carry it out step by step: create and run ${operations.join(", ")}.`,
    );
  throw new Unavailable(
    `${id} has no implementation`,
    `Add one to ${id}'s registry file (docs/abilities.md).`,
  );
}

function timeoutOf({ invocation, id }: Implementation): number {
  const given = invocation["timeout_ms"];
  if (given === undefined) return usualTimeoutMs;
  if (typeof given === "number" && given >= 1 && given <= longestTimeoutMs) return given;
  throw new Unavailable(
    `the timeout_ms of ${id} is ${JSON.stringify(given)}; expected milliseconds, at most a day`,
  );
}

const keys: Readonly<Record<ImplementationKind, readonly string[]>> = {
  script: ["command", "args", "cwd", "env", "timeout_ms"],
  api: ["url", "method", "headers", "allowed_env_vars", "timeout_ms"],
  mcp: ["server", "tool", "timeout_ms"],
};

function readInvocation(implementation: Implementation, root: string, world: World): Invocation {
  const { kind, id, invocation, file, line } = implementation;
  const place = `${file}:${line}  ${id}: invocation`;
  const wrong = (text: string): Unavailable => new Unavailable(`${place}${text}`);
  for (const key of Object.keys(invocation)) {
    if (keys[kind].includes(key)) continue;
    const near = nearest(key, keys[kind]);
    throw wrong(
      `.${key}: unknown key of a ${kind}; ${near === undefined ? `expected ${keys[kind].join(", ")}` : `did you mean "${near}"?`}`,
    );
  }
  if (kind === "script") return { kind, command: readCommand(invocation, root, world, wrong) };
  if (kind === "api") return readApi(invocation, wrong);
  const { server, tool } = invocation;
  if (typeof server !== "string" || typeof tool !== "string")
    throw wrong(": expected `server`, one of .mcp.json, and `tool`");
  return { kind, server, tool, command: serverCommand(server, root, world) };
}

function readCommand(given: Json, root: string, world: World, wrong: (text: string) => Unavailable): Command {
  const { command, args } = given;
  const words = typeof command === "string" ? split(command, wrong) : command;
  const [first = "", ...more] = isTexts(words) ? words : [];
  if (first === "") throw wrong(".command: expected a program with its arguments, as a text or a list");
  if (args !== undefined && !isTexts(args)) throw wrong(".args: expected a list of texts");
  const cwd = resolve(root, asText(given["cwd"], ".cwd", wrong) ?? ".");
  if (!isInside(root, world.realPath(cwd))) throw wrong(".cwd: it leads out of the workspace");
  const env = given["env"];
  if (env !== undefined && !isTextMap(env)) throw wrong(".env: expected names with texts");
  const rest = [...more, ...(args ?? [])];
  const start = first.includes("/")
    ? { script: resolve(root, first), args: rest }
    : { args: [first, ...rest] };
  return { kind: "command", ...start, cwd, ...(env === undefined ? {} : { env }) };
}

/** What a shell would have to read is not guessed at: there is none. */
function split(text: string, wrong: (text: string) => Unavailable): string[] {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, "");
  if (/[|&;<>()$`\\*?[\]~\n{}"']/.test(bare))
    throw wrong(".command: it is started without a shell; write a list of words, or put it into a script");
  const words = text.match(/(?:"[^"]*"|'[^']*'|[^\s"']+)+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

function readApi(given: Json, wrong: (text: string) => Unavailable): Invocation {
  const url = asText(given["url"], ".url", wrong) ?? "";
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw wrong(".url: expected an address that begins with https:// or http://");
  const method = (asText(given["method"], ".method", wrong) ?? "POST").toUpperCase();
  if (!methods.includes(method)) throw wrong(`.method: expected one of ${methods.join(", ")}`);
  const { headers = {}, allowed_env_vars: allowedEnvVars = [] } = given;
  if (!isTextMap(headers)) throw wrong(".headers: expected names with texts");
  if (!isTexts(allowedEnvVars)) throw wrong(".allowed_env_vars: expected names of variables");
  return { kind: "api", url, method, headers, allowedEnvVars };
}

const serversFile = ".mcp.json";

/** The command of a server in `.mcp.json`, where agents look for theirs too. */
function serverCommand(name: string, root: string, world: World): Command {
  const text = world.read(join(root, serversFile));
  const servers = text === undefined ? {} : serversIn(text);
  const found = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (!isObject(found)) {
    const known = Object.keys(servers);
    throw new Unavailable(
      `the MCP server "${name}" is not in ${serversFile}${known.length === 0 ? "" : `; there are ${known.join(", ")}`}`,
      `Add it under mcpServers, with command and args.`,
    );
  }
  const wrong = (what: string): Unavailable => new Unavailable(`${serversFile}: mcpServers.${name}${what}`);
  if (typeof found["command"] !== "string")
    throw wrong(": expected a command; only servers on standard input and output can be called");
  return readCommand({ ...found, command: [found["command"]] }, root, world, wrong);
}

function serversIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    const servers = isObject(value) ? value["mcpServers"] : undefined;
    return isObject(servers) ? servers : {};
  } catch {
    throw new Unavailable(`${serversFile} is not JSON`);
  }
}

function asText(value: unknown, what: string, wrong: (text: string) => Unavailable): string | undefined {
  if (value === undefined || typeof value === "string") return value;
  throw wrong(`${what}: expected a text`);
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string" && !each.includes("\0"));

const isTextMap = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((each) => typeof each === "string");

/** What has to be trusted before it may run: the same as for a hook, by the same means. */
export function trustedAs({ ability, invocation, implementation, timeoutMs }: Runnable): HookDefinition {
  return {
    // No hook has a colon in its id.
    id: `ability:${ability}`,
    source: "registry",
    file: implementation.file,
    line: implementation.line,
    profile: "ability",
    events: ["PreAbilityCall"],
    enabled: true,
    handler: handlerOf(invocation),
    timeoutMs,
    blocking: false,
    failMode: "closed",
    // The tool and the method are nothing a hook has, and must not change behind anybody's back either.
    ...(invocation.kind === "mcp" ? { match: { fields: { tool: [invocation.tool] } } } : {}),
    ...(invocation.kind === "api" ? { match: { fields: { method: [invocation.method] } } } : {}),
  };
}

function handlerOf(invocation: Invocation): Handler {
  if (invocation.kind !== "api") return invocation.command;
  const { url, headers, allowedEnvVars } = invocation;
  return { kind: "http", url, headers, allowedEnvVars };
}

/** What runs, in one line, for people and for rules. */
export function commandLineOf({ invocation }: Runnable, root: string): string {
  if (invocation.kind === "api") return `${invocation.method} ${invocation.url}`;
  const { script, args = [] } = invocation.command;
  const words = script === undefined ? args : [pathBelow(root, script) ?? script, ...args];
  const line = words
    .map((word) => (/^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(" ");
  return invocation.kind === "mcp" ? `${line} (tool ${invocation.tool})` : line;
}
