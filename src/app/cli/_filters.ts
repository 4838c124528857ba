import { resolve } from "node:path";
import { nearest } from "../../core/nearest.ts";
import { eventNames } from "../../core/event.ts";
import { isOutcome, outcomes, type Outcome } from "../../core/outcome.ts";
import { hostIndex } from "../../hosts/lazy.generated.ts";
import type { Filter } from "../../ledger/query/filter.ts";
import { toWords } from "../../ledger/query/view.ts";
import { rules } from "../../packs/index.generated.ts";
import { textFlag, UsageError, type Flag, type Given } from "./_command.ts";

/** Flags of every command that looks for records by time. */
export const timeFlags = {
  since: {
    type: "string",
    value: "WHEN",
    summary: "Not before: 30m, 12h, 7d, 2w ago, or a date such as 2026-05-01.",
  },
  until: { type: "string", value: "WHEN", summary: "Before then." },
  host: {
    type: "string",
    value: "HOST",
    summary: "Of this agent.",
    values: () => Object.keys(hostIndex),
  },
} satisfies Record<string, Flag>;

/** Flags of every command that looks for records. */
export const filterFlags = {
  ...timeFlags,
  session: { type: "string", value: "ID", summary: "Of this session." },
  agent: { type: "string", value: "ID", summary: "In this subagent, by its id or type." },
  tool: { type: "string", value: "NAME", summary: "About this tool, by the name its host has for it." },
  event: { type: "string", value: "EVENT", summary: "At this event.", values: () => eventNames },
  rule: {
    type: "string",
    value: "ID",
    summary: "With a finding of this rule; safety/* for a pack.",
    values: () => Object.keys(rules),
  },
  outcome: {
    type: "string",
    value: "OUTCOME",
    summary: `${outcomes.join(", ")}; several with commas. What observe mode would have done counts.`,
    values: () => outcomes,
  },
  path: {
    type: "string",
    value: "PATH",
    summary: "About this file, anything below this folder, or a pattern like 'src/**/*.ts'.",
  },
  text: { type: "string", value: "WORDS", summary: "With words that begin like these." },
} satisfies Record<string, Flag>;

export const limitFlags = (usual: string): Record<"limit" | "all", Flag> => ({
  limit: { type: "string", value: "N", summary: `At most so many, the latest; ${usual} when not given.` },
  all: { type: "boolean", summary: "As many as there are." },
});

export function limitOf(given: Given, usual: number): number {
  if (given.flags["all"] === true) return Number.POSITIVE_INFINITY;
  const text = textFlag(given, "limit");
  if (text === undefined) return Math.max(usual, given.words.length);
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--limit takes a whole number from 1 up, not ${text}`);
}

export function filterOf(given: Given, now = Date.now()): Filter {
  const text = (name: string) => textFlag(given, name);
  const path = text("path");
  const outcome = text("outcome");
  const words = text("text");
  const filter: Record<string, unknown> = {
    since: timeOf(given, "since", now),
    until: timeOf(given, "until", now),
  };
  for (const name of ["host", "session", "agent", "tool", "event", "rule"]) filter[name] = text(name);
  if (path !== undefined) filter["path"] = toPath(path);
  if (outcome !== undefined) filter["outcomes"] = outcome.split(",").map(toOutcome);
  if (words !== undefined) filter["text"] = toText(words);
  refuseImpossible(filter);
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** What nothing can fit is a slip of the keyboard, and "nothing on record" would be taken for an answer. */
function refuseImpossible({ since, until, event }: Readonly<Record<string, unknown>>): void {
  if (typeof since === "number" && typeof until === "number" && until <= since)
    throw new UsageError("--until must be later than --since; between them there is no time at all");
  const names: readonly string[] = eventNames;
  // An agent may have events of its own, and those go by its names.
  const near = typeof event === "string" && !names.includes(event) ? nearest(event, names) : undefined;
  if (near !== undefined) throw new UsageError(`unknown event "${String(event)}"; did you mean "${near}"?`);
}

function toText(words: string): string {
  if (toWords(words).length > 0) return words;
  throw new UsageError(`--text ${words} has no word in it; expected letters or digits`);
}

function toOutcome(word: string): Outcome {
  if (isOutcome(word)) return word;
  throw new UsageError(`unknown outcome "${word}"; expected ${outcomes.join(", ")}`);
}

/** A pattern without a folder is looked for everywhere. */
const toPath = (path: string): string =>
  /[*?[{]/.test(path) && !path.includes("/") ? `/**/${path}` : resolve(path);

/** A point in time: so long ago, or a date. */
function timeOf(given: Given, name: "since" | "until", now: number): number | undefined {
  const text = textFlag(given, name);
  if (text === undefined) return undefined;
  const ago = /^(\d+(?:\.\d+)?)([smhdw])$/.exec(text);
  if (ago) return now - Number(ago[1]) * (units[ago[2] ?? ""] ?? 0);
  const time = calendarTime(text);
  if (time !== undefined) return time;
  throw new UsageError(
    `--${name} ${text} is no time; expected 30m, 12h, 7d, 2w, a date, or a date and time in ISO 8601`,
  );
}

/**
 * A date, or a date and a time, in the user's own time where it names no other. Not whatever `Date.parse` makes
 * something of: to that, `5` is a month of 2001 and the 31st of February a day in March.
 */
function calendarTime(text: string): number | undefined {
  const [, date = "", clock = "T00:00", zone = ""] = calendar.exec(text) ?? [];
  const day = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date)) return undefined;
  const time = Date.parse(`${date}${clock.replace(" ", "T")}${zone.toUpperCase()}`);
  return Number.isNaN(time) ? undefined : time;
}

const calendar = /^(\d{4}-\d{2}-\d{2})(?:([T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?)?$/i;

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
