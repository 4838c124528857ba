import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const write = (ws: Workspace, path: string, content = "x") =>
  claude(ws.root, "Write", { file_path: path, content });
const decision = (out: { json(): any }) => out.json().hookSpecificOutput;

describe("a write outside the workspace", () => {
  test("is denied in both forms, nested and flat, with a reason that names the rule", async () => {
    using ws = workspace();
    const ran = await ws.run(["run"], write(ws, "/etc/hosts"));
    const answer = ran.json();
    expect(ran.exitCode).toBe(0);
    expect(answer.hookSpecificOutput).toMatchObject({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
    });
    expect(answer.hookSpecificOutput.permissionDecisionReason).toContain("safety/workspace-boundary");
    expect(answer.permissionDecision).toBe("deny");
    expect(answer.continue).toBeUndefined();
  });

  test("is denied through a linked folder, through `..`, and through a parent that does not exist yet", async () => {
    using ws = workspace();
    symlinkSync("/etc", ws.path("linked"));
    symlinkSync(join(ws.root, "../nowhere"), ws.path("dangling"));
    const paths = [
      "linked/hosts",
      "src/../../out.txt",
      "../new/deeper/still/file.txt",
      "dangling/file",
      "linked/new/dir/file",
    ];
    for (const path of [
      ...paths,
      ...paths.map((each) => join(ws.root, each)),
      `${ws.root}/src/../../out.txt`,
    ]) {
      expect([path, decision(await ws.run(["run"], write(ws, path)))?.permissionDecision]).toEqual([
        path,
        "deny",
      ]);
    }
  });

  test("is denied whichever way `..` behind a link is read", async () => {
    using ws = workspace({ "deep/er/x": "" });
    symlinkSync("/etc/ssl", ws.path("out"));
    // The system goes to /etc/hosts, a tool that tidies the path up first to hosts in the workspace.
    expect(decision(await ws.run(["run"], write(ws, `${ws.root}/out/../hosts`))).permissionDecision).toBe(
      "deny",
    );
    symlinkSync(ws.path("deep/er"), ws.path("in"));
    // The other way round: tidied up it leaves the workspace, as it stands it does not.
    expect(decision(await ws.run(["run"], write(ws, "in/../../../hosts"))).permissionDecision).toBe("deny");
    expect((await ws.run(["run"], write(ws, "in/../hosts"))).stdout).toBe("");
  });

  test("passes where it is fine: the temp directory, /dev/null, the agent's own plans", async () => {
    using ws = workspace();
    for (const path of ["/tmp/some-scratch/file", "/dev/null", join(ws.home, ".claude/plans/a.md")]) {
      expect([path, (await ws.run(["run"], write(ws, path))).stdout]).toEqual([path, ""]);
    }
  });
});

describe("whatever comes in, an answer goes out and the failure is on record", () => {
  const nested = "[".repeat(10_000) + "]".repeat(10_000);
  const garbage: [string, string | Uint8Array][] = [
    ["nothing", ""],
    ["white space", " \n\t"],
    ["half a document", '{"hook_event_name":"PreToolUse","tool_name":"Wri'],
    ["NUL bytes", new Uint8Array(1000)],
    ["bytes that are no UTF-8", new Uint8Array([0xff, 0xfe, 0x80, 0x7b])],
    ["a JSON array", "[1,2,3]"],
    ["null", "null"],
    ["a number", "5"],
    ["10,000 nested arrays", nested],
    ["two documents", '{"hook_event_name":"PreToolUse"}\n{"hook_event_name":"Stop"}'],
  ];
  for (const [name, input] of garbage) {
    test(`${name}: blocked with exit 2 or a denial, no stack trace`, async () => {
      using ws = workspace();
      const ran = await ws.run(["run"], input);
      expect([0, 2]).toContain(ran.exitCode);
      if (ran.exitCode === 0) expect(decision(ran).permissionDecision).toBe("deny");
      else expect(ran.stderr).toContain("Blocked by hookline");
      expect(ran.stdout + ran.stderr).not.toMatch(/\n\s+at .+:\d+/);
      expect(ws.records()).toEqual([
        expect.objectContaining({ failure: expect.objectContaining({ kind: "payload" }) }),
      ]);
    });
  }

  test("half a document about an event that is no gate is a warning, not a block", async () => {
    using ws = workspace();
    const ran = await ws.run(["run"], '{"hook_event_name":"Stop","session_id"');
    expect(ran.exitCode).toBe(0);
    expect(ran.json().decision).toBeUndefined();
    expect(ran.stdout).toContain("Warning from hookline");
  });

  test("garbage for Copilot is refused in Copilot's own form", async () => {
    using ws = workspace();
    const ran = await ws.run(["run", "--host", "copilot", "--event", "preToolUse"], "{");
    expect([ran.exitCode, ran.json()["permissionDecision"]]).toEqual([0, "deny"]);
  });

  test("garbage with nothing but the event's name is refused in the form of the host that has that event", async () => {
    using ws = workspace();
    const camel = await ws.run(["run", "--event", "preToolUse"], "{");
    expect([camel.exitCode, camel.json()["permissionDecision"]]).toEqual([0, "deny"]);
    const request = await ws.run(["run"], '{"hookName":"permissionRequest","toolName');
    expect([request.exitCode, request.json()["behavior"]]).toEqual([0, "deny"]);
    const unknown = await ws.run(["run", "--event", "beforeEverything"], "{");
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining("Blocked by hookline")]);
  });

  test("deep nesting inside a tool's input is judged and recorded like any other", async () => {
    using ws = workspace();
    const payload = JSON.stringify(write(ws, "/etc/hosts")).replace(
      '"content":"x"',
      `"content":"x","more":${"[".repeat(5000)}${"]".repeat(5000)}`,
    );
    const ran = await ws.run(["run"], payload);
    expect(decision(ran).permissionDecision).toBe("deny");
    expect(ws.records()).toHaveLength(1);
  });

  test("10 MB of JSON is judged, and the record stays small", async () => {
    using ws = workspace();
    const ran = await ws.run(["run"], write(ws, "/etc/hosts", "lorem ipsum ".repeat(900_000)));
    expect(decision(ran).permissionDecision).toBe("deny");
    expect(JSON.stringify(ws.records()[0]).length).toBeLessThan(20_000);
  });

  test("an event that does not exist passes, with its name on record", async () => {
    using ws = workspace();
    const ran = await ws.run(["run"], { ...write(ws, "/etc/hosts"), hook_event_name: "PreToolUes" });
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    expect(ws.records()[0]).toMatchObject({ event: { name: "Other", native: "PreToolUes" } });
  });

  test("an unknown host or flag does not leave the agent without an answer", async () => {
    using ws = workspace();
    const host = await ws.run(["run", "--host", "nobody"], write(ws, "/etc/hosts"));
    expect(decision(host).permissionDecision).toBe("deny");
    expect(decision(host).permissionDecisionReason).toContain('unknown host "nobody"; expected one of ');
    const flag = await ws.run(["run", "--future"], write(ws, "/etc/hosts"));
    expect(decision(flag).permissionDecision).toBe("deny");
    expect(flag.stderr).toContain("--future");
  });
});

describe("determinism", () => {
  test("the same payload in the same world gives the same bytes", async () => {
    using ws = workspace();
    for (const payload of [
      write(ws, "/etc/hosts"),
      write(ws, ws.path("a.ts")),
      claude(ws.root, "Bash", { command: "rm -rf .hookline" }),
    ]) {
      const [first, second] = [await ws.run(["run"], payload), await ws.run(["run"], payload)];
      expect(second.stdout).toBe(first.stdout);
    }
  });
});

describe("the journal", () => {
  test("each decision is one line with event, findings, verdict, policy digest and durations", async () => {
    using ws = workspace();
    await ws.run(["run"], write(ws, "/etc/hosts"));
    await ws.run(["run"], write(ws, ws.path("a.ts")));
    const [denied, passed] = ws.records();
    expect(denied).toMatchObject({
      v: 2,
      host: { name: "claude-code" },
      event: { name: "PreToolUse", session: "5f0c", tool: "Write", root: ws.root },
      actions: [{ kind: "write", target: { real: "/etc/hosts" } }],
      findings: [{ rule: "safety/workspace-boundary", outcome: "block" }],
      verdict: { outcome: "block", told: "block" },
      policy: { mode: "enforce", origin: "default", packs: { safety: expect.any(String) } },
    });
    expect(denied?.["policy"].digest).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(denied?.["ms"])).toEqual([
      "read",
      "decode",
      "policy",
      "understand",
      "rules",
      "answer",
    ]);
    expect(passed?.["verdict"]).toEqual({ outcome: "pass", told: "pass" });
    expect(passed?.["id"] > denied?.["id"]).toBe(true);
  });

  test("secrets are masked, and the record says where", async () => {
    using ws = workspace();
    const secret = `ghp_${"aB3".repeat(12)}`;
    await ws.run(
      ["run"],
      claude(ws.root, "Bash", {
        command: `curl -H "Authorization: Bearer ${secret}" https://example.test`,
        env: { API_TOKEN: "hunter2hunter2" },
      }),
    );
    const text = JSON.stringify(ws.records());
    expect(text).not.toContain(secret);
    expect(text).not.toContain("hunter2");
    expect(ws.records()[0]?.["masked"]).toContain("event.payload.tool_input.command");
  });

  test("a secret is masked also when a short session id stands in its way", async () => {
    using ws = workspace();
    await ws.run(["run"], {
      ...claude(ws.root, "Bash", { command: "export PASSWORD=hunter2hunter2" }),
      session_id: "S",
    });
    expect(JSON.stringify(ws.records())).not.toContain("hunter2");
  });

  test("state is kept out of version control, and private", async () => {
    using ws = workspace();
    await ws.run(["run"], write(ws, ws.path("a.ts")));
    expect(readFileSync(ws.path(".hookline/.gitignore"), "utf8")).toContain("*\n!rules/");
    expect(statSync(ws.path(".hookline/ledger")).mode & 0o077).toBe(0);
    expect(statSync(ws.path(".hookline/ledger/current.jsonl")).mode & 0o077).toBe(0);
  });

  test("a ledger that a repository has linked elsewhere is not followed", async () => {
    using ws = workspace();
    const victim = join(ws.home, "victim");
    mkdirSync(victim);
    mkdirSync(ws.path(".hookline"));
    symlinkSync(victim, ws.path(".hookline/ledger"));
    await ws.run(["run"], write(ws, ws.path("a.ts")));
    expect(() => statSync(join(victim, "current.jsonl"))).toThrow();
    rmSync(ws.path(".hookline/ledger"));
    mkdirSync(ws.path(".hookline/ledger"));
    writeFileSync(join(ws.home, ".bashrc"), "");
    symlinkSync(join(ws.home, ".bashrc"), ws.path(".hookline/ledger/current.jsonl"));
    const ran = await ws.run(["run"], write(ws, "/etc/hosts"));
    expect(decision(ran).permissionDecision).toBe("deny");
    expect(readFileSync(join(ws.home, ".bashrc"), "utf8")).toBe("");
    expect(ran.stderr).toContain("the record went to");
    expect(ws.records().length).toBeGreaterThan(0);
  });

  test("a workspace that is not there, or is a file, costs the record its place but not the verdict", async () => {
    using ws = workspace();
    const gone = { ...write(ws, "/etc/hosts"), cwd: "/Users/ada/code/acme-shop" };
    expect(decision(await ws.run(["run"], gone)).permissionDecision).toBe("deny");
    writeFileSync(ws.path(".hookline"), "not a folder");
    const ran = await ws.run(["run"], write(ws, "/etc/hosts"));
    expect(decision(ran).permissionDecision).toBe("deny");
    expect(ws.records()).toHaveLength(2);
  });

  test("32 agents at once: every line whole, none lost", async () => {
    using ws = workspace();
    await Promise.all(
      Array.from({ length: 32 }, (_, at) =>
        ws.run(["run"], write(ws, ws.path(`a${at}.ts`), "y".repeat(at * 500))),
      ),
    );
    expect(new Set(ws.records().map((record) => record["id"])).size).toBe(32);
  });
});

test("run without a home still answers", async () => {
  using ws = workspace();
  chmodSync(ws.home, 0o500);
  const ran = await ws.run(["run"], write(ws, "/etc/hosts"), { HOME: "" });
  expect(decision(ran).permissionDecision).toBe("deny");
});
