import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const marker = (text: string) => ({ ".ralph-sessions/.active-session": text });

describe("S0-R41 rejected ids are kept", () => {
  ruleTester("ralph/session-id-sanitization-audit", {
    catches: [
      {
        event: "SessionStart",
        files: marker("..\\\\etc"),
        message: "rejected",
        outcome: "pass",
        data: {
          reason:
            "does not match required format YYMMDD-HHmmss and contains path separators and leads to a parent folder",
        },
      },
      {
        event: "SessionStart",
        files: marker("260215-17331"),
        data: { reason: "does not match required format YYMMDD-HHmmss" },
      },
      { event: "SessionStart", files: marker("x".repeat(100_000)), data: { id: "x".repeat(60) } },
    ],
    allows: [
      { event: "SessionStart", files: marker(" \n") },
      { event: "SessionStart", files: { ".ralph-sessions/not-an-id/x": "" } },
      { event: "Stop", files: marker("my-session") },
    ],
  });
});
