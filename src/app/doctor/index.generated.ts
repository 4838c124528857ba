// Written by tools/generate.ts; do not edit.
import type { DoctorCheck } from "../doctor-check.ts";
import deniedButExecuted from "./denied-but-executed.ts";
import exportCurrent from "./export-current.ts";
import hooksReady from "./hooks-ready.ts";
import ledgerWhole from "./ledger-whole.ts";
import ledgerWritable from "./ledger-writable.ts";
import policyValid from "./policy-valid.ts";

export const checks: Readonly<Record<string, DoctorCheck>> = {
  "denied-but-executed": deniedButExecuted,
  "export-current": exportCurrent,
  "hooks-ready": hooksReady,
  "ledger-whole": ledgerWhole,
  "ledger-writable": ledgerWritable,
  "policy-valid": policyValid,
};
