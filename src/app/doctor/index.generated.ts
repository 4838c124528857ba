// Written by tools/generate.ts; do not edit.
import type { DoctorCheck } from "../doctor-check.ts";
import agentsCall from "./agents-call.ts";
import agentsCallOnce from "./agents-call-once.ts";
import agentsCanary from "./agents-canary.ts";
import agentsConfigured from "./agents-configured.ts";
import agentsKnown from "./agents-known.ts";
import agentsReachUs from "./agents-reach-us.ts";
import agentsSwitchedOn from "./agents-switched-on.ts";
import agentsTrustUs from "./agents-trust-us.ts";
import deniedButExecuted from "./denied-but-executed.ts";
import exportCurrent from "./export-current.ts";
import hooksReady from "./hooks-ready.ts";
import hooksSafe from "./hooks-safe.ts";
import ledgerWhole from "./ledger-whole.ts";
import ledgerWritable from "./ledger-writable.ts";
import policyValid from "./policy-valid.ts";

export const checks: Readonly<Record<string, DoctorCheck>> = {
  "agents-call": agentsCall,
  "agents-call-once": agentsCallOnce,
  "agents-canary": agentsCanary,
  "agents-configured": agentsConfigured,
  "agents-known": agentsKnown,
  "agents-reach-us": agentsReachUs,
  "agents-switched-on": agentsSwitchedOn,
  "agents-trust-us": agentsTrustUs,
  "denied-but-executed": deniedButExecuted,
  "export-current": exportCurrent,
  "hooks-ready": hooksReady,
  "hooks-safe": hooksSafe,
  "ledger-whole": ledgerWhole,
  "ledger-writable": ledgerWritable,
  "policy-valid": policyValid,
};
