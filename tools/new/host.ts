/** The files of a new host, by their paths. Its language is made up, so that everything works before the first change. */
export function hostFiles(name: string): Record<string, string> {
  const folder = `src/hosts/${name}`;
  return {
    [`${folder}/host.ts`]: source(name),
    [`${folder}/recognises.ts`]: recognises(name),
    [`${folder}/facts.ts`]: facts,
    [`${folder}/host.test.ts`]: test,
    [`${folder}/fixtures/pre-tool-use.json`]: `${JSON.stringify(fixture(name), null, 2)}\n`,
  };
}

const titleOf = (name: string): string =>
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");

const source = (name: string): string => `import type { EventName } from "../../core/event.ts";
import { defineHost } from "../../core/host.ts";
import { asText as text, defined, isObject } from "../../core/json.ts";
import { operationsOf, type ToolTable } from "../../core/operation.ts";
import { recognises } from "./recognises.ts";

const dialect = "hooks";

/** The host's events that we have a name for; any other is passed on as \`Other\`. */
const names: Readonly<Record<string, EventName>> = { before_tool: "PreToolUse" };

/** The host's own tools and argument names. A tool that is missing here is understood by its arguments. */
const tools: ToolTable = {
  shell: (input) => [{ do: "exec", command: text(input["command"]) ?? "" }],
};

export default defineHost({
  title: "${titleOf(name)}",
  reference: "Say here which contract this follows, and at which version it was read",
  can: { [dialect]: { before_tool: ["allow", "ask", "block"] } },

  recognises,

  decode(payload, event) {
    const native = text(payload["event"]) ?? event ?? "unknown";
    const tool = text(payload["tool"]);
    const input = isObject(payload["arguments"]) ? payload["arguments"] : {};
    return {
      name: Object.hasOwn(names, native) ? (names[native] ?? "Other") : "Other",
      native,
      dialect,
      ...defined({
        session: text(payload["session"]),
        cwd: text(payload["cwd"]),
        tool: tool === undefined ? undefined : { name: tool, input },
      }),
      operations: tool === undefined ? [] : operationsOf(tools, tool, input),
    };
  },

  encode({ outcome, reason }) {
    const decision = { pass: undefined, warn: undefined, allow: "allow", ask: "ask", block: "deny" }[outcome];
    return decision === undefined ? { exitCode: 0 } : { exitCode: 0, stdout: { decision, reason } };
  },
});
`;

const recognises = (name: string): string => `import type { Json } from "../../core/json.ts";

/** 2 only for what no other host sends. Every call of an agent that does not say who it is loads this. */
export const recognises = (payload: Json): 0 | 1 | 2 => (payload["agent"] === "${name}" ? 2 : 0);
`;

const facts = `import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "0.0.0",
  blind: [],
  failing: { crash: "open", late: "open", garbled: "open" },
  trust: "Say here what has to happen before the host runs the hooks of a repository.",
  switches: [],
};

export default facts;
`;

const test = `import { expect, test } from "bun:test";
import { join } from "node:path";
import { hostTester } from "../../testing/host-tester.ts";
import host from "./host.ts";

const tester = hostTester(host, join(import.meta.dir, "fixtures"));

tester.decodes({
  "pre-tool-use": {
    name: "PreToolUse",
    dialect: "hooks",
    session: "s-1",
    cwd: "/home/ada/shop",
    tool: "shell",
    operations: [{ do: "exec", command: "rm -rf build" }],
  },
});

tester.says({
  "pre-tool-use": {
    allow: { means: { outcome: "allow", reason: "The build may be removed." } },
    ask: { means: { outcome: "ask", reason: "Is the build yours?" } },
    deny: { means: { outcome: "block", reason: "The build is not yours." } },
    silence: { means: {} },
  },
});

test("its own payloads are recognised, and no others", () => {
  for (const { stdin } of tester.fixtures) expect(host.recognises(stdin)).toBe(2);
  expect(host.recognises({ event: "before_tool" })).toBe(0);
});

test("an event it has no name for is passed on as it is", () => {
  expect(host.decode({ event: "constructor" }, undefined)).toMatchObject({ name: "Other", native: "constructor" });
  expect(host.decode({}, "before_tool").name).toBe("PreToolUse");
});
`;

const fixture = (name: string) => ({
  host: name,
  hostVersion: "0.0.0",
  event: "before_tool",
  stdin: {
    agent: name,
    event: "before_tool",
    session: "s-1",
    cwd: "/home/ada/shop",
    tool: "shell",
    arguments: { command: "rm -rf build" },
  },
  responses: [
    response("allow", "goes ahead without a prompt", {
      decision: "allow",
      reason: "The build may be removed.",
    }),
    response("ask", "asks the person", { decision: "ask", reason: "Is the build yours?" }),
    response("deny", "is not run; the reason goes to the model", {
      decision: "deny",
      reason: "The build is not yours.",
    }),
    response("silence", "the host decides as it would without us", null),
  ],
});

const response = (name: string, effect: string, stdout: Record<string, string> | null) => ({
  name,
  effect,
  exitCode: 0,
  stdout,
  stderr: "",
});
