import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };

describe("S0-R29 a timeout is logged with its count and its step", () => {
  ruleTester("ralph/timeout-ledger", {
    catches: [
      ...["ETIMEDOUT", "Request timeout", "context deadline exceeded", "operation timed-out"].map(
        (error) => ({
          files,
          event: "ErrorOccurred" as const,
          error,
        }),
      ),
      {
        title: "the count goes on from the log",
        files: {
          ...files,
          ".ralph-sessions/260215-173319/logs/timeouts.jsonl": '{"key":"agent"}\n{"key":"other"}\n',
        },
        event: "ErrorOccurred",
        error: "timed out",
        data: { count: "2" },
      },
    ],
    allows: [{ files, event: "PostToolUse", shell: "sleep 1", output: "timeout: none" }],
  });
});
