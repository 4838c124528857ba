import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";
import { session, writesMetadata } from "./_state-examples.ts";

const log = ".ralph-sessions/260215-173319/logs/state-transitions.jsonl";

describe("S0-R32 S0-F2 every change of state is on record with the state before it", () => {
  ruleTester("ralph/state-transition-ledger", {
    catches: [
      {
        files: session("INITIALIZING"),
        ...writesMetadata("INITIALIZING", "COMPLETE"),
        message: "unusual",
        outcome: "warn",
      },
      {
        title: "S0-F4 the later machine goes another way",
        files: session("BATCHING"),
        ...writesMetadata("BATCHING", "SESSION_REVIEW"),
        options: { profile: "later" },
        message: "unusual",
        data: { next: "EXECUTING_BATCH or KNOWLEDGE_EXTRACTION" },
      },
      {
        title: "a change nobody announced is seen afterwards",
        files: { ...session("BATCHING"), [log]: '{"next_state":"PLANNING"}\n{"half' },
        event: "PostToolUse",
        ...writesMetadata("PLANNING", "BATCHING"),
        message: "logged",
        outcome: "pass",
        data: { from: "PLANNING", to: "BATCHING" },
      },
    ],
    allows: [
      {
        title: "a new session",
        write: ".ralph-sessions/260215-173319/metadata.yaml",
        text: "orchestrator:\n  state: INITIALIZING\n",
      },
      {
        title: "S0-F3 an abort ends anywhere",
        files: session("EXECUTING_BATCH"),
        write: ".ralph-sessions/260215-173319/metadata.yaml",
        text: "iteration: 1\nstatus: aborted\norchestrator:\n  state: COMPLETE\n",
      },
      {
        title: "another change of the file",
        files: session("PLANNING"),
        write: ".ralph-sessions/260215-173319/metadata.yaml",
        edit: { old: "version: 1", new: "version: 2" },
      },
    ],
  });
});
