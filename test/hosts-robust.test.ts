import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { join } from "node:path";
import { fit, type Call, type Reply } from "../src/core/host.ts";
import type { Json } from "../src/core/json.ts";
import { outcomes } from "../src/core/outcome.ts";
import { hosts } from "../src/hosts/index.generated.ts";
import { abilitiesAt, readFixtures, verdictOf, type Fixture } from "../src/testing/host-tester.ts";

const runs = { numRuns: 1000 };

// Names every object inherits, and values that break careless conversions.
const inherited = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"];
const nasty: readonly unknown[] = [
  null,
  "",
  0,
  [],
  {},
  { toString: 1, valueOf: 1 },
  ...inherited,
  JSON.parse('{"__proto__":{"a":1}}'),
  "*** Begin Patch\n*** Add File: \n",
  "{",
];
const anyValue = fc.oneof(fc.constantFrom(...nasty), fc.jsonValue());

const known = [
  "hook_event_name",
  "hookEventName",
  "hookName",
  "tool_name",
  "toolName",
  "tool_input",
  "toolArgs",
  "timestamp",
  "sessionId",
  "session_id",
  "cwd",
  "agent_id",
  "mcp_server",
  "error",
];
const anyPayload = fc.dictionary(fc.oneof(fc.constantFrom(...known, ...inherited), fc.string()), anyValue);

/** Calls no fixture shows. */
const more: readonly { stdin: Json; event: string | undefined }[] = [
  { stdin: { sessionId: "s", timestamp: 1, hookName: "permissionRequest" }, event: undefined },
  {
    stdin: {
      sessionId: "s",
      toolName: "str_replace_editor",
      toolArgs: { command: "insert", path: "a", insert_line: 1, new_str: "x" },
    },
    event: "preToolUse",
  },
  {
    stdin: {
      hook_event_name: "PreToolUse",
      tool_name: "MultiEdit",
      tool_input: { file_path: "a", edits: [{ old_string: "x" }] },
    },
    event: undefined,
  },
  {
    stdin: {
      hook_event_name: "PreToolUse",
      tool_name: "Monitor",
      tool_input: { command: "x", ws: { url: "ws://x" } },
    },
    event: undefined,
  },
  {
    stdin: {
      hook_event_name: "PreToolUse",
      timestamp: "t",
      tool_name: "create_and_run_task",
      tool_input: { task: { command: "x", args: ["y"] } },
    },
    event: undefined,
  },
  {
    stdin: {
      hook_event_name: "PreToolUse",
      tool_name: "mcp__files__move",
      tool_input: { source: "a", destination: "b", paths: ["c"] },
    },
    event: undefined,
  },
];

function replaced(payload: Json, at: number, value: unknown): Json {
  const copy = structuredClone(payload) as Record<string, unknown>;
  const place = placesIn(copy)[at];
  if (place) place.owner[place.key] = value;
  return copy;
}

/** A fixture with some of its fields, at any depth, taken out or replaced. */
const damaged = (fixtures: readonly Fixture[]) =>
  fc
    .record({
      fixture: fc.constantFrom(...fixtures),
      holes: fc.array(fc.tuple(fc.nat(), fc.boolean(), anyValue), { maxLength: 6 }),
    })
    .map(({ fixture, holes }) => {
      const payload = structuredClone(fixture.stdin) as Record<string, unknown>;
      for (const [at, remove, value] of holes) {
        const places = placesIn(payload);
        const place = places[at % places.length];
        if (!place) continue;
        if (remove) delete place.owner[place.key];
        else place.owner[place.key] = structuredClone(value);
      }
      return payload;
    });

function placesIn(owner: Record<string, unknown>): { owner: Record<string, unknown>; key: string }[] {
  return Object.entries(owner).flatMap(([key, value]) => [
    { owner, key },
    ...(typeof value === "object" && value !== null ? placesIn(value as Record<string, unknown>) : []),
  ]);
}

const anyReply: fc.Arbitrary<Reply> = fc.record(
  {
    outcome: fc.constantFrom(...outcomes),
    reason: fc.string(),
    context: fc.array(fc.string(), { maxLength: 3 }),
    notices: fc.array(fc.string(), { maxLength: 3 }),
    native: fc.dictionary(
      fc.oneof(fc.constantFrom("interrupt", "watchPaths", "action", "metaToUse", ...inherited), fc.string()),
      anyValue,
    ),
    input: fc.dictionary(fc.string(), anyValue),
    output: anyValue,
    stop: fc.string(),
  },
  { requiredKeys: ["outcome", "reason", "context", "notices", "native"] },
);

for (const [id, host] of Object.entries(hosts)) {
  const fixtures = readFixtures(join(import.meta.dir, `../src/hosts/${id}/fixtures`));
  const anyEvent = fc.option(
    fc.oneof(fc.constantFrom(...inherited, ...fixtures.map(({ event }) => event)), fc.string()),
    { nil: undefined },
  );

  describe(id, () => {
    test("any object is decoded, and the call it makes is whole", () => {
      fc.assert(
        fc.property(fc.oneof(anyPayload, damaged(fixtures)), anyEvent, (payload, event) =>
          checkCall(host.decode(payload, event)),
        ),
        runs,
      );
    });

    test("every field of every fixture may hold anything", () => {
      for (const { stdin, event } of [...fixtures, ...more]) {
        const count = placesIn({ ...stdin }).length;
        for (let at = 0; at < count; at++) {
          for (const value of nasty) checkCall(host.decode(replaced(stdin, at, value), event));
        }
      }
    });

    test("recognition answers for any object", () => {
      fc.assert(
        fc.property(fc.oneof(anyPayload, damaged(fixtures)), (payload) =>
          expect([0, 1, 2]).toContain(host.recognises(payload)),
        ),
        runs,
      );
    });

    test("any reply is encoded, as text or as JSON that survives the wire", () => {
      fc.assert(
        fc.property(damaged(fixtures), anyEvent, anyReply, (payload, event, reply) => {
          const { exitCode, stdout } = host.encode(reply, host.decode(payload, event));
          expect([0, 1, 2]).toContain(exitCode);
          if (typeof stdout === "object")
            expect(() => JSON.parse(JSON.stringify(stdout)) as Json).not.toThrow();
        }),
        runs,
      );
    });

    // Its callers write the event themselves: a misspelt one is judged as one that can still be stopped.
    if (id === "generic") return;

    test("an event nobody knows is let pass in silence, whatever its name", () => {
      for (const name of [...inherited, "MoonRise", "unknown", ""]) {
        for (const payload of [
          { hook_event_name: name, timestamp: "t" },
          { sessionId: "s", timestamp: 1 },
        ]) {
          const call = host.decode(payload, name);
          const { reply } = fit(
            verdictOf({ outcome: "block", reason: "no", context: "c", stop: "s" }),
            abilitiesAt(host, call),
          );
          expect({ name: call.name, answer: host.encode(reply, call) }).toEqual({
            name: "Other",
            answer: { exitCode: 0 },
          });
        }
      }
    });
  });
}

function checkCall(call: Call): void {
  for (const key of ["name", "native", "dialect"] as const) expect(typeof call[key]).toBe("string");
  for (const key of ["session", "cwd", "transcript", "prompt"] as const)
    expect(["string", "undefined"]).toContain(typeof call[key]);
  for (const operation of call.operations) {
    for (const [key, value] of Object.entries(operation)) {
      if (key === "path" || key === "command") expect(value).toMatch(/[^]/);
      else if (key !== "edits" && key !== "recursive" && key !== "line") expect(typeof value).toBe("string");
    }
  }
}
