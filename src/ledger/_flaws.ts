import type { Line } from "./read.ts";

/** Something about a ledger that is not as it was written. */
export interface Flaw {
  readonly kind: "changed" | "missing" | "misplaced" | "unreadable" | "cut" | "replaced";
  readonly segment?: string;
  readonly line?: number;
  /** The numbers of the records concerned. */
  readonly from?: number;
  readonly to?: number;
  readonly text: string;
}

const maxFlaws = 100;

/** What was found; the first hundred are named. */
export class Flaws {
  readonly all: Flaw[] = [];
  more = 0;

  add(flaw: Flaw): void {
    if (this.all.length < maxFlaws) this.all.push(flaw);
    else this.more++;
  }

  addFirst(flaw: Flaw): void {
    this.all.unshift(flaw);
  }

  /** Takes one back that came of something else. */
  remove(which: (flaw: Flaw) => boolean): void {
    const found = this.all.findIndex(which);
    if (found !== -1) this.all.splice(found, 1);
  }
}

/** Where something stands in a ledger. */
export interface Place {
  readonly segment: string;
  readonly line: number;
}

export const at = ({ segment, number }: Line): Place => ({ segment, line: number });

export const unreadable = (line: Line): Flaw => ({
  kind: "unreadable",
  ...at(line),
  text: "a line that is no record",
});

export const range = (from: number, to: number, what: string): string =>
  from === to ? `record ${from} is ${what}` : `records ${from} to ${to} are ${what}`;
