import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import * as v from "valibot";
import type { Effect } from "../core/effect.ts";
import { judge, type Judgement } from "../core/engine.ts";
import type { Event, EventName } from "../core/event.ts";
import { defined } from "../core/json.ts";
import type { Operation } from "../core/operation.ts";
import { isInside } from "../core/paths.ts";
import type { Example, Rule } from "../core/rule.ts";
import { understand } from "../core/understand.ts";
import { unfoldCommands, withReaders } from "../shell/understand.ts";
import {
  recordWorld,
  replayWorld,
  type Observation,
  type RecordingWorld,
  type World,
} from "../core/world.ts";
import { programsOf } from "../workflow/declared/concern.ts";
import type { Workflow } from "../workflow/declared/model.ts";
import { workspaceFolder } from "../ledger/places.ts";
import { callOf } from "../ledger/call.ts";
import { memoryOf } from "../ledger/recall.ts";
import { liveWorld } from "../platform/live-world.ts";

/** An example, and what only a test wants to say. */
export interface Case extends Example {
  /** Names the test where the situation does not speak for itself. */
  readonly title?: string;
  /** The host's session id. */
  readonly session?: string;
  /** Where the agent stands, relative to the workspace. */
  readonly cwd?: string;
  /** Another name the host has for the workspace, relative to it: a link to it, or a folder in it. */
  readonly root?: string;
  /** What an example has no word for, such as two edits in one call. */
  readonly operations?: readonly Operation[];
  /** Makes what files and links cannot, such as a git worktree. */
  readonly prepare?: (workspace: string) => void;
  /** The effects the rule asks for, all of them, in order. */
  readonly effects?: readonly Effect[];
}

/** What a rule said of a case, with throw-away paths as `<workspace>`, `<home>` and `<around>`. */
export interface Trial extends Pick<Judgement, "findings" | "contributions" | "effects"> {
  /** What came out differently when the same case was judged from its record alone. */
  readonly unlike?: string;
}

/** Puts a case to a rule in a throw-away workspace, then replays it from the record with the workspace gone. */
export async function tryRule(id: string, rule: Rule, given: Case): Promise<Trial> {
  const around = realpathSync(mkdtempSync(join(tmpdir(), "hookline-trial-")));
  // Workspace and home share one entry of the temporary directory, so that neither is scratch to the other.
  const places = { around, workspace: join(around, "workspace"), home: join(around, "home") };
  try {
    furnish(given, places);
    const live = recordWorld(
      liveWorld(
        { HOME: places.home, TMPDIR: tmpdir() },
        memoryOf(() => [workspaceFolder(places.workspace)], { HOME: places.home }),
      ),
    );
    const said = await ask(id, rule, given, places.workspace, live);
    const record = JSON.parse(JSON.stringify(live.observations)) as Observation[];
    rmSync(around, { recursive: true, force: true });
    const again = await ask(id, rule, given, places.workspace, recordWorld(replayWorld(record)));
    const unlike = Bun.deepEquals(said, again) ? {} : { unlike: Bun.inspect(again, { depth: 8 }) };
    return { ...withoutPlaces(said, places), ...unlike };
  } finally {
    rmSync(around, { recursive: true, force: true });
  }
}

interface Places {
  readonly around: string;
  readonly workspace: string;
  readonly home: string;
}

function furnish(given: Case, { around, workspace, home }: Places): void {
  mkdirSync(workspace);
  mkdirSync(home);
  const place = (name: string): string => {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : resolve(workspace, name);
    if (!isInside(around, path))
      throw new Error(`a case may not make ${name}: it lies outside its own folder`);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  };
  for (const [name, text] of Object.entries(given.files ?? {})) writeFileSync(place(name), text);
  for (const [name, target] of Object.entries(given.links ?? {})) symlinkSync(target, place(name));
  given.prepare?.(workspace);
  mkdirSync(resolve(workspace, given.cwd ?? "."), { recursive: true });
}

async function ask(id: string, rule: Rule, given: Case, workspace: string, world: RecordingWorld) {
  const event = deepFreeze(await withReaders(() => toEvent(given, workspace, world)));
  const options = deepFreeze(v.parse(rule.options(v), given.options ?? {}));
  const { outcome, failMode, on } = rule;
  const declared = deepFreeze(given.declared);
  const selected = { id, on, rule, outcome, failMode, options, declared };
  const before = given.denied ? [{ ...given.denied, outcome: "block" as const, id: "", data: {} }] : [];
  const { findings, contributions, effects } = await judge(event, [selected], world, undefined, before);
  return { findings, contributions, effects, actions: event.actions };
}

function toEvent(given: Case, workspace: string, world: World): Event {
  const cwd = resolve(workspace, given.cwd ?? ".");
  const root = resolve(workspace, given.root ?? ".");
  const operations = operationsOf(given);
  const name = given.event ?? nameFor(given, operations);
  const [first] = operations;
  const { id, output, error, exitCode } = given;
  const called = given.tool ?? (first && { name: first.do, input: { ...first } });
  const tool = called && { ...called, ...defined({ id, output, error, exitCode }) };
  return {
    name,
    native: name,
    host: "trial",
    dialect: "trial",
    cwd,
    root,
    ...defined({
      session: given.session,
      prompt: given.prompt,
      said: given.said,
      agent: given.agent === undefined ? undefined : { type: given.agent },
      error: first || error === undefined ? undefined : { message: error },
    }),
    ...(tool ? { tool, call: callOf(tool) } : {}),
    actions: unfoldCommands(understand(operations, cwd, world), root, world, programsIn(given)),
    payload: {},
  };
}

/** Programs that what the policy declares speaks of. */
const programsIn = ({ declared }: Case): string[] =>
  Array.isArray(declared) ? programsOf(declared as Workflow[]) : []; // nothing else can be declared

function nameFor(given: Case, operations: readonly Operation[]): EventName {
  if (operations.length > 0 || given.tool) return "PreToolUse";
  if (given.prompt !== undefined) return "UserPromptSubmit";
  throw new Error("the case says neither what is done nor which event it is");
}

function operationsOf({
  write,
  text,
  edit,
  delete: deleted,
  read,
  shell,
  patch,
  delegate,
  operations = [],
}: Case): Operation[] {
  const found: Operation[] = [];
  if (write !== undefined && edit) found.push({ do: "edit", path: write, edits: [edit] });
  else if (write !== undefined) found.push({ do: "write", path: write, ...defined({ text }) });
  if (deleted !== undefined) found.push({ do: "delete", path: deleted });
  if (read !== undefined) found.push({ do: "read", path: read });
  if (shell !== undefined) found.push({ do: "exec", command: shell });
  if (patch !== undefined) found.push({ do: "patch", text: patch });
  if (delegate) found.push({ do: "delegate", ...delegate });
  return [...found, ...operations];
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}

function withoutPlaces(said: Trial, { around, workspace, home }: Places): Trial {
  const { findings, contributions, effects } = said;
  const text = JSON.stringify({ findings, contributions, effects });
  const named = text
    .replaceAll(workspace, "<workspace>")
    .replaceAll(home, "<home>")
    .replaceAll(around, "<around>");
  return JSON.parse(named) as Trial;
}
