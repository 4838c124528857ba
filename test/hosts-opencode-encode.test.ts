import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../src/core/json.ts";
import host from "../src/hosts/opencode/host.ts";
import { hostTester, type Saying } from "../src/testing/host-tester.ts";
import { told } from "./support/hosts.ts";

const tester = hostTester(host, join(import.meta.dir, "../src/hosts/opencode/fixtures"));
const go: Saying = { means: {} };
const block: Saying = { means: (stdout) => ({ outcome: "block", reason: String(stdout["reason"]) }) };
const inject: Saying = { means: (stdout) => ({ context: (stdout["context"] as string[]).join() }) };

tester.says({
  "chat.message": { go, block, inject },
  "experimental.session.compacting": { go, inject },
  "message.part.updated": { go },
  "permission.asked": { go },
  "session.created": { go, inject },
  "session.deleted": { go },
  "session.error": { go },
  "session.idle": { go },
  "tool.execute.after": {
    go,
    block,
    inject,
    redact: { means: (stdout) => ({ output: stdout["output"] }) },
  },
  "tool.execute.before": {
    go,
    block,
    rewrite: { means: (stdout) => ({ input: stdout["args"] as Json }) },
  },
});

describe("OpenCode", () => {
  const before = { hook: "tool.execute.before", directory: "/w", tool: "bash", args: { command: "ls" } };

  test("where it cannot ask or stop, it refuses", () => {
    for (const meaning of [{ outcome: "ask", reason: "why" } as const, { stop: "why" }])
      expect(told(host, before, meaning).answer).toEqual({
        exitCode: 0,
        stdout: { decision: "block", reason: "why" },
      });
  });

  test("a prompt is what a person wrote, not what the client adds", () => {
    const parts = [
      { type: "text", text: "a" },
      { type: "text", text: "b", synthetic: true },
      { type: "file" },
    ];
    expect(host.decode({ hook: "chat.message", parts }, undefined).prompt).toBe("a");
  });
});
