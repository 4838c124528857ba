// Hooks that misbehave: the answer is right each time, and no process is left behind.
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { claude, type Ran, type Workspace } from "./support/hookline.ts";
import { harnessSettings, hooked, registryHook } from "./support/hooks.ts";

/** A word no other process has in its command line. */
const mark = (): string => `hookline-mark-${Bun.randomUUIDv7()}`;

/** Processes whose command line has a word; whoever is a zombie has none. */
async function left(word: string): Promise<string[]> {
  // A signal needs a moment to arrive.
  for (let wait = 0; ; wait++) {
    const found = processesWith(word);
    if (found.length === 0 || wait === 20) return found;
    await Bun.sleep(50);
  }
}

function processesWith(word: string): string[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return processes.flatMap((pid) => {
    const text = commandLine(pid);
    return text.includes(word) ? [text.replaceAll("\0", " ")] : [];
  });
}

/** Who would end the group of the process with a word in its command line. */
function standingBy(word: string): string[] {
  const leaders = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(word));
  return leaders.flatMap((pid) => processesWith(`-$1"\0sh\0${pid}\0`));
}

const commandLine = (pid: string): string => textIn(`/proc/${pid}/cmdline`);

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

const script = (body: string): string => `#!/bin/bash\n${body}\n`;

/** A Harness hook before a shell command, and a call it sees. */
async function harness(body: string, timeout = 5000): Promise<{ place: Workspace; ran: Ran }> {
  const place = await hooked({
    "settings.json": harnessSettings("PreToolUse", { path: "hooks/guard.sh", timeout }),
    "hooks/guard.sh": script(body),
  });
  return { place, ran: await place.run(["run"], claude(place.root, "Bash", { command: "ls" })) };
}

const hookIn = (place: Workspace): any => place.records().at(-1)?.["hooks"][0];
const warned = (ran: Ran): string => ran.json().systemMessage ?? "";

describe("X7, X8, S2-R23, S2-R24 a Harness hook that misbehaves is a warning, and the session goes on", () => {
  test("one that never reads its input, however long that is", async () => {
    using place = await hooked({
      "settings.json": harnessSettings("PreToolUse", { path: "hooks/guard.sh" }),
      "hooks/guard.sh": script("exit 0"),
    });
    const content = "x".repeat(3_000_000);
    const ran = await place.run(
      ["run"],
      claude(place.root, "Write", { file_path: place.path("a"), content }),
    );
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    expect(hookIn(place)).toMatchObject({ status: "ok", raw: { ended: "exit", exitCode: 0 } });
  });

  test("X9 one that prints a gigabyte", async () => {
    const { place, ran } = await harness("head -c 1000000000 /dev/zero", 15_000);
    using _ = place;
    expect(ran.exitCode).toBe(0);
    expect(warned(ran)).toContain("more than 1 MiB");
    expect(hookIn(place).raw).toMatchObject({ ended: "exit", exitCode: 0, cut: true });
  }, 40_000);

  test("one that prints a gigabyte and then refuses still refuses", async () => {
    const { place, ran } = await harness("head -c 1000000000 /dev/zero; echo no >&2; exit 2", 15_000);
    using _ = place;
    expect(ran.json().permissionDecision).toBe("deny");
  }, 40_000);

  test("one that forks and exits", async () => {
    const word = mark();
    const { place, ran } = await harness(`(exec -a ${word} sleep 300) & exit 0`);
    using _ = place;
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    expect(await left(word)).toEqual([]);
  });

  test("one that forks, leaves its group and closes everything", async () => {
    const word = mark();
    const { place, ran } = await harness(
      `setsid bash -c 'exec -a ${word} sleep 300' </dev/null >/dev/null 2>&1 & sleep 0.1; exit 0`,
    );
    using _ = place;
    expect(ran.exitCode).toBe(0);
    expect(await left(word)).toEqual([]);
  });

  test("one that never ends", async () => {
    const word = mark();
    const { place, ran } = await harness(`exec -a ${word} sleep 300`, 300);
    using _ = place;
    expect(ran.exitCode).toBe(0);
    expect(warned(ran)).toContain("no answer within 300 ms");
    expect(hookIn(place)).toMatchObject({ status: "failed", raw: { ended: "timeout", signal: "SIGTERM" } });
    expect(await left(word)).toEqual([]);
  });

  test("one that ignores SIGTERM, with children that do too", async () => {
    const word = mark();
    const { place, ran } = await harness(
      `trap '' TERM; bash -c "trap '' TERM; exec -a ${word} sleep 300" & while true; do sleep 1; done`,
      300,
    );
    using _ = place;
    expect(ran.exitCode).toBe(0);
    expect(hookIn(place).raw).toMatchObject({ ended: "timeout", signal: "SIGKILL" });
    expect(await left(word)).toEqual([]);
  });

  test("one that ends by a signal", async () => {
    const { place, ran } = await harness("kill -SEGV $$");
    using _ = place;
    expect(ran.exitCode).toBe(0);
    expect(warned(ran)).toContain("SIGSEGV");
    expect(hookIn(place)).toMatchObject({ status: "failed", raw: { ended: "signal" } });
  });

  test("X21 one that is not executable runs by its first line, or by its extension", async () => {
    using place = await hooked({
      "settings.json": harnessSettings(
        "SessionStart",
        { path: "a.sh" },
        { path: "b" },
        { path: "c.py" },
        { path: "d" },
      ),
      "a.sh": "echo from a",
      b: "#!/usr/bin/env bash\necho from b",
      "c.py": "print('from c')",
      d: "echo from d",
    });
    for (const name of ["a.sh", "b", "c.py", "d"]) chmodSync(place.path(name), 0o644);
    const { stdout } = await place.run(["emit", "SessionStart"], "", { PATH: process.env["PATH"] ?? "" });
    expect(JSON.parse(stdout).context).toEqual(expect.arrayContaining(["from a", "from b", "from c"]));
    expect(stdout).toContain("not executable");
  });

  test("one that is a directory, and one that is not there", async () => {
    using place = await hooked({
      "settings.json": harnessSettings("PreToolUse", { path: "folder" }, { path: "nothing.sh" }),
    });
    mkdirSync(place.path("folder"));
    await place.run(["trust", "--yes"]);
    const ran = await place.run(["run"], claude(place.root, "Bash", { command: "ls" }));
    expect(ran.exitCode).toBe(0);
    expect(warned(ran)).toContain("is a directory");
    expect(warned(ran)).toContain("does not exist");
  });

  test("one that prints half of a decision decides nothing, and its text is context", async () => {
    const { place, ran } = await harness(`echo '{"decision": "blo'`);
    using _ = place;
    expect(ran.exitCode).toBe(0);
    expect(ran.json().hookSpecificOutput).toMatchObject({ additionalContext: '{"decision": "blo' });
    expect(ran.stdout).not.toContain("permissionDecision");
  });
});

describe("X8, S1-R27, S1-C5, S1-F10 a registry hook that fails is no obstacle, unless it is marked as blocking", () => {
  const faults: [string, string, string][] = [
    ["exits with 1", "exit 1", "exit 1"],
    ["exits with 2", "exit 2", "exit 2"],
    ["ends by a signal", "kill -KILL $$", "SIGKILL"],
    ["never ends", "exec sleep 300", "no answer within"],
    ["prints half of its JSON", `echo '{"logs": ['`, "not a JSON object"],
    ["prints no JSON", "echo hello", "not a JSON object"],
  ];
  test.each(faults)("one that %s", async (_, body, why) => {
    for (const blocking of [false, true]) {
      using place = await hooked(
        registryHook(
          "check",
          "PreAbilityCall",
          body,
          `blocking: ${blocking}\ntimeout_ms: ${why === "no answer within" ? 400 : 15_000}\n`,
        ),
      );
      const ran = await place.run(["emit", "PreAbilityCall"], { ability_id: "a", session_id: "s" });
      expect(ran.exitCode).toBe(blocking ? 2 : 0);
      expect(ran.stdout).toContain(why);
      expect(hookIn(place)).toMatchObject({ hook: { id: "check", blocking }, status: "failed" });
    }
  });
});

/** Has the process asked the kernel to tell somebody of its end? */
const isTied = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/fdinfo`).some((name) => {
    const flags = /^flags:\s+(\d+)/m.exec(textIn(`/proc/${pid}/fdinfo/${name}`))?.[1];
    return (Number.parseInt(flags ?? "0", 8) & 0o20000) !== 0;
  });

test.each([
  ["SIGTERM", "at any time"],
  ["SIGKILL", "a moment after the hook has begun"],
  ["SIGKILL", "later"],
] as const)("somebody who ends us by %s, %s, ends our hooks as well", async (signal, when) => {
  const word = mark();
  using place = await hooked({
    "settings.json": harnessSettings("PreToolUse", { path: "hooks/guard.sh", timeout: 60_000 }),
    "hooks/guard.sh": script(`(exec -a ${word} sleep 300) & exec -a ${word} sleep 300`),
  });
  const child = Bun.spawn([`${import.meta.dir}/../dist/hookline`, "run"], {
    cwd: place.root,
    env: { HOME: place.home, PATH: "/usr/bin:/bin" },
    stdin: new TextEncoder().encode(JSON.stringify(claude(place.root, "Bash", { command: "ls" }))),
    stdout: "ignore",
    stderr: "ignore",
  });
  while (processesWith(word).length === 0) await Bun.sleep(1);
  // Nobody hears of this signal; where the kernel does not tell the group, somebody who stands by a moment later does.
  if (when === "later" || process.platform !== "linux")
    while (standingBy(word).length === 0) await Bun.sleep(20);
  else while (!isTied(child.pid)) await Bun.sleep(1);
  child.kill(signal);
  await child.exited;
  expect(await left(word)).toEqual([]);
});
