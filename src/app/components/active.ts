import { basename, dirname, join } from "node:path";
import type { Event } from "../../core/event.ts";
import type { Component } from "../../core/hook.ts";
import { asText, defined, isObject } from "../../core/json.ts";
import { hostIndex } from "../../hosts/lazy.generated.ts";
import { sha256 } from "../../platform/digest.ts";
import { append, nodeFs, openLocked, readText } from "../../platform/files.ts";
import { stateFolder, type Env } from "../../platform/places.ts";
import { writeNew } from "../../platform/write-new.ts";

/** A component at work in a session. */
export interface Active {
  readonly kind: Component["kind"];
  readonly name: string;
  /** The subagent's own id, where the host has one. */
  readonly id?: string;
  /** The turn it was called in, where the host has a name for it. */
  readonly turn?: string;
}

/** Something that begins or ends. The file has one a line, so that events at the same time do not overwrite each other's. */
type Step =
  | { readonly begins: Active }
  | { readonly ends: { readonly id?: string; readonly name?: string } }
  /** A prompt: what was called in another turn is over. */
  | { readonly turn: string | null; readonly agents: boolean }
  | { readonly over: true };

/**
 * The components at work at an event, as far as the host tells: a subagent from its start to its stop, a skill and a command from
 * when they are called to the next prompt. What is found out is kept in the user's state folder for the events to come.
 */
export function activeAt(event: Event, env: Env): readonly Active[] {
  const { file, during, steps, known } = followed(event, env);
  if (file !== undefined && steps.length > 0) write(file, steps, steps.reduce(after, known));
  return during;
}

/** The same for whoever only wants to know. */
export const activeDuring = (event: Event, env: Env): readonly Active[] => followed(event, env).during;

function followed(event: Event, env: Env) {
  const file = fileOf(event, env);
  const known = file === undefined ? [] : read(file);
  const [before, behind] = [begunAt(event), endedAt(event)];
  return { file, known, during: acting(event, before.reduce(after, known)), steps: [...before, ...behind] };
}

/** Of subagents that run at the same time only the one whose event it is, where the host says that. */
function acting(event: Event, active: readonly Active[]): readonly Active[] {
  const { agent } = event;
  const others = active.filter(({ kind }) => kind !== "agent");
  if (agent?.type !== undefined) return [...others, { kind: "agent", name: agent.type }];
  // Qwen Code says an agent's type when it starts, and its id ever after.
  const own = active.filter(({ id }) => id !== undefined && id === agent?.id);
  if (own.length > 0) return [...others, ...own];
  return isNamed(event) ? others : active;
}

/** The name a component goes by may be put behind its plugin's. */
export const isCalled = ({ kind, name, stem }: Component, active: Pick<Active, "kind" | "name">): boolean =>
  kind === active.kind &&
  [name, stem].some((each) => each === active.name || (each && active.name.endsWith(`:${each}`)));

const isNamed = ({ host, dialect }: Event): boolean =>
  Object.hasOwn(hostIndex, host) && hostIndex[host]?.namesAgents?.includes(dialect) === true;

function begunAt(event: Event): readonly Step[] {
  const turn = asText(event.payload["prompt_id"]);
  const inTurn = turn === undefined ? {} : { turn };
  switch (event.name) {
    case "SessionStart":
      return event.payload["source"] === "resume" || event.payload["source"] === "compact"
        ? []
        : [{ over: true }];
    case "SubagentStart": {
      const { type, id } = event.agent ?? {};
      return type === undefined ? [] : [{ begins: { kind: "agent", name: type, ...defined({ id }) } }];
    }
    case "UserPromptSubmit":
      return [
        // Where nothing names an agent but its start and stop, a stop that never came must not last for ever.
        { turn: turn ?? null, agents: !isNamed(event) && event.agent === undefined },
        ...called(/^\s*\/(\S+)/.exec(event.prompt ?? "")?.[1], inTurn),
      ];
    case "PostToolUse":
      return isSkillTool(event) ? called(skillIn(event.tool?.input), inTurn) : [];
    default:
      return event.native === "UserPromptExpansion"
        ? called(asText(event.payload["command_name"]), inTurn)
        : [];
  }
}

/** A slash, and the tool for it, calls a command or a skill; which of them it was nobody says. */
const called = (name: string | undefined, turn: { turn?: string }): { readonly begins: Active }[] =>
  name === undefined
    ? []
    : (["command", "skill"] as const).map((kind) => ({ begins: { kind, name, ...turn } }));

const isSkillTool = ({ tool }: Event): boolean => /^(?:skill|slashcommand)$/i.test(tool?.name ?? "");

/** Its name; as a command it may have a slash before it and arguments behind. */
function skillIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  const said = asText(input["skill"]) ?? asText(input["name"]) ?? asText(input["command"]);
  return said === undefined ? undefined : /^\s*\/?(\S+)/.exec(said)?.[1];
}

function endedAt(event: Event): readonly Step[] {
  if (event.name === "SessionEnd") return [{ over: true }];
  if (event.name !== "SubagentStop") return [];
  const { id, type } = event.agent ?? {};
  return [{ ends: defined({ id, name: type }) }];
}

function after(active: readonly Active[], step: Step): readonly Active[] {
  if ("over" in step) return [];
  if ("turn" in step)
    return active.filter(({ kind, turn }) =>
      kind === "agent" ? !step.agents : step.turn !== null && turn === step.turn,
    );
  if ("begins" in step) {
    const { begins } = step;
    const isSame = (each: Active): boolean =>
      each.kind === begins.kind && each.name === begins.name && each.id === begins.id;
    // Two agents of one name without ids are two; each has a stop of its own.
    const isCounted = begins.kind === "agent" && begins.id === undefined;
    return [...(isCounted ? active : active.filter((each) => !isSame(each))), begins].slice(-mostActive);
  }
  const { id, name } = step.ends;
  const at = active.findIndex(
    (each) =>
      each.kind === "agent" &&
      (id !== undefined && each.id !== undefined ? each.id === id : each.name === name),
  );
  return active.filter((_each, index) => index !== at);
}

const mostBytes = 1024 * 1024;
/** What is worth being written anew, with nothing in it that is over. */
const longBytes = 16 * 1024;
const mostActive = 200;
/** No file is called anything longer, and no page's name is taken for one. */
const longestName = 300;

const fileOf = ({ root, session }: Event, env: Env): string | undefined =>
  session === undefined
    ? undefined
    : join(stateFolder(env), "components", `${sha256(`${root}\n${session}`).slice(0, 32)}.jsonl`);

function read(file: string): readonly Active[] {
  return linesOf(file)
    .flatMap((line) => {
      try {
        const step: unknown = JSON.parse(line);
        return isObject(step) ? [step as Step] : [];
      } catch {
        // Half a line is of a process that was ended while it wrote.
        return [];
      }
    })
    .reduce(after, []);
}

function linesOf(file: string): readonly string[] {
  try {
    return (readText(file, mostBytes) ?? "").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

function write(file: string, steps: readonly Step[], active: readonly Active[]): void {
  const fs = nodeFs();
  const kept = steps.filter((step) => !("begins" in step) || step.begins.name.length <= longestName);
  const size = (): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (steps.some((step) => "over" in step)) return forget(file);
  if (size() === 0 && active.length === 0) return undefined;
  for (const path of [file, lockOf(file)]) fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const release = alone(lockOf(file));
  try {
    if (size() <= longBytes) return append(file, linesFor(kept), 0o600);
    // Read again, since others may have written meanwhile: nothing they wrote must get lost.
    return writeNew(file, linesFor(kept.reduce(after, read(file)).map((begins) => ({ begins }))));
  } finally {
    release();
  }
}

/** Apart from the file itself, which is put in place anew. */
const lockOf = (file: string): string => join(dirname(dirname(file)), "locks", basename(file));

function forget(file: string): void {
  for (const path of [file, lockOf(file)]) nodeFs().rmSync(path, { force: true });
}

/** Waits until nobody else writes, but not for ever: a step that is written in between is better than none. */
function alone(lock: string): () => void {
  for (const until = performance.now() + patienceMs; performance.now() < until;) {
    const held = openLocked(lock);
    if (typeof held === "object") return () => held.close();
    if (held === "missing") append(lock, "", 0o600);
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
  }
  return () => undefined;
}

const patienceMs = 500;
const pauseMs = 2;

/** An empty line first: what another has left half written must not take ours with it. */
const linesFor = (steps: readonly Step[]): string =>
  steps.map((step) => `\n${JSON.stringify(step)}`).join("") + "\n";
