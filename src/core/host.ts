import type { Agent, EventName, Tool, Trouble } from "./event.ts";
import type { Json } from "./json.ts";
import type { Operation } from "./operation.ts";
import type { Outcome } from "./outcome.ts";
import type { Contribution } from "./finding.ts";
import type { Verdict } from "./verdict.ts";

/** What a host can be told at one of its events: outcomes, and things to add to the answer. */
export type Ability = Exclude<Outcome, "pass"> | Exclude<keyof Contribution, "native" | "insist" | "after">;

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
  readonly tool?: Tool;
  readonly error?: Trouble;
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
  /** The version of the host, as far as it tells. */
  version?(env: (name: string) => string | undefined): string | undefined;
}

/** Defines a host. Its id is the name of its folder; its `can` is made when first looked at. */
export function defineHost(host: Host): Host {
  let can: Host["can"] | undefined;
  const get = (): Host["can"] => (can ??= bare(mapValues(host.can, bare)));
  return Object.create(host, { can: { get, enumerable: true } }) as Host;
}

const mapValues = <T>(table: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, change(value)]));

// Looked up by names that come from outside: `constructor` is nobody's event.
const bare = <T extends object>(table: T): T => Object.setPrototypeOf({ ...table }, null) as T;

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
  const insisted = insistedIn(verdict, can);
  const outcome = insisted.length > 0 ? "block" : fitOutcome(verdict.outcome, can);
  if (outcome !== verdict.outcome) unexpressed.push(`${verdict.outcome} → ${outcome}`);
  // Some hosts ignore a refusal without a reason.
  const said =
    [textOf(verdict), ...insisted].filter(Boolean).join("\n\n") ||
    (outcome === "block" ? "Blocked by policy." : "");
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
  return contributions.flatMap(({ insist, context }) =>
    insist === true && context !== undefined ? [context] : [],
  );
}

const carriesReason = (outcome: Outcome): boolean =>
  outcome === "block" || outcome === "ask" || outcome === "allow";

const fallbacks: Record<Outcome, readonly Outcome[]> = {
  pass: ["pass"],
  allow: ["allow", "pass"],
  warn: ["warn", "pass"],
  ask: ["ask", "block", "warn", "pass"],
  block: ["block", "ask", "warn", "pass"],
};

const fitOutcome = (outcome: Outcome, can: readonly Ability[]): Outcome =>
  fallbacks[outcome].find((each) => each === "pass" || can.includes(each)) ?? "pass";

/** The messages of the findings that decided; milder ones stay in the record. */
function textOf(verdict: Verdict): string {
  const deciding = verdict.findings.filter((finding) => finding.outcome === verdict.outcome);
  return [...new Set(deciding.map((finding) => finding.message))].join("\n\n");
}
