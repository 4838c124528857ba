import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n" };

describe("S0-R14 a prompt above the limit is rejected", () => {
  ruleTester("ralph/prompt-size-guard", {
    catches: [
      {
        title: "one byte above the usual limit",
        prompt: "x".repeat(50 * 1024 + 1),
        files,
        message: "large",
        outcome: "block",
        data: { size: "50.1", limit: "50" },
      },
      { title: "letters of three bytes", prompt: "€".repeat(20 * 1024), files, data: { size: "60" } },
      {
        title: "a workspace whose sessions are not known to be ours",
        prompt: "xx",
        files: { ".ralph-sessions/x": "" },
        options: { max_kb: 0.001 },
      },
    ],
    allows: [
      { title: "the usual limit", prompt: "x".repeat(50 * 1024), files },
      { title: "a workspace without sessions", prompt: "x".repeat(100 * 1024) },
      { title: "nothing", prompt: "", files, options: { max_kb: 0 } },
      { title: "a start that carries a prompt", event: "SessionStart", prompt: "x".repeat(60 * 1024), files },
    ],
  });
});
