import type { LedgerRecord } from "../read.ts";
import type { Totals } from "./_totals.ts";

/** What came of sending something. */
export type Sent =
  | { readonly kind: "done"; readonly note?: string }
  /** Worth trying again, not before so many milliseconds if the receiver said so. */
  | { readonly kind: "later"; readonly why: string; readonly afterMs?: number }
  /** The receiver will never take these. */
  | { readonly kind: "refused"; readonly why: string }
  /** The receiver takes nothing from us until somebody changes something. */
  | { readonly kind: "wrong"; readonly why: string };

/** Where records go. */
export interface Sink {
  /** For people and for telling one destination from another; nothing secret in it. */
  readonly name: string;
  /** At most so many at once. */
  readonly most: number;
  send(records: readonly LedgerRecord[]): Promise<Sent>;
  /** What all of them add up to since `totals.start`. */
  sendTotals?(totals: Totals): Promise<Sent>;
  close?(): void;
}
