import { sha256 } from "../platform/digest.ts";
import { beginning, type Link } from "./chain.ts";
import { at, Flaws, range, unreadable, type Flaw, type Place } from "./_flaws.ts";
import { parseLinked, type Linked } from "./_linked-line.ts";
import { current } from "./places.ts";
import { linesOf, segmentsOf, strangersIn, toRecord, type Line } from "./read.ts";

export interface Verified {
  readonly records: number;
  readonly bytes: number;
  readonly segments: number;
  readonly first?: Link;
  readonly last?: Link;
  /** Records somebody died while writing; each is accounted for by the record behind it. */
  readonly torn: number;
  /** What was removed on purpose, as the chain itself says. */
  readonly pruned?: Link;
  readonly flaws: readonly Flaw[];
  /** The flaws beyond the first hundred are only counted. */
  readonly more: number;
}

/** What the record at a number is expected to be linked as, known from outside the ledger. */
export interface Anchor extends Link {
  readonly from: string;
}

/** What is remembered outside a ledger is one. */
export const headAnchor = (head: Link | undefined): Anchor[] =>
  head ? [{ ...head, from: "the head kept outside it" }] : [];

/** Reads a whole ledger and says everything that was changed, removed, moved or put in. */
export function verifyLedger(folder: string, anchors: readonly Anchor[] = []): Verified {
  const check = new Check(anchors);
  for (const name of strangersIn(folder)) check.stranger(name);
  const segments = segmentsOf(folder);
  for (const segment of segments) {
    for (const line of linesOf(folder, segment)) check.line(line);
    check.endOfSegment();
  }
  return check.result(segments.length);
}

const latin = new TextDecoder("latin1");

class Check {
  private readonly flaws = new Flaws();
  private records = 0;
  private bytes = 0;
  private torn = 0;
  private first: Link | undefined;
  private last: Link | undefined;
  private pruned: Link | undefined;
  /** Lines that are no records, until the next record accounts for them or not. */
  private fragments: { line: Line; bytes: Uint8Array }[] = [];
  private readonly waiting: Map<number, Anchor[]>;
  private gone: Flaw | undefined;
  /** What the first record follows. */
  private start: Link | undefined;

  constructor(anchors: readonly Anchor[]) {
    this.waiting = new Map(
      anchors.map(({ seq }) => [seq, anchors.filter((anchor) => anchor.seq === seq)] as const),
    );
  }

  stranger(segment: string): void {
    this.flaws.add({
      kind: "unreadable",
      segment,
      text: `${segment} is no segment: not a plain file, or misnamed`,
    });
  }

  line(line: Line): void {
    this.bytes += line.bytes.length + (line.whole ? 1 : 0);
    const parsed = line.whole ? parseLinked(line.bytes) : undefined;
    if (!parsed) {
      this.fragments.push({ line, bytes: line.bytes.slice() });
      return;
    }
    this.records++;
    const record = this.needsReading(line.bytes) ? toRecord(line) : undefined;
    const after = this.settleFragments(record, parsed.seq);
    this.follow(line, parsed, after);
    if (!parsed.sound)
      this.flaws.add({
        kind: "changed",
        ...at(line),
        from: parsed.seq,
        to: parsed.seq,
        text: `record ${parsed.seq} was changed`,
      });
    for (const anchor of this.waiting.get(parsed.seq) ?? []) {
      if (anchor.link !== parsed.link)
        this.flaws.add({
          kind: "replaced",
          ...at(line),
          from: parsed.seq,
          to: parsed.seq,
          text: `record ${parsed.seq} is not the one ${anchor.from} knows`,
        });
    }
    this.waiting.delete(parsed.seq);
    this.notePruning(record);
    this.first ??= { seq: parsed.seq, link: parsed.link };
    // A record out of its place says nothing about where the chain is.
    if (!this.last || parsed.seq > this.last.seq) this.last = { seq: parsed.seq, link: parsed.link };
  }

  /** Most records say nothing about the chain itself, and parsing them would take most of the time. */
  private needsReading(bytes: Uint8Array): boolean {
    return this.fragments.length > 0 || latin.decode(bytes.subarray(0, 24)).includes('"kind":"closed"');
  }

  private notePruning(record: ReturnType<typeof toRecord>): void {
    const pruned = record?.["pruned"] as { seq?: unknown; link?: unknown } | undefined;
    if (typeof pruned?.seq === "number" && typeof pruned.link === "string")
      this.pruned = { seq: pruned.seq, link: pruned.link };
  }

  /** Does the record follow the one before it? */
  private follow(line: Line, { seq, prev, link }: Linked, accounted: boolean): void {
    this.takeBackJump(seq);
    const run = this.run;
    this.run = undefined;
    const before = this.last;
    if (!before) {
      // Whether the beginning may be missing is only known at the end, from what the chain says was removed.
      if (seq !== 1 || prev !== beginning.link)
        this.gone = {
          kind: "missing",
          ...at(line),
          from: 1,
          to: seq - 1,
          text: seq > 1 ? range(1, seq - 1, "missing") : "the beginning was changed",
        };
      this.start = { seq: seq - 1, link: prev };
      return;
    }
    if (seq === before.seq + 1) {
      if (prev !== before.link)
        this.flaws.add({
          kind: "changed",
          ...at(line),
          from: before.seq,
          to: seq,
          text: `record ${seq} does not follow the record ${before.seq} that stands before it: one of them was changed or put in`,
        });
    } else if (seq > before.seq + 1) {
      // The one between stands elsewhere, and that has been said.
      if (seq === before.seq + 2 && prev === this.strayed.get(seq - 1)) return;
      const flaw: Flaw = {
        kind: "missing",
        ...at(line),
        from: before.seq + 1,
        to: seq - 1,
        text: range(before.seq + 1, seq - 1, accounted ? "unreadable or missing" : "missing"),
      };
      this.jump = { before, line: at(line), seq, link, flaw };
      this.flaws.add(flaw);
    } else if (run && seq === run.last.seq + 1 && prev === run.last.link) {
      this.misplace(at(line), run.from, { seq, link }, before.seq, run.flaw);
    } else this.misplace(at(line), seq, { seq, link }, before.seq);
  }

  /** Records one behind the other that stand where they do not belong are one finding. */
  private misplace(place: Place, from: number, last: Link, behind: number, known?: Flaw): void {
    const flaw: Flaw = {
      kind: "misplaced",
      ...(known ? { segment: known.segment ?? "", line: known.line ?? 0 } : place),
      from,
      to: last.seq,
      text:
        from === last.seq
          ? `record ${from} stands behind record ${behind}: moved, or put in`
          : `records ${from} to ${last.seq} stand behind record ${behind}: moved, or put in`,
    };
    // They are not missing after all.
    this.flaws.remove(({ kind, from: first, to }) => kind === "missing" && first === from && to === last.seq);
    if (known) this.flaws.remove((each) => each === known);
    this.flaws.add(flaw);
    this.run = { from, last, flaw };
  }
  private run: { readonly from: number; readonly last: Link; readonly flaw: Flaw } | undefined;

  /** Where the chain goes on behind a record that was far ahead, it is that record that does not belong there. */
  private takeBackJump(seq: number): void {
    const { jump } = this;
    this.jump = undefined;
    if (!jump || jump.seq <= jump.before.seq + 2) return;
    if (seq <= jump.before.seq || seq > jump.before.seq + 2) return;
    this.flaws.remove((each) => each === jump.flaw);
    this.misplace(jump.line, jump.seq, jump, jump.before.seq);
    this.run = undefined;
    this.strayed.set(jump.seq, jump.link);
    this.last = jump.before;
  }
  private jump:
    | {
        readonly before: Link;
        readonly line: Place;
        readonly seq: number;
        readonly link: string;
        readonly flaw: Flaw;
      }
    | undefined;
  private readonly strayed = new Map<number, string>();

  /** A fragment is accounted for when the record behind it names its digest, and no number is skipped. */
  private settleFragments(record: ReturnType<typeof toRecord>, seq: number): boolean {
    if (this.fragments.length === 0) return false;
    const torn = record?.["torn"] as { sha256?: unknown } | undefined;
    const whole = Buffer.concat(
      this.fragments.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [newlineBytes, bytes])),
    );
    const accounted = torn?.sha256 === sha256(whole) && seq === (this.last?.seq ?? 0) + 1;
    if (accounted) this.torn += this.fragments.length;
    else for (const { line } of this.fragments) this.flaws.add(unreadable(line));
    this.fragments = [];
    return !accounted;
  }

  endOfSegment(): void {
    // A half record at the very end may be one that is just being written, or whose writer died.
    for (const { line } of this.fragments) {
      if (!line.whole && line.segment === current) this.torn++;
      else this.flaws.add(unreadable(line));
    }
    this.fragments = [];
  }

  result(segments: number): Verified {
    if (
      this.gone &&
      !(
        this.pruned &&
        this.start &&
        this.pruned.seq === this.start.seq &&
        this.pruned.link === this.start.link
      )
    )
      this.flaws.addFirst(this.gone);
    for (const anchor of [...this.waiting.values()].flat()) {
      if (anchor.seq > 0) this.lookedForInVain(anchor);
    }
    return {
      records: this.records,
      bytes: this.bytes,
      segments,
      torn: this.torn,
      flaws: this.flaws.all,
      more: this.flaws.more,
      ...(this.first ? { first: this.first } : {}),
      ...(this.last ? { last: this.last } : {}),
      ...(this.pruned ? { pruned: this.pruned } : {}),
    };
  }

  /**
   * The record an anchor knows is not there. That retention removed it is said by the chain alone, and a chain made from
   * scratch may say so as well: only the very last record that was removed can still be compared.
   */
  private lookedForInVain({ seq, link, from }: Anchor): void {
    const last = this.last?.seq ?? 0;
    const { pruned } = this;
    if (pruned?.seq === seq && pruned.link === link) return;
    if (seq > last)
      this.flaws.add({
        kind: "cut",
        from: last + 1,
        to: seq,
        text: `${range(last + 1, seq, "missing")} at the end: ${from} knows of them`,
      });
    else if (pruned && seq < pruned.seq)
      this.flaws.add({
        kind: "missing",
        from: seq,
        to: seq,
        text: `record ${seq} was removed, as the chain says, so nothing shows that this is the ledger ${from} knows`,
      });
    else if (pruned?.seq === seq)
      this.flaws.add({
        kind: "replaced",
        from: seq,
        to: seq,
        text: `record ${seq} was not the one ${from} knows`,
      });
    else
      this.flaws.add({
        kind: "missing",
        from: seq,
        to: seq,
        text: `record ${seq} is missing: ${from} knows of it`,
      });
  }
}

const newlineBytes = new Uint8Array([10]);
