import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { claude, type Workspace } from "./support/hookline.ts";
import { hooked, registryHook } from "./support/hooks.ts";

const inline = (...hooks: readonly object[]): string => JSON.stringify({ hooks });

/** A hook before a tool call. */
const before = (id: string, run: string, more: object = {}) => ({ id, on: "PreToolUse", run, ...more });

const call = (place: Workspace, command = "ls") =>
  place.run(["run"], claude(place.root, "Bash", { command }));

const runsOf = (place: Workspace): any[] => place.records().at(-1)?.["hooks"] ?? [];

const fates = (place: Workspace): Record<string, string> =>
  Object.fromEntries(runsOf(place).map(({ hook, status }) => [hook.id, status]));

/** Processes whose command line has a word in it. */
const running = (word: string): string[] =>
  readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(word);
    } catch {
      return false;
    }
  });

describe("X16 the first refusal stops the hooks behind it that were to decide", () => {
  test("one that has been started is ended with all it started, and the record says why", async () => {
    const mark = `${60_000 + process.pid}`;
    using place = await hooked({
      "hookline.yaml": inline(
        before("first", "until [ -e begun ]; do sleep 0.01; done; echo no >&2; exit 2"),
        before("second", `touch begun; sleep ${mark} & sleep ${mark}; echo never >&2; exit 2`),
      ),
    });
    const { json } = await call(place);
    expect(json().permissionDecision).toBe("deny");
    expect(json().permissionDecisionReason).toContain("no");
    expect(json().permissionDecisionReason).not.toContain("never");
    expect(runsOf(place)).toMatchObject([
      { hook: { id: "first" }, status: "blocked" },
      { hook: { id: "second" }, status: "stopped", why: "hooks/first refused before it" },
    ]);
    expect(runsOf(place)[1].raw).toBeUndefined();
    expect(running(mark)).toEqual([]);
  });

  test("one whose turn had not come is never started", async () => {
    using place = await hooked({
      "hookline.yaml": inline(
        before("no", "exit 2"),
        ...Array.from({ length: 30 }, (_, at) => before(`h${at}`, `touch began${at}; sleep 30`)),
      ),
    });
    expect((await call(place)).json().permissionDecision).toBe("deny");
    expect(runsOf(place).at(-1)).toMatchObject({ status: "not-run", why: "hooks/no refused before it" });
    expect(existsSync(place.path("began29"))).toBe(false);
    const log = await place.run(["log"]);
    expect(log.stdout).toMatch(/\[hooks\/no\].*\(stopped: h0, h1, .*h29\)/);
  });

  test("the reasons of those before it are kept, and theirs come first, however late they are", async () => {
    using place = await hooked({
      "hookline.yaml": inline(
        before("slow", "sleep 0.4; echo slow says no >&2; exit 2"),
        before("warns", "echo careful >&2; exit 1"),
        before("quick", "echo quick says no >&2; exit 2"),
      ),
    });
    const { json } = await call(place);
    // As if they had run one after the other: the first refused, so nobody else was asked.
    expect(json().permissionDecisionReason).toContain("slow says no");
    expect(json().permissionDecisionReason).not.toContain("quick says no");
    expect(fates(place)).toEqual({ slow: "blocked", warns: "stopped", quick: "stopped" });
    expect(
      place
        .records()
        .at(-1)
        ?.["findings"].map(({ rule }: any) => rule),
    ).toEqual(["hooks/slow"]);
  });

  test("a warning, a question and context from before the refusal stay", async () => {
    const ask = JSON.stringify({
      hookSpecificOutput: { permissionDecision: "ask", additionalContext: "word" },
    });
    using place = await hooked({
      "hookline.yaml": inline(
        before("asks", `sleep 0.3; echo '${ask}'`),
        before("warns", "sleep 0.2; echo careful >&2; exit 1"),
        before("no", "exit 2"),
        before("late", "sleep 30; exit 2"),
      ),
    });
    await call(place);
    expect(fates(place)).toEqual({ asks: "asked", warns: "failed", no: "blocked", late: "stopped" });
    const { findings } = place.records().at(-1) ?? {};
    expect(findings.map(({ outcome }: any) => outcome)).toEqual(["ask", "warn", "block"]);
  });

  test("the result is that of the order alone, whoever is quicker", async () => {
    const results: unknown[] = [];
    for (const [a, b, c] of [
      ["0", "0.15", "0.3"],
      ["0.3", "0.15", "0"],
      ["0.15", "0", "0.3"],
    ]) {
      using place = await hooked({
        "hookline.yaml": inline(
          before("a", `sleep ${a}; echo '{"systemMessage": "a"}'`),
          before("b", `sleep ${b}; echo '{"decision": "block", "reason": "b"}'`),
          before("c", `sleep ${c}; echo '{"decision": "block", "reason": "c", "systemMessage": "c"}'`),
          before("d", `sleep ${b}; echo '{"systemMessage": "d"}'`, { blocking: false }),
        ),
      });
      const { stdout } = await call(place);
      results.push([stdout, place.records().at(-1)?.["findings"], fates(place)["d"]]);
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
    expect(results[0]).toMatchObject([expect.stringContaining("d"), [{ rule: "hooks/b" }], "ok"]);
  });

  test("a refusal of an input that a hook before it then changes does not count", async () => {
    const change = JSON.stringify({ updatedInput: { command: "pwd" } });
    using place = await hooked({
      "hookline.yaml": inline(
        before("changes", `sleep 0.3; echo '${change}'`),
        before("checks", "grep -q '\"ls\"' && exit 2; exit 0"),
        before("after", "touch after"),
      ),
    });
    const { json } = await call(place);
    expect(json().hookSpecificOutput.updatedInput).toEqual({ command: "pwd" });
    expect(fates(place)).toEqual({ changes: "ok", checks: "ok", after: "ok" });
  });

  test("a changed input that the host cannot be told is a refusal; one that changes nothing is none", async () => {
    const change = JSON.stringify({ updatedInput: { command: "pwd" } });
    using place = await hooked({ "hookline.yaml": inline(before("course", `echo '${change}'`)) });
    const said = async (command: string) => {
      const payload = claude(place.root, "run_shell_command", { command });
      return (await place.run(["run", "--host", "qwen-code"], payload)).stdout;
    };
    expect(await said("ls")).toContain("Blocked by hooks/course: this call would have to be changed");
    expect(await said("pwd")).not.toContain("permissionDecision");
  });

  test("a hook that fails closed refuses like any other", async () => {
    using place = await hooked({
      "hookline.yaml": inline(before("broken", "exit 1", { blocking: true }), before("late", "sleep 30")),
    });
    expect((await call(place)).json().permissionDecision).toBe("deny");
    expect(fates(place)).toEqual({ broken: "failed", late: "stopped" });
  });

  test("what a rule has refused, hooks are not asked to decide", async () => {
    using place = await hooked({
      "hookline.yaml": inline(
        before("decides", "touch decided"),
        before("notes", "cat > noted", { blocking: false }),
      ),
    });
    expect((await call(place, "rm -rf ~")).json().permissionDecision).toBe("deny");
    expect(fates(place)).toEqual({ notes: "ok", decides: "not-run" });
    expect(runsOf(place)[1].why).toBe("safety/destructive-delete refused before it");
    expect([existsSync(place.path("decided")), existsSync(place.path("noted"))]).toEqual([false, true]);
  });

  test("who only observes stops nobody", async () => {
    using place = await hooked({
      "hookline.yaml": JSON.stringify({
        mode: "observe",
        hooks: [before("no", "exit 2"), before("late", "sleep 0.2; touch late")],
      }),
    });
    await call(place, "rm -rf ~");
    expect(fates(place)).toEqual({ no: "blocked", late: "ok" });
    expect(existsSync(place.path("late"))).toBe(true);
  });

  test("X18 a hook for once a session that was stopped still has its once", async () => {
    using place = await hooked({
      "hookline.yaml": inline(
        before("no", "[ -e open ] || exit 2"),
        before("once", "sleep 0.3; echo ran >> once", { once: true }),
      ),
    });
    await call(place);
    expect(fates(place)["once"]).toBe("stopped");
    place.write("open", "");
    await call(place);
    await call(place);
    expect(readFileSync(place.path("once"), "utf8")).toBe("ran\n");
  });

  test("a replay comes to the same", async () => {
    using place = await hooked({
      "hookline.yaml": inline(before("no", "exit 2"), before("late", "sleep 30; exit 2")),
    });
    await call(place);
    const again = await place.run(["replay", "--all", "--json"]);
    expect([again.exitCode, JSON.parse(again.stdout).change]).toEqual([0, "none"]);
  });
});

describe("X16 who takes notes still runs", () => {
  test("by `blocking: false`, in every format that has room for it", async () => {
    const nested = (command: string, more: object) =>
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command, ...more }] }] } });
    using place = await hooked({
      "settings.json": JSON.stringify({
        hooks: {
          PreToolUse: [
            { path: "hooks/no.sh" },
            { path: "hooks/log.sh", blocking: false },
            { path: "hooks/decide.sh" },
          ],
        },
      }),
      "hooks/no.sh": "#!/bin/sh\nexit 2\n",
      "hooks/log.sh": "#!/bin/sh\nsleep 0.3; touch harness-log\n",
      "hooks/decide.sh": "#!/bin/sh\nsleep 0.3; touch harness-decide\n",
      "plugins/p/hooks/hooks.json": nested("sleep 0.3; touch plugin-log", { blocking: false }),
      "hookline.yaml": inline(
        before("log", "sleep 0.3; touch inline-log", { blocking: false }),
        before("later", "sleep 0.3; touch later", { background: true }),
      ),
    });
    expect((await call(place)).json().permissionDecision).toBe("deny");
    for (const name of ["harness-log", "inline-log"]) expect(existsSync(place.path(name))).toBe(true);
    expect(existsSync(place.path("plugins/p/plugin-log")) || existsSync(place.path("plugin-log"))).toBe(true);
    expect(existsSync(place.path("harness-decide"))).toBe(false);
    expect(fates(place)).toMatchObject({
      "PreToolUse.1.no": "blocked",
      "PreToolUse.2.log": "ok",
      "PreToolUse.3.decide": "stopped",
      log: "ok",
      later: "started",
    });
    for (let wait = 0; wait < 200 && !existsSync(place.path("later")); wait++) await Bun.sleep(20);
    expect(existsSync(place.path("later"))).toBe(true);
    const listed = (await place.run(["hooks", "list", "--json"])).json();
    expect(Object.fromEntries(listed.map(({ id, decides }: any) => [id, decides]))).toMatchObject({
      "PreToolUse.1.no": true,
      "PreToolUse.2.log": false,
      log: false,
      later: false,
    });
    const explained = await place.run(["explain"], claude(place.root, "Bash", { command: "ls" }));
    expect(explained.stdout).toMatch(/PreToolUse\.2\.log +takes notes/);
    expect(explained.stdout).toMatch(/PreToolUse\.3\.decide +decides/);
  });

  test("in the registry whoever is not marked as blocking does", async () => {
    using place = await hooked({
      ...registryHook("a_gate", "PreAbilityCall", `echo '{"error": "no"}'`, "blocking: true\n"),
      ...registryHook("b_track", "PreAbilityCall", "sleep 0.2; touch tracked; echo '{}'"),
      ...registryHook("c_gate", "PreAbilityCall", "sleep 0.2; touch asked; echo '{}'", "blocking: true\n"),
    });
    expect((await place.run(["emit", "PreAbilityCall"], { ability_id: "a" })).exitCode).toBe(2);
    expect(fates(place)).toEqual({ a_gate: "blocked", b_track: "ok", c_gate: "stopped" });
    expect([existsSync(place.path("tracked")), existsSync(place.path("asked"))]).toEqual([true, false]);
    const lines = readFileSync(place.path(".system/logs/hooks.log"), "utf8");
    expect(lines).toContain('"hook_id":"c_gate","event_type":"PreAbilityCall","status":"stopped"');
  });

  test("where nothing can be stopped any more everybody does", async () => {
    using place = await hooked({
      "hookline.yaml": inline(
        { id: "no", on: ["PostToolUse", "SessionStart"], run: "exit 2" },
        { id: "late", on: ["PostToolUse", "SessionStart"], run: "sleep 0.2; touch late$HOOKLINE_EVENT" },
      ),
    });
    await place.run(["run"], claude(place.root, "Bash", { command: "ls" }, "PostToolUse"));
    expect(fates(place)).toEqual({ no: "blocked", late: "ok" });
    await place.run(["run"], { ...claude(place.root, "", {}, "SessionStart"), source: "startup" });
    expect(existsSync(place.path("lateSessionStart"))).toBe(true);
  });

  test("its own no counts, and what it says after a refusal is kept", async () => {
    using place = await hooked({
      "hookline.yaml": inline(
        before("no", "echo first >&2; exit 2"),
        before("notes", "sleep 0.2; echo second >&2; exit 2", { blocking: false }),
      ),
    });
    const { json } = await call(place);
    expect(json().permissionDecisionReason).toMatch(/first[\s\S]*second/);
  });

  test("whether it takes notes is part of what is trusted", async () => {
    using place = await hooked({ "hookline.yaml": inline(before("a", "exit 2")) });
    place.write("hookline.yaml", inline(before("a", "exit 2", { blocking: false })));
    await call(place);
    expect(runsOf(place)).toMatchObject([{ status: "inert" }]);
  });
});

describe("a file that is exchanged while other hooks run", () => {
  const scripts = {
    "b.sh": "#!/bin/sh\ncat > /dev/null; echo b\n",
    "a.sh": "#!/bin/sh\nsleep 0.3; printf '#!/bin/sh\\ntouch pwned\\n' > b.sh\n",
  };
  const exchanged = "a file of it was changed after it was found to be trusted";

  test("is noticed by a hook that had to wait for its turn", async () => {
    using place = await hooked({
      ...scripts,
      "hookline.yaml": inline(
        before("a", "./a.sh"),
        ...Array.from({ length: 15 }, (_, at) => before(`w${at}`, "sleep 0.5")),
        before("b", "./b.sh", { blocking: true }),
      ),
    });
    expect((await call(place)).json().permissionDecision).toBe("deny");
    expect(runsOf(place).at(-1)).toMatchObject({ status: "failed", raw: { detail: exchanged } });
    expect(existsSync(place.path("pwned"))).toBe(false);
  });

  test("and by one that runs again with a changed input", async () => {
    const change = JSON.stringify({ updatedInput: { command: "pwd" } });
    using place = await hooked({
      ...scripts,
      "hookline.yaml": inline(before("a", `./a.sh; echo '${change}'`), before("b", "./b.sh")),
    });
    await call(place);
    expect(runsOf(place).at(-1)).toMatchObject({ again: true, raw: { detail: exchanged } });
    expect(existsSync(place.path("pwned"))).toBe(false);
  });
});
