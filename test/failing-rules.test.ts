// What a rule that fails does to the others, on an executable into which such rules have been built.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";

const repository = join(import.meta.dir, "..");
const copy = mkdtempSync(join(tmpdir(), "hookline-failing-"));
const limit = 60_000;

const planted: Record<string, { check: string; failMode: string; kind: string }> = {
  crash: { check: 'throw new Error("boom");', failMode: "closed", kind: "crash" },
  "crash-open": { check: 'throw new Error("boom");', failMode: "open", kind: "crash" },
  hang: { check: "for (;;);", failMode: "closed", kind: "timeout" },
  "hang-in-a-pattern": {
    check: 'if (/^(?:a+)+$/.test("a".repeat(60) + "!")) yield { message: "said" };\nfor (;;);',
    failMode: "open",
    kind: "timeout",
  },
  nonsense: { check: 'yield { message: "never heard of" };', failMode: "closed", kind: "bad-output" },
  endless: { check: 'for (;;) yield { message: "said" };', failMode: "open", kind: "bad-output" },
};

const source = ({
  check,
  failMode,
}: {
  check: string;
  failMode: string;
}): string => `import * as v from "valibot";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";

export default defineRule({
  summary: "Fails.",
  why: "To see what happens.",
  since: "0.1.0",
  outcome: "block",
  failMode: "${failMode}",
  presets: { failing: {} },
  on: { events: beforeTool },
  options: () => v.strictObject({}),
  messages: { said: { what: "It was said." } },
  examples: { catches: [], allows: [] },
  *check() {
    ${check}
  },
});
`;

beforeAll(async () => {
  for (const part of ["src", "client", "tools", "docs", "schema", "package.json", "tsconfig.json"]) {
    cpSync(join(repository, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  mkdirSync(join(copy, "src/packs/failing"));
  for (const [name, rule] of Object.entries(planted)) {
    writeFileSync(join(copy, `src/packs/failing/${name}.ts`), source(rule));
    writeFileSync(join(copy, `src/packs/failing/${name}.test.ts`), "");
  }
  const build = Bun.spawn([process.execPath, "tools/build.ts"], {
    cwd: copy,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = await Promise.all([build.stdout.text(), build.stderr.text()]);
  if ((await build.exited) !== 0) throw new Error(said.join("\n"));
}, limit);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

const inWorkspace = (...rules: string[]) =>
  workspace(
    {
      "hookline.yaml": `extends: [recommended]\nrules:\n${rules.map((name) => `  failing/${name}: block\n`).join("")}`,
    },
    join(copy, "dist/hookline"),
  );

describe("a rule that fails in the executable takes no other with it", () => {
  for (const [name, { failMode, kind }] of Object.entries(planted)) {
    // What an endless rule said until it was cut off still counts.
    const denied = failMode === "closed" || name === "endless";
    test(
      `${name}: a small harmless call is ${denied ? "denied" : "let through with a word"}, on record as ${kind}`,
      async () => {
        using made = inWorkspace(name);
        const ran = await made.run(["run"], claude(made.root, "Bash", { command: "ls" }));
        expect(ran.exitCode).toBe(0);
        expect(ran.json().hookSpecificOutput?.permissionDecision).toBe(denied ? "deny" : undefined);
        expect(ran.stdout).toContain(`failing/${name}`);
        const [record] = made.records();
        const failures = record?.["findings"].filter((finding: any) => finding.failure);
        expect(failures.map((finding: any) => [finding.rule, finding.failure.kind])).toEqual([
          [`failing/${name}`, kind],
        ]);
      },
      limit,
    );
  }

  test(
    "with all of them at once the boundary still holds, and says so",
    async () => {
      using made = inWorkspace(...Object.keys(planted));
      const outside = claude(made.root, "Write", { file_path: "/etc/passwd", content: "x" });
      const ran = await made.run(["run"], outside);
      expect(ran.json().hookSpecificOutput.permissionDecision).toBe("deny");
      expect(ran.json().hookSpecificOutput.permissionDecisionReason).toContain("safety/workspace-boundary");
      const [record] = made.records();
      const failed = record?.["findings"].filter((finding: any) => finding.failure);
      expect(failed.map((finding: any) => finding.rule).sort()).toEqual(
        Object.keys(planted)
          .map((name) => `failing/${name}`)
          .sort(),
      );
    },
    limit,
  );

  test(
    "a rule that is not about the event does not run, so it cannot fail",
    async () => {
      using made = inWorkspace(...Object.keys(planted));
      const ran = await made.run(["run"], { ...claude(made.root, "Bash", {}), hook_event_name: "Stop" });
      expect(ran.exitCode).toBe(0);
      expect(made.records()[0]?.["findings"]).toEqual([]);
    },
    limit,
  );

  test(
    "in a batch every other line is answered as ever, before it and behind it",
    async () => {
      using made = inWorkspace("hang");
      const call = (event: string, command: string) =>
        JSON.stringify({ ...claude(made.root, "Bash", { command }), hook_event_name: event });
      const lines = [
        call("PostToolUse", "ls"),
        call("PreToolUse", "ls"),
        call("PostToolUse", "pwd"),
        "no payload",
        call("PreToolUse", "rm -rf ~"),
        call("PostToolUse", "date"),
      ];
      const ran = await made.run(["eval", "--jsonl"], `${lines.join("\n")}\n`);
      const said = ran.stdout.trimEnd().split("\n");
      expect(said.map((line) => JSON.parse(line).outcome)).toEqual([
        "pass",
        "block",
        "pass",
        "block",
        "block",
        "pass",
      ]);
      expect(said[1]).toContain("failing/hang");
      expect(said[4]).toContain("safety/destructive-delete");
      for (const [at, line] of lines.entries()) {
        const { outcome, findings } = (await made.run(["eval"], line)).json();
        expect(JSON.parse(said[at] ?? "")).toMatchObject({ outcome, findings });
      }
    },
    limit,
  );
});
