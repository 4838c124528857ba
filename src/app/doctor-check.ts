import type { Head } from "../ledger/head.ts";
import type { Env } from "../platform/places.ts";

/** What a check looks at. */
export interface Patient {
  /** The workspace's root, links resolved. */
  readonly root: string;
  readonly env: Env;
  /** The workspace's own ledger, and the one its records go to when it cannot take them, if there is one. */
  readonly ledgers: readonly { readonly folder: string; readonly head?: Head }[];
}

/** Something that is not as it should be. */
export interface Ailment {
  readonly text: string;
  /** What to do about it. */
  readonly instead: string;
  /** A file, or a place in one. */
  readonly place?: string;
  /** Worth knowing, and nothing wrong. */
  readonly isNote?: true;
}

/** One thing `hookline doctor` looks at. Its file in `src/app/doctor/` is its id. */
export interface DoctorCheck {
  /** What is well when it finds nothing. */
  readonly title: string;
  run(patient: Patient): Promise<readonly Ailment[]>;
}
