import type { Agent, EventName, Tool, Trouble } from "./event.ts";
import type { Json } from "./json.ts";
import type { Operation } from "./operation.ts";
import type { Outcome } from "./outcome.ts";
import type { Contribution } from "./finding.ts";
import type { Verdict } from "./verdict.ts";

/** What a host can be told at one of its events: outcomes, and things to add to the answer. */
export type Ability =
  | Exclude<Outcome, "pass">
  | Exclude<keyof Contribution, "native" | "insist" | "after" | "by">;

/** What `decode` makes of a payload: our words, but nothing looked up yet. */
export interface Call {
  readonly name: EventName;
  readonly native: string;
  readonly dialect: string;
  readonly session?: string;
  readonly agent?: Agent;
  readonly cwd?: string;
  readonly transcript?: string;
  readonly permissionMode?: string;
  readonly prompt?: string;
  readonly said?: string;
  readonly heldBefore?: boolean;
  readonly mostHolds?: number;
  readonly tool?: Tool;
  readonly error?: Trouble;
  /** The host tells of the same call by another event too, and it counts there. */
  readonly again?: true;
  /** The host is about to take over settings that have changed. */
  readonly settings?: true;
  readonly operations: readonly Operation[];
}

/** A verdict fitted to what the host can express at this event. */
export interface Reply {
  readonly outcome: Outcome;
  /** Why, for the one who is stopped or asked. Empty when nothing is to be said. */
  readonly reason: string;
  readonly context: readonly string[];
  readonly notices: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
  readonly output?: unknown;
  readonly stop?: string;
  readonly native: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly exitCode: number;
  readonly stdout?: Readonly<Record<string, unknown>> | string;
  readonly stderr?: string;
}

/** An agent that calls us. Both directions of its contract stand in one folder. */
export interface Host {
  readonly title: string;
  /** The contract and the version it was read at. */
  readonly reference: string;
  /** By dialect, then by native event name. An event missing here can only be observed. */
  readonly can: Readonly<Record<string, Readonly<Record<string, readonly Ability[]>>>>;
  /** The dialects in which every event of a subagent says whose it is. */
  readonly namesAgents?: readonly string[];
  /** How sure the host is that a payload is its own: 0 no, 1 possibly, 2 surely. */
  recognises(payload: Json): 0 | 1 | 2;
  /** `event` is what the command line says, for hosts whose payload does not name its event. */
  decode(payload: Json, event: string | undefined): Call;
  encode(reply: Reply, call: Call): Answer;
  /** What the main agent says in an entry of its transcript; empty when it only uses tools. Nothing: others speak. */
  said?(entry: Json): string | undefined;
  /** Whether a transcript that ends with an entry has not yet come as far as an event. */
  lags?(entry: Json, payload: Json): boolean;
  /** The directory the host says the project is in. */
  projectDirectory?(env: (name: string) => string | undefined): string | undefined;
  /** How often in a row it can be kept from stopping; then it stops whatever is said. Nothing: as often as one likes. */
  mostHolds?(env: (name: string) => string | undefined): number | undefined;
  /** The version of the host, as far as it tells. */
  version?(env: (name: string) => string | undefined): string | undefined;
}

/** What an event needs to find its host, without loading all of them. */
export interface HostEntry extends Pick<Host, "namesAgents" | "recognises"> {
  load(): Host | Promise<Host>;
}

/** What whoever installs, checks or explains a host has to know of it, and no call does. */
export interface HostFacts {
  /** The version at which all this was read or seen. */
  readonly version: string;
  /** What never reaches the host's hooks, or only when it is too late. */
  readonly blind: readonly Blind[];
  /** How long a hook may take where nobody says it, in the unit the host's configuration is written in. */
  readonly timeLimit?: { readonly unit: "s" | "ms"; readonly usual: number };
  /** Whether a tool call goes ahead when its hook fails. */
  readonly failing: Readonly<Record<Failure, Failing>>;
  /** The same with the entry `hookline init` writes, which closes what it can; absent where there is none. */
  readonly installed?: Readonly<Record<Exclude<Failure, "garbled">, Failing>>;
  /** What has to happen before the host runs the hooks of a repository. */
  readonly trust: string;
  /** How the host's hooks are switched off; whoever guards them has to look there. */
  readonly switches: readonly Switch[];
}

/** One way to switch hooks off. An agent that tries it by a tool is refused; the rest is about everybody else. */
export interface Switch {
  readonly by: string;
  /**
   * What becomes of it behind our back. `refused`: the host asks before it counts; `told`: the next event says so; `silent`: a session
   * that was started like that asks nobody.
   */
  readonly behind: "refused" | "told" | "silent";
}

/** `crash`: it ends badly or is not there; `late`: its time is up; `garbled`: nobody can read what it says. */
export type Failure = "crash" | "late" | "garbled";

/** What comes of the call. `waits`: nothing, until the hook has ended by itself; then it goes ahead. */
export type Failing = "open" | "closed" | "waits";

export interface Blind {
  /** What is called, in the host's word. */
  readonly tool: string;
  readonly why: string;
  readonly source: string;
}

/** Defines a host. Its id is the name of its folder; its `can` is made when first looked at. */
export function defineHost(host: Host): Host {
  let can: Host["can"] | undefined;
  const get = (): Host["can"] => (can ??= host.can);
  return Object.create(host, { can: { get, enumerable: true } }) as Host;
}

/** What a host can be told at an event; nothing for one it does not know. */
export function abilitiesAt(
  { can }: Host,
  { dialect, native }: Pick<Call, "dialect" | "native">,
): readonly Ability[] | undefined {
  // The names come from outside: `constructor` is nobody's event.
  const events = Object.hasOwn(can, dialect) ? can[dialect] : undefined;
  return events && Object.hasOwn(events, native) ? events[native] : undefined;
}

export interface Fitted {
  readonly reply: Reply;
  /** What the host cannot be told at this event, for the record. */
  readonly unexpressed: readonly string[];
  /** The contributions that are part of the reply. */
  readonly told: readonly Contribution[];
}

/** Fits a verdict to a host, always to the stricter side, and says what was lost. */
export function fit(verdict: Verdict, can: readonly Ability[]): Fitted {
  const unexpressed: string[] = [];
  const told: Contribution[] = [];
  const insisted = [...insistedIn(verdict, can), ...unchangedIn(verdict, can)];
  const outcome = insisted.length > 0 ? "block" : fitOutcome(verdict.outcome, can);
  if (outcome !== verdict.outcome) unexpressed.push(`${verdict.outcome} → ${outcome}`);
  // Some hosts ignore a refusal without a reason.
  const said = textOf(verdict, insisted) || (outcome === "block" ? "Blocked by policy." : "");
  const context: string[] = [];
  const notices: string[] = [];
  // Where the reason cannot travel with the outcome, it goes to whoever can still be reached; approval needs no words,
  // and what is only noted is for the record.
  if (said !== "" && verdict.outcome !== "allow" && verdict.outcome !== "pass" && !carriesReason(outcome)) {
    if (can.includes("context")) context.push(said);
    if (can.includes("notice")) notices.push(said);
  }
  let input: Reply["input"];
  let output: unknown;
  let stop: string | undefined;
  let native: Record<string, unknown> = {};
  const accept = (ability: Ability): boolean => {
    if (can.includes(ability)) return true;
    unexpressed.push(ability);
    return false;
  };
  for (const part of verdict.contributions) {
    const lost = unexpressed.length;
    if (part.context !== undefined && !insisted.includes(part.context) && accept("context"))
      context.push(part.context);
    if (part.notice !== undefined && accept("notice")) notices.push(part.notice);
    if (part.input !== undefined && accept("input")) input = part.input;
    if (part.output !== undefined && accept("output")) output = part.output;
    if (part.stop !== undefined && accept("stop")) stop ??= part.stop;
    if (part.native) native = { ...native, ...part.native };
    if (unexpressed.length === lost) told.push(part);
  }
  const reply: Reply = {
    outcome,
    reason: carriesReason(outcome) ? said : "",
    context,
    notices,
    native,
    ...(input === undefined || outcome === "block" ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    ...(stop === undefined ? {} : { stop }),
  };
  return { reply, unexpressed, told };
}

/** What must be heard and can only be heard as the reason of a refusal. */
function insistedIn({ outcome, contributions }: Verdict, can: readonly Ability[]): string[] {
  if (!can.includes("block") || (outcome !== "block" && can.includes("context"))) return [];
  const said: string[] = [];
  for (const { insist, context } of contributions)
    if (insist === true && context !== undefined) said.push(context);
  return said;
}

/** A call that has to be changed is not made as it was: that would be a way around whoever has changed it. */
function unchangedIn({ outcome, contributions }: Verdict, can: readonly Ability[]): string[] {
  if (outcome === "block" || can.includes("input") || !can.includes("block")) return [];
  const who = contributions.flatMap(({ input, by }) => (input === undefined || by === undefined ? [] : [by]));
  if (who.length === 0) return [];
  return [
    `Blocked by ${who.join(", then ")}: this call would have to be changed, and this agent cannot be told how.\nMade as it is, it would go around what changes it.\nMake a call that needs no change, or ask the user.`,
  ];
}

const carriesReason = (outcome: Outcome): boolean =>
  outcome === "block" || outcome === "ask" || outcome === "allow";

/** Who can be told none of them hears nothing. */
const fallbacks: Record<Outcome, readonly Exclude<Outcome, "pass">[]> = {
  pass: [],
  allow: ["allow"],
  warn: ["warn"],
  ask: ["ask", "block", "warn"],
  block: ["block", "ask", "warn"],
};

function fitOutcome(outcome: Outcome, can: readonly Ability[]): Outcome {
  for (const each of fallbacks[outcome]) if (can.includes(each)) return each;
  return "pass";
}

/** The messages of the findings that decided, and what else has to be heard; milder ones stay in the record. */
function textOf({ findings, outcome }: Verdict, insisted: readonly string[]): string {
  const said: string[] = [];
  for (const finding of findings)
    if (finding.outcome === outcome && finding.message !== "" && !said.includes(finding.message))
      said.push(finding.message);
  for (const text of insisted) if (text !== "") said.push(text);
  return said.join("\n\n");
}
