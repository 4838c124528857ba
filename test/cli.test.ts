import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";

const executable = join(import.meta.dir, "../dist/hookline");

const version = (await Bun.file(`${import.meta.dir}/../package.json`).json()).version;

describe("the command line", () => {
  test("help lists every command, each has help of its own, and `run --help` is no payload", async () => {
    using ws = workspace();
    const help = await ws.run(["--help"]);
    expect(help.exitCode).toBe(0);
    for (const name of ["run", "eval", "check", "explain", "rules", "schema", "completion", "demo"]) {
      expect(help.stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
      const own = await ws.run([name, "--help"]);
      expect([name, own.exitCode, own.stdout.startsWith(`hookline ${name}: `)]).toEqual([name, 0, true]);
    }
    expect((await ws.run(["help", "eval"])).stdout).toContain("--jsonl");
    expect((await ws.run([])).exitCode).toBe(2);
  });

  test("the version is the package's", async () => {
    using ws = workspace();
    expect((await ws.run(["--version"])).stdout).toBe(`${version}\n`);
  });

  test("a misspelt command, flag, action or host is exit 2 with the nearest word", async () => {
    using ws = workspace();
    const cases: [string[], string][] = [
      [["explian"], 'did you mean "explain"?'],
      [["eval", "--jsnol"], "did you mean --jsonl?"],
      [["rules", "lst"], 'did you mean "list"?'],
      [["rules"], "needs an action; expected list, show, eval"],
      [["rules", "show", "safety/self-protecton"], 'did you mean "safety/self-protection"?'],
      [["eval", "--host", "claud"], 'unknown host "claud"; expected one of '],
      [["rules", "list", "--pack", "saftey"], 'unknown pack "saftey"; did you mean "safety"?'],
      [["rules", "list", "--preset", "strickt"], 'unknown preset "strickt"; did you mean "strict"?'],
      [["completion", "tcsh"], "completion needs a shell"],
      [["check"], "check takes one question"],
      [["explain", "/no/such/file"], "cannot read /no/such/file (ENOENT)"],
    ];
    for (const [args, said] of cases) {
      const ran = await ws.run(args);
      expect([args, ran.exitCode, ran.stdout]).toEqual([args, 2, ""]);
      expect(ran.stderr).toContain(said);
    }
  });
});

describe("eval", () => {
  test("prints the stable shape and leaves no trace", async () => {
    using ws = workspace();
    const verdict = (
      await ws.run(["eval"], claude(ws.root, "Write", { file_path: "/etc/hosts", content: "" }))
    ).json();
    expect(verdict).toMatchObject({
      outcome: "block",
      event: "PreToolUse",
      host: "claude-code",
      findings: [
        {
          rule: "safety/workspace-boundary",
          outcome: "block",
          message: expect.stringContaining("/etc/hosts"),
        },
      ],
    });
    expect(ws.records()).toEqual([]);
  });

  test("with --jsonl gives one line for one line, in order, garbage and all", async () => {
    using ws = workspace();
    const lines = Array.from({ length: 300 }, (_, at) => {
      if (at % 7 === 3) return "{half";
      if (at % 11 === 5) return "";
      return JSON.stringify(
        claude(ws.root, "Write", {
          file_path: at % 2 ? "/etc/hosts" : ws.path(`f${at}`),
          content: "é".repeat(at * 20),
        }),
      );
    });
    const ran = await ws.run(["eval", "--jsonl"], lines.join("\n"));
    const out = ran.stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(out).toHaveLength(300);
    out.forEach((verdict, at) => {
      const garbage = at % 7 === 3 || at % 11 === 5;
      const outcome = garbage || at % 2 ? "block" : "pass";
      expect([at, verdict.outcome, "error" in verdict]).toEqual([at, outcome, garbage]);
    });
    expect(ran.exitCode).toBe(0);
  });
});

describe("check", () => {
  test("answers a person's question with outcome, reason and exit code", async () => {
    using ws = workspace();
    const blocked = await ws.run(["check", "rm -rf .hookline"]);
    expect(blocked.exitCode).toBe(1);
    expect(blocked.stdout).toContain("BLOCK");
    expect(blocked.stdout).toContain("safety/self-protection");
    const fine = await ws.run(["check", "npm test"]);
    expect([fine.exitCode, fine.stdout]).toEqual([0, "PASS   nothing speaks against it\n"]);
    expect((await ws.run(["check", "--write", "/etc/hosts"])).exitCode).toBe(1);
    expect((await ws.run(["check", "--write", "src/new.ts"])).exitCode).toBe(0);
    expect((await ws.run(["check", "--delete", "hookline.yaml"])).exitCode).toBe(1);
    expect((await ws.run(["check", "--write", "/etc/hosts", "--json"])).json()["outcome"]).toBe("block");
  });

  test("a policy with mistakes is shown with all that helps, and is no clean answer", async () => {
    using ws = workspace({ "hookline.yaml": "rules:\n  safety/workspace-boundry: off\n" });
    const ran = await ws.run(["check", "ls"]);
    expect(ran.exitCode).toBe(2);
    expect(ran.stdout).toBe("PASS   nothing speaks against it\n");
    for (const part of [
      "the recommended preset is in force",
      "hookline.yaml:2:3  rules.safety/workspace-boundry",
      'Did you mean "safety/workspace-boundary"?',
      "HL_UNKNOWN_RULE",
    ])
      expect(ran.stderr).toContain(part);
    expect((await ws.run(["check", "--write", "/etc/hosts"])).exitCode).toBe(1);
    const json = await ws.run(["check", "ls", "--json"]);
    expect([json.exitCode, json.json()["outcome"]]).toEqual([2, "pass"]);
  });

  test("under an observing policy it still says what the rules think", async () => {
    using ws = workspace({ "hookline.yaml": "mode: observe\n" });
    const ran = await ws.run(["check", "--write", "/etc/hosts"]);
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain("BLOCK");
    expect(ran.stdout).toContain("only observes");
  });
});

describe("explain", () => {
  test("says of a plain command that it concerns no rule, not that there is none", async () => {
    using ws = workspace();
    const ran = await ws.run(["explain"], claude(ws.root, "Bash", { command: "ls" }));
    expect(ran.stdout).toContain("safety/self-protection  skipped: a plain command that concerns no rule");
    expect(ran.stdout).not.toContain("or exec");
  });

  test("shows every rule, what it looked at, what it said, the merge and the time of each step", async () => {
    using ws = workspace({
      "hookline.yaml": "extends: [recommended, ralph/p0]\nrules:\n  ralph/path-allowlist: off\n",
    });
    const payload = {
      ...claude(ws.root, "Write", { file_path: "/etc/hosts", content: "" }),
      agent_id: "a1",
      agent_type: "Explore",
    };
    const { stdout } = await ws.run(["explain"], payload);
    for (const part of [
      "safety/workspace-boundary  block",
      'looked at realPath /tmp: "/tmp"',
      "safety/self-protection  pass",
      "ralph/path-allowlist  skipped: off",
      "ralph/session-directory-guard  skipped: not about PreToolUse",
      "verdict                    block (the strictest)",
      "presets  recommended, ralph/p0",
      "subagent   Explore a1",
      "recognised as claude-code",
    ]) {
      expect(stdout).toContain(part);
    }
    for (const step of ["decode", "policy", "understand", "rules", "answer"])
      expect(stdout).toMatch(new RegExp(`${step} +\\d+\\.\\d+ ms`));
    expect(ws.records()).toEqual([]);
  });

  test("says the same as JSON, and reads a file", async () => {
    using ws = workspace();
    ws.write("payload.json", JSON.stringify(claude(ws.root, "Bash", { command: "rm -rf .hookline" })));
    const explained = (await ws.run(["explain", "payload.json", "--json"])).json();
    expect(explained.outcome).toBe("block");
    expect(explained.rules.map((rule: any) => rule.rule)).toContain("safety/self-protection");
    expect(Object.keys(explained.ms)).toContain("rules");
  });
});

describe("rules", () => {
  test("list has the stable shape, with number, tier and life cycle for Ralph", async () => {
    using ws = workspace();
    const rules = (await ws.run(["rules", "list", "--json"])).json();
    for (const rule of rules) {
      expect(Object.keys(rule)).toEqual(
        expect.arrayContaining(["id", "pack", "summary", "events", "outcome", "failMode", "presets"]),
      );
    }
    expect(rules.find((rule: any) => rule.id === "ralph/path-allowlist")).toMatchObject({
      number: 7,
      tier: "P0",
      lifecycle: "PreTool",
    });
    const text = (await ws.run(["rules", "list", "--pack", "ralph"])).stdout;
    expect(text).toMatch(/ralph\/ssot-write-guard +8 +P0 +PreTool +block +closed/);
    expect(text).not.toContain("safety/");
  });

  test("show tells what a rule is about, by id or number", async () => {
    using ws = workspace();
    const byNumber = await ws.run(["rules", "show", "ralph/7"]);
    expect(byNumber.stdout).toBe((await ws.run(["rules", "show", "ralph/path-allowlist"])).stdout);
    expect(byNumber.stdout).toContain("#7 Path Allowlist Enforcement");
    expect(
      (await ws.run(["rules", "show", "safety/self-protection", "--json"])).json().examples.catches.length,
    ).toBeGreaterThan(3);
  });

  test("eval of a rule without a contract names those that have one", async () => {
    using ws = workspace();
    const ran = await ws.run(["rules", "eval", "safety/self-protection"], {});
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining("ralph/path-allowlist")]);
  });

  test("eval --dry-run says what would be done and does nothing", async () => {
    using ws = workspace();
    const input = {
      session_id: "260215-173319",
      session_path: ".ralph-sessions/260215-173319/",
      workspace_root: ws.root,
    };
    expect(
      (await ws.run(["rules", "eval", "ralph/1", "--dry-run"], input)).json().actions_taken,
    ).toHaveLength(2);
    expect(
      (await ws.run(["rules", "eval", "ralph/1", "--dry-run"], input)).json().actions_taken,
    ).toHaveLength(2);
  });
});

test("schema prints a JSON Schema that knows every rule, preset and option", async () => {
  using ws = workspace();
  const schema = (await ws.run(["schema"])).json();
  const boundary = schema.properties.rules.properties["safety/workspace-boundary"];
  expect(boundary.anyOf[1].properties.options.properties.allow.type).toBe("array");
  expect(schema.properties.extends.anyOf[0].enum).toContain("ralph/p0");
  expect(schema.additionalProperties).toBe(false);
});

test("rules eval says what is missing from an input, and what is of a wrong type", async () => {
  using ws = workspace();
  const ran = await ws.run(["rules", "eval", "ralph/1"], { session_id: 5 });
  expect([ran.exitCode, ran.stdout]).toEqual([2, ""]);
  expect(ran.stderr).toContain("session_id: expected string, got 5; session_path is missing; workspace_root");
});

describe("completion", () => {
  test("prints a script for each shell", async () => {
    using ws = workspace();
    for (const shell of ["bash", "zsh", "fish", "powershell"]) {
      expect((await ws.run(["completion", shell])).stdout).toContain("hookline");
    }
  });

  test("bash completes by it, without further packages, sourced twice, and runs nothing that was typed", async () => {
    using ws = workspace({ "a-file": "" });
    const completes = (...words: string[]) => {
      const typed = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
      const script = [
        `hookline() { "$HOOKLINE" "$@"; }`,
        "source <(hookline completion bash)",
        "source <(hookline completion bash)",
        `COMP_WORDS=(hookline ${typed}) COMP_CWORD=${words.length}`,
        "_hookline",
        'printf "%s\\n" "${COMPREPLY[@]}"',
      ].join("\n");
      const bash = Bun.spawnSync(["bash", "--norc", "-c", script], {
        cwd: ws.root,
        env: { HOME: ws.home, PATH: "/usr/bin:/bin", HOOKLINE: executable },
      });
      expect(bash.stderr.toString()).toBe("");
      return bash.stdout.toString().split("\n").filter(Boolean);
    };
    expect(completes("ru")).toEqual(["rules", "run"]);
    expect(completes("rules", "show", "safety/wor")).toEqual(["safety/workspace-boundary"]);
    expect(completes("run", "--host", "")).toContain("claude-code");
    expect(completes("run", "--host", "=", "cop")).toEqual(["copilot"]);
    expect(completes("check", "$(touch was-here)", "`touch was-here`", "--js")).toEqual(["--json"]);
    expect(existsSync(ws.path("was-here"))).toBe(false);
  });

  test("offers commands, actions, flags, hosts and rule ids", async () => {
    using ws = workspace();
    const offers = async (...words: string[]) => (await ws.run(["complete", "--", ...words])).stdout;
    expect(await offers("ex")).toContain("explain");
    expect(await offers("rules", "")).toContain("list");
    expect(await offers("rules", "show", "")).toContain("safety/self-protection");
    expect(await offers("eval", "--")).toContain("--jsonl");
    expect(await offers("eval", "--host", "")).toContain("copilot");
    // Nothing of ours: the shell goes on with file names.
    expect(await offers("check", "--write", "")).toBe(":0\n");
  });
});

test("demo plays its day and ends with what to do next", async () => {
  using ws = workspace();
  const ran = await ws.run(["demo"]);
  expect(ran.exitCode).toBe(0);
  expect(ran.stdout).toContain("11 calls, 8 denied");
  expect(ran.stdout).toMatch(/DENY .*safety\/self-protection/);
  expect(ran.stdout).toContain("What to do next:");
  const day = (await ws.run(["demo", "--json"])).json();
  expect(day.every((scene: any) => scene.answer === scene.expected)).toBe(true);
});
