import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const outside = (ws: Workspace) => claude(ws.root, "Write", { file_path: "/etc/hosts", content: "" });
const evaluate = async (ws: Workspace, payload: object = outside(ws), env = {}) =>
  (await ws.run(["eval"], payload, env)).json();
const userFile = (ws: Workspace, text: string) => {
  mkdirSync(join(ws.home, ".config/hookline"), { recursive: true });
  writeFileSync(join(ws.home, ".config/hookline/hookline.yaml"), text);
};
const managed = (ws: Workspace, text: string): Record<string, string> => {
  writeFileSync(join(ws.home, "managed.yaml"), text);
  return { HOOKLINE_MANAGED_POLICY: join(ws.home, "managed.yaml") };
};

describe("a policy", () => {
  test("without any file is the recommended preset", async () => {
    using ws = workspace();
    expect(await evaluate(ws)).toMatchObject({ outcome: "block", policy: { origin: "default" } });
  });

  test("sets a rule to off, warn, ask or block by one word", async () => {
    using ws = workspace();
    const told = { off: "pass", warn: "warn", ask: "ask", block: "block", on: "block" };
    for (const [word, outcome] of Object.entries(told)) {
      ws.write("hookline.yaml", `rules:\n  safety/workspace-boundary: ${word}\n`);
      expect([word, (await evaluate(ws)).outcome]).toEqual([word, outcome]);
    }
  });

  test("extends presets by name or list; an empty list leaves nothing on", async () => {
    using ws = workspace();
    ws.write("hookline.yaml", "extends: []\n");
    expect((await evaluate(ws)).outcome).toBe("pass");
    ws.write("hookline.yaml", "extends: strict\n");
    expect((await evaluate(ws)).outcome).toBe("block");
    ws.write("hookline.yaml", "extends: [ralph/p0]\n");
    expect((await evaluate(ws)).outcome).toBe("pass");
  });

  test("in observe mode records what would have been blocked and tells the agent nothing", async () => {
    using ws = workspace({ "hookline.yaml": "mode: observe\n" });
    const ran = await ws.run(["run"], outside(ws));
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    expect(ws.records()[0]).toMatchObject({ verdict: { outcome: "pass", would: "block", told: "pass" } });
    ws.write("hookline.yaml", "extends: observe\n");
    expect(await evaluate(ws)).toMatchObject({ outcome: "pass", would: "block" });
  });

  test("an empty file, or one with comments only, is no policy of its own", async () => {
    using ws = workspace({ "hookline.yaml": "# nothing yet\n" });
    expect((await evaluate(ws)).outcome).toBe("block");
  });
});

describe("layers", () => {
  test("the repository's file wins over the user's, the managed one over both", async () => {
    using ws = workspace();
    userFile(ws, "rules:\n  safety/workspace-boundary: warn\n");
    expect((await evaluate(ws)).outcome).toBe("warn");
    ws.write("hookline.yaml", "rules:\n  safety/workspace-boundary: ask\n");
    expect((await evaluate(ws)).outcome).toBe("ask");
    const env = managed(ws, "rules:\n  safety/workspace-boundary: block\n");
    expect((await evaluate(ws, outside(ws), env)).outcome).toBe("block");
  });

  test("options of several layers add up by key", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundary:\n    outcome: warn\n" });
    userFile(ws, "rules:\n  safety/workspace-boundary:\n    options:\n      allow: [/etc/hosts]\n");
    expect((await evaluate(ws)).outcome).toBe("pass");
  });

  test("a locked rule cannot be changed, softened by options, or observed away by the layers below", async () => {
    using ws = workspace({
      "hookline.yaml":
        "mode: observe\nextends: []\nrules:\n  safety/workspace-boundary:\n    outcome: off\n    options: { allow: ['/**'] }\n",
    });
    const env = managed(ws, "rules:\n  safety/workspace-boundary:\n    outcome: block\n    locked: true\n");
    expect((await evaluate(ws, outside(ws), env)).outcome).toBe("block");
    const ran = await ws.run(["explain"], outside(ws), env);
    expect(ran.stdout).toContain("has locked it");
  });

  test("what is wrong about the ledger is said, and a repository cannot have secrets written down", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  raw: true\n  keepDay: 3\n  segmentMb: big\n" });
    const ran = await ws.run(["explain"], claude(ws.root, "Bash", { command: "ls" }));
    expect(ran.stdout).toContain("HL_NOT_IN_REPOSITORY");
    expect(ran.stdout).toContain('unknown key "keepDay"');
    expect(ran.stdout).toContain('Did you mean "keepDays"?');
    expect(ran.stdout).toContain('"big" does not fit');
  });

  test("only a managed file can lock", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundary: { locked: true }\n" });
    const ran = await ws.run(["run"], outside(ws));
    expect(ran.stdout).toContain("HL_LOCK_NOT_MANAGED");
  });
});

describe("a mistake is named with file, line, key, what was expected and the nearest word", () => {
  const cases: [string, string, string[]][] = [
    [
      "a misspelt rule",
      "rules:\n  safety/workspace-boundry: warn\n",
      [
        ":2:3",
        "rules.safety/workspace-boundry",
        'unknown rule "safety/workspace-boundry"',
        'Did you mean "safety/workspace-boundary"',
        "HL_UNKNOWN_RULE",
      ],
    ],
    [
      "a misspelt key",
      "mode: enforce\nrulez: {}\n",
      [":2:1", 'unknown key "rulez"', 'Did you mean "rules"', "HL_UNKNOWN_KEY"],
    ],
    [
      "a misspelt preset",
      "extends:\n  - recommended\n  - ralf/p0\n",
      [":3:5", "extends.1", 'unknown preset "ralf/p0"', 'Did you mean "ralph/p0"', "HL_UNKNOWN_PRESET"],
    ],
    [
      "a wrong word",
      "mode: observ\n",
      [":1:1", "mode", '"observ" is no valid value', 'Did you mean "observe"', "HL_BAD_VALUE"],
    ],
    [
      "a wrong outcome",
      "rules:\n  safety/self-protection: blok\n",
      [":2:3", 'Did you mean "block"', "Expected any of off, on, warn, ask, block"],
    ],
    [
      "an unknown option",
      "rules:\n  safety/workspace-boundary:\n    options:\n      alow: [a]\n",
      [
        ":4:7",
        "rules.safety/workspace-boundary.options.alow",
        'unknown option "alow"',
        'Did you mean "allow"',
        "HL_UNKNOWN_KEY",
      ],
    ],
    [
      "an option of a wrong type",
      "rules:\n  safety/workspace-boundary:\n    options:\n      allow: 5\n",
      [":4:7", "options.allow", "5 does not fit", "Expected Array", "HL_BAD_OPTION"],
    ],
    ["broken YAML", "rules:\n  a: [1,\n", ["HL_YAML", "hookline.yaml:"]],
    [
      "a key twice",
      "mode: enforce\nmode: observe\n",
      [":2:1  mode: ", 'the key "mode" stands there twice', "Keep one", "HL_YAML"],
    ],
    ["two documents", "mode: enforce\n---\nmode: observe\n", [":2:1", "one document", "HL_YAML"]],
    ["a tab", "rules:\n\tsafety/secrets: off\n", [":2:1", "Indent with spaces", "HL_YAML"]],
    ["a key that is a list", "rules:\n  ? [a]\n  : off\n", [":2:5", "Write the key as plain text"]],
    [
      "a rule by its number",
      "rules:\n  ralph/7: off\n",
      [":2:3", 'Did you mean "ralph/path-allowlist"?', "HL_UNKNOWN_RULE"],
    ],
    ["a list instead of a mapping", "- a\n- b\n", ["a policy is a mapping", "extends, mode, rules"]],
    [
      "an alias bomb",
      `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh"
        .split("")
        .map((name, at) => `${name}: &${name} [${`*${"abcdefg"[at]},`.repeat(9)}]`)
        .join("\n")}\n`,
      ["HL_"],
    ],
  ];
  for (const [name, text, expected] of cases) {
    test(name, async () => {
      using ws = workspace({ "hookline.yaml": text });
      const ran = await ws.run(["run"], claude(ws.root, "Read", { file_path: ws.path("a") }));
      const answer = ran.json();
      for (const part of expected) expect(answer.systemMessage).toContain(part);
      expect(answer.hookSpecificOutput.additionalContext).toBe(answer.systemMessage);
    });
  }
});

describe("a broken policy", () => {
  const broken = "rules: {{{\n";

  test("falls back to the recommended preset when there was no good one, and says so", async () => {
    using ws = workspace({ "hookline.yaml": broken });
    const ran = await ws.run(["run"], outside(ws));
    expect(ran.json().hookSpecificOutput.permissionDecision).toBe("deny");
    expect(ran.json().systemMessage).toContain("the recommended preset is in force");
    expect(ws.records()[0]?.["policy"]).toMatchObject({
      origin: "fallback",
      trouble: [expect.stringContaining("HL_YAML")],
    });
  });

  test("leaves the last good policy in force, by its digest, and says so", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundary: warn\n" });
    const good = await evaluate(ws);
    ws.write("hookline.yaml", broken);
    const ran = await ws.run(["run"], outside(ws));
    expect(ran.json().hookSpecificOutput.permissionDecision).toBeUndefined();
    expect(ran.json().systemMessage).toContain(
      `the last good policy (${good.policy.digest.slice(0, 12)}) is in force`,
    );
    expect(await evaluate(ws)).toMatchObject({
      outcome: "warn",
      policy: { origin: "last-good", digest: good.policy.digest },
    });
  });

  test("a cached policy that somebody changed does not count as good", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundary: warn\n" });
    await evaluate(ws);
    const folder = join(ws.home, ".cache/hookline/policies");
    const file = join(folder, readdirSync(folder)[0] ?? "");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"warn"', '"pass"'));
    expect((await evaluate(ws)).outcome).toBe("warn");
    writeFileSync(file, "{half");
    expect((await evaluate(ws)).outcome).toBe("warn");
    ws.write("hookline.yaml", broken);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll('"warn"', '"pass"'));
    expect(await evaluate(ws)).toMatchObject({ outcome: "block", policy: { origin: "fallback" } });
  });

  test("the recommended preset holds in its place, whatever weaker layers have switched off", async () => {
    for (const text of ["extends: []\n", "mode: observe\n", "extends: observe\n"]) {
      using ws = workspace({ "hookline.yaml": broken });
      mkdirSync(join(ws.home, ".config/hookline"), { recursive: true });
      writeFileSync(join(ws.home, ".config/hookline/hookline.yaml"), text);
      const ran = await ws.run(["run"], outside(ws));
      expect([text, ran.json().permissionDecision]).toEqual([text, "deny"]);
      expect(ran.json().systemMessage).toContain("the recommended preset is in force");
    }
  });

  test("a managed policy that is named has to be there", async () => {
    using ws = workspace({ "hookline.yaml": "mode: observe\n" });
    const ran = await ws.run(["run"], outside(ws), { HOOKLINE_MANAGED_POLICY: "/no/such/policy.yaml" });
    expect(ran.json().permissionDecision).toBe("deny");
    expect(ran.json().systemMessage).toContain(
      "/no/such/policy.yaml  cannot be read (ENOENT) (HL_UNREADABLE)",
    );
  });

  test("a policy that is a folder is broken, not absent", async () => {
    using ws = workspace();
    mkdirSync(ws.path("hookline.yaml"));
    const ran = await ws.run(["run"], outside(ws));
    expect(ran.json().systemMessage).toContain("HL_UNREADABLE");
  });
});

describe("the cache", () => {
  test("is used while nothing changes, and every change of the file shows at once", async () => {
    using ws = workspace({ "hookline.yaml": "mode: enforce\n" });
    expect((await evaluate(ws)).policy.origin).toBe("compiled");
    expect((await evaluate(ws)).policy.origin).toBe("cache");
    ws.write("hookline.yaml", "mode: observe\n");
    expect(await evaluate(ws)).toMatchObject({ would: "block", policy: { origin: "compiled" } });
  });

  test("a cache that comes with the repository is not read", async () => {
    using ws = workspace({ "hookline.yaml": "mode: enforce\n" });
    await evaluate(ws);
    expect(() => readdirSync(ws.path(".hookline/cache"))).toThrow();
  });

  test("without a writable cache every call compiles and is still right", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundary: ask\n" });
    writeFileSync(join(ws.home, ".cache"), "a file");
    expect(await evaluate(ws)).toMatchObject({ outcome: "ask", policy: { origin: "compiled" } });
    expect(await evaluate(ws)).toMatchObject({ outcome: "ask", policy: { origin: "compiled" } });
    rmSync(join(ws.home, ".cache"));
  });
});
