import type { Outcome } from "../../core/outcome.ts";
import type { LedgerRecord } from "../read.ts";
import { toWords, viewOf, wordsOf, type View } from "./view.ts";

/** Which records somebody wants to see. Everything given must hold. */
export interface Filter {
  readonly since?: number;
  readonly until?: number;
  readonly host?: string;
  readonly session?: string;
  /** The id or the type of a subagent. */
  readonly agent?: string;
  readonly tool?: string;
  readonly event?: string;
  /** An id, or a pattern such as `safety/*`. */
  readonly rule?: string;
  readonly outcomes?: readonly Outcome[];
  /** A file, a folder with everything below it, or a pattern; absolute. */
  readonly path?: string;
  /** Words, each of which some word of the record begins with. */
  readonly text?: string;
  readonly ids?: readonly string[];
}

/** Does a record belong to what was asked for? The index may only ever guess; this decides. */
export function matches(record: LedgerRecord, filter: Filter, view: View = viewOf(record)): boolean {
  return (
    record.kind === "decision" &&
    (filter.since === undefined || view.time >= filter.since) &&
    (filter.until === undefined || view.time < filter.until) &&
    is(filter.host, view.host) &&
    is(filter.session, view.session) &&
    (filter.agent === undefined || view.agent === filter.agent || view.agentType === filter.agent) &&
    is(filter.tool, view.tool) &&
    is(filter.event, view.event) &&
    (filter.ids === undefined || filter.ids.includes(view.id)) &&
    (filter.outcomes === undefined || hasOutcome(view, filter.outcomes)) &&
    (filter.rule === undefined || view.findings.some(({ rule }) => ruleTest(filter.rule ?? "")(rule))) &&
    (filter.path === undefined || view.paths.some(pathTest(filter.path))) &&
    (filter.text === undefined || hasWords(record, filter.text))
  );
}

const is = (wanted: string | undefined, value: string | undefined): boolean =>
  wanted === undefined || wanted === value;

const hasOutcome = ({ outcome, would }: View, wanted: readonly Outcome[]): boolean =>
  wanted.includes(outcome) || (would !== undefined && wanted.includes(would));

const isPattern = (text: string): boolean => /[*?[{]/.test(text);

export function ruleTest(wanted: string): (rule: string) => boolean {
  if (!isPattern(wanted)) return (rule) => rule === wanted;
  const glob = new Bun.Glob(wanted);
  return (rule) => glob.match(rule);
}

export function pathTest(wanted: string): (path: string) => boolean {
  if (!isPattern(wanted)) return (path) => path === wanted || path.startsWith(below(wanted));
  const glob = new Bun.Glob(wanted);
  return (path) => glob.match(path);
}

/** What every path that fits begins with. */
export const pathStart = (wanted: string): string => /^[^*?[{\\]*/.exec(wanted)?.[0] ?? "";

const below = (folder: string): string => (folder.endsWith("/") ? folder : `${folder}/`);

function hasWords(record: LedgerRecord, text: string): boolean {
  const words = [...wordsOf(record)];
  return toWords(text).every((wanted) => words.some((word) => word.startsWith(wanted)));
}
