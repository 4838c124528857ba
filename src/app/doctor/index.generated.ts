// Written by tools/generate.ts; do not edit.
import type { DoctorCheck } from "../doctor-check.ts";
import deniedButExecuted from "./denied-but-executed.ts";
import exportCurrent from "./export-current.ts";
import ledgerWhole from "./ledger-whole.ts";
import ledgerWritable from "./ledger-writable.ts";
import policyValid from "./policy-valid.ts";

export const checks: Readonly<Record<string, DoctorCheck>> = {
  "denied-but-executed": deniedButExecuted,
  "export-current": exportCurrent,
  "ledger-whole": ledgerWhole,
  "ledger-writable": ledgerWritable,
  "policy-valid": policyValid,
};
