import { join } from "node:path";
import type { Event } from "../../core/event.ts";
import type { Component } from "../../core/hook.ts";
import { asText, isObject } from "../../core/json.ts";
import { hosts } from "../../hosts/index.generated.ts";
import { sha256 } from "../../platform/digest.ts";
import { nodeFs, readText } from "../../platform/files.ts";
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

/**
 * The components at work at an event, as far as the host tells: a subagent from its start to its stop, a skill and a command from
 * when they are called to the next prompt. What is found out is kept in the user's state folder for the events to come.
 */
export function activeAt(event: Event, env: Env): readonly Active[] {
  const { during, after, known, file } = followed(event, env);
  if (file !== undefined && JSON.stringify(after) !== JSON.stringify(known)) write(file, after);
  return during;
}

/** The same for whoever only wants to know. */
export const activeDuring = (event: Event, env: Env): readonly Active[] => followed(event, env).during;

function followed(event: Event, env: Env) {
  const file = fileOf(event, env);
  const known = file === undefined ? [] : read(file);
  const during = begun(event, known);
  const after = ended(event, during);
  return { file, known, during: acting(event, during), after };
}

/** Of subagents that run at the same time only the one whose event it is, where the host says that. */
function acting({ agent, host, dialect }: Event, active: readonly Active[]): readonly Active[] {
  const others = active.filter(({ kind }) => kind !== "agent");
  if (agent?.type !== undefined) return [...others, { kind: "agent", name: agent.type }];
  const isNamed = Object.hasOwn(hosts, host) && hosts[host]?.namesAgents?.includes(dialect) === true;
  return isNamed ? others : active;
}

/** The name a component goes by may be put behind its plugin's. */
export const isCalled = ({ kind, name }: Component, active: Pick<Active, "kind" | "name">): boolean =>
  kind === active.kind && (name === active.name || active.name.endsWith(`:${name}`));

function begun(event: Event, known: readonly Active[]): readonly Active[] {
  const turn = asText(event.payload["prompt_id"]);
  const inTurn = turn === undefined ? {} : { turn };
  switch (event.name) {
    case "SessionStart":
      return event.payload["source"] === "resume" || event.payload["source"] === "compact" ? known : [];
    case "SubagentStart": {
      const { type, id } = event.agent ?? {};
      return type === undefined
        ? known
        : [...known, { kind: "agent", name: type, ...(id === undefined ? {} : { id }) }];
    }
    case "UserPromptSubmit": {
      // What was called in the same turn belongs to it; everything else is over.
      const left = known.filter(
        (each) => each.kind === "agent" || (turn !== undefined && each.turn === turn),
      );
      return [...left, ...called(/^\s*\/([\w:.-]+)/.exec(event.prompt ?? "")?.[1], left, inTurn)];
    }
    case "PostToolUse":
      return isSkillTool(event)
        ? [
            ...known,
            ...called(skillIn(event.tool?.input), known, inTurn).filter(({ kind }) => kind === "skill"),
          ]
        : known;
    default:
      return event.native === "UserPromptExpansion"
        ? [...known, ...called(asText(event.payload["command_name"]), known, inTurn)]
        : known;
  }
}

/** A slash calls a command or a skill; which of them it was nobody says. */
function called(name: string | undefined, known: readonly Active[], turn: { turn?: string }): Active[] {
  if (name === undefined) return [];
  const both = (["command", "skill"] as const).map((kind) => ({ kind, name, ...turn }));
  return both.filter((each) => !known.some((other) => other.kind === each.kind && other.name === name));
}

const isSkillTool = ({ tool }: Event): boolean => tool?.name === "Skill" || tool?.name === "skill";

function skillIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  return asText(input["skill"]) ?? asText(input["name"]) ?? asText(input["command"]);
}

function ended(event: Event, active: readonly Active[]): readonly Active[] {
  if (event.name === "SessionEnd") return [];
  if (event.name !== "SubagentStop") return active;
  const { id, type } = event.agent ?? {};
  const at = active.findIndex(
    (each) =>
      each.kind === "agent" &&
      (id !== undefined && each.id !== undefined ? each.id === id : each.name === type),
  );
  return active.filter((_each, index) => index !== at);
}

const mostBytes = 64 * 1024;
const mostActive = 100;

const fileOf = ({ root, session }: Event, env: Env): string | undefined =>
  session === undefined
    ? undefined
    : join(stateFolder(env), "components", `${sha256(`${root}\n${session}`).slice(0, 32)}.json`);

function read(file: string): readonly Active[] {
  try {
    const found: unknown = JSON.parse(readText(file, mostBytes) ?? "[]");
    return Array.isArray(found) ? (found.filter(isObject) as unknown as Active[]) : [];
  } catch {
    // Half a file says nothing; the next start or prompt writes it anew.
    return [];
  }
}

function write(file: string, active: readonly Active[]): void {
  if (active.length === 0) nodeFs().rmSync(file, { force: true });
  else writeNew(file, JSON.stringify(active.slice(-mostActive)));
}
