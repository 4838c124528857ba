import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const hook = (ws: Workspace, tool: string, input: object, event = "PreToolUse", more: object = {}) =>
  ws.run(["run"], { ...claude(ws.root, tool, input, event), ...more });

const replayed = async (ws: Workspace, ...args: string[]): Promise<any[]> => {
  const ran = await ws.run(["replay", "--all", "--json", ...args]);
  expect(ran.stderr).toBe("");
  const all = ran.stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(ran.exitCode).toBe(all.some(({ change }) => change !== "none" && change !== "unknown") ? 1 : 0);
  return all;
};

/** Nothing of the workspace is as it was, but for its ledger. */
function gone(ws: Workspace): void {
  for (const name of readdirSync(ws.root))
    if (name !== ".hookline" && name !== ".git") rmSync(ws.path(name), { recursive: true });
  writeFileSync(ws.path(".git/HEAD"), "ref: refs/heads/elsewhere\n");
}

const corpus = (every: number): string[] =>
  readdirSync(join(import.meta.dir, "../corpus"))
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) =>
      readFileSync(join(import.meta.dir, "../corpus", name), "utf8")
        .trim()
        .split("\n"),
    )
    .filter((_, at) => at % every === 0)
    .map((line) => JSON.parse(line).command);

describe("a record is enough to judge its event again", () => {
  test("command lines of all kinds: the same findings, word by word, when the workspace is gone", async () => {
    using ws = workspace({ "hookline.yaml": "extends: [strict]\n", "src/a.ts": "x\n", "notes.md": "y\n" });
    const commands = corpus(40);
    for (let at = 0; at < commands.length; at += 4)
      await Promise.all(commands.slice(at, at + 4).map((command) => hook(ws, "Bash", { command })));
    gone(ws);
    const all = await replayed(ws, "--recorded");
    expect(all).toHaveLength(commands.length);
    // Only what was masked may be judged otherwise, and says so.
    const exact = all.filter(({ missing }) => missing.length === 0);
    expect(exact.length).toBeGreaterThan(commands.length * 0.9);
    expect(exact.filter(({ change }) => change !== "none")).toEqual([]);
    expect(exact.filter(({ before }) => before.outcome === "block").length).toBeGreaterThan(10);
    expect(
      all.filter(
        ({ change, missing }) =>
          change !== "none" && !missing.some((text: string) => text.includes("masked")),
      ),
    ).toEqual([]);
  }, 60_000);

  test("files that were read, long texts, other agents, events of all kinds", async () => {
    const session = ".ralph-sessions/260101-120000";
    const progress = `# Progress\n\n- [ ] task-1\n${"- [ ] task-2 with a long story\n".repeat(300)}`;
    using ws = workspace({
      "hookline.yaml": "extends: [recommended, ralph/all]\n",
      [`${session}/iterations/1/progress.md`]: progress,
    });
    const path = ws.path(`${session}/iterations/1/progress.md`);
    await hook(ws, "Edit", { file_path: path, old_string: "- [ ] task-1", new_string: "- [?] task-1" });
    await hook(ws, "Edit", { file_path: path, old_string: "- [ ] task-1", new_string: "- [x] task-1" });
    await hook(ws, "Write", { file_path: path, content: progress.replace("[ ]", "[done]") });
    await hook(ws, "Write", { file_path: join(ws.home, "out.txt"), content: "x".repeat(20_000) });
    await hook(ws, "Bash", { command: "rm -rf /" }, "PreToolUse", { tool_use_id: "a" });
    await hook(ws, "Bash", { command: "rm -rf /" }, "PostToolUse", {
      tool_use_id: "a",
      tool_response: { stdout: "" },
    });
    await hook(ws, "Bash", {}, "UserPromptSubmit", { prompt: "go on" });
    await hook(ws, "Bash", {}, "Stop", { stop_hook_active: false });
    await hook(ws, "Bash", {}, "SessionStart", { source: "startup" });
    await ws.run(["run", "--host", "copilot", "--event", "preToolUse"], {
      sessionId: "s",
      timestamp: 1,
      cwd: ws.root,
      toolName: "bash",
      toolArgs: { command: "git push --force" },
    });
    await ws.run(["emit", "PreAbilityCall"], { ability: "x" });
    const outcomes = ws.records().map((record) => record["verdict"].outcome);
    gone(ws);
    const all = await replayed(ws, "--recorded");
    expect(all.map(({ before }) => before.outcome)).toEqual(outcomes);
    expect(outcomes.filter((outcome) => outcome === "block").length).toBeGreaterThan(4);
    expect(all.flatMap(({ missing }) => missing)).toEqual([]);
    expect(all.map(({ change }) => change)).toEqual(outcomes.map(() => "none"));
    // The texts it needs are those beside the records.
    rmSync(join(ws.ledger, "contents"), { recursive: true });
    const without = await ws.run(["replay", "--recorded", "--json"]);
    expect(without.stdout).toContain("is kept only in part");
    expect(without.stdout).toContain("progress.md answered");
  });

  test("records that went to the fallback have their texts and policy there", async () => {
    using ws = workspace({ ".hookline": "", "hookline.yaml": "extends: [strict]\n" });
    await hook(ws, "Write", { file_path: ws.path("a.md"), content: "A line of prose.\n".repeat(1000) });
    const [only] = await replayed(ws, "--recorded");
    expect(only).toMatchObject({ change: "none", missing: [] });
  });

  test("a kept text that was changed is not believed", async () => {
    using ws = workspace();
    await hook(ws, "Write", { file_path: ws.path("a.md"), content: "A line of prose.\n".repeat(1000) });
    const [folder = ""] = readdirSync(join(ws.ledger, "contents"));
    const [name = ""] = readdirSync(join(ws.ledger, "contents", folder));
    writeFileSync(join(ws.ledger, "contents", folder, name), "something else");
    expect((await replayed(ws, "--recorded"))[0].missing).toEqual(["the payload is kept only in part"]);
  });
});

describe("hookline replay", () => {
  test("says what another policy would change, and what today's would", async () => {
    using ws = workspace({
      "loose.yaml": "extends: [recommended]\nrules:\n  safety/git-history: warn\n",
      "tight.yaml": "extends: [strict]\n",
    });
    await hook(ws, "Bash", { command: "ls" });
    await hook(ws, "Bash", { command: "git push --force" });
    expect((await replayed(ws)).map(({ change }) => change)).toEqual(["none", "none"]);
    expect(
      (await replayed(ws, "--policy", "loose.yaml")).map(({ change, after }) => [change, after.outcome]),
    ).toEqual([
      ["none", "pass"],
      ["milder", "warn"],
    ]);
    const text = await ws.run(["replay", "--policy", "loose.yaml"]);
    expect(text.stdout).toContain("block → warn  git push --force  [safety/git-history]");
    expect(text.stdout).toContain(
      "2 judged again, 0 stricter, 1 milder, 0 with other findings, 0 cannot be judged",
    );
    expect(await replayed(ws, "--policy", "loose.yaml", "--outcome", "pass")).toHaveLength(1);
    expect(await replayed(ws, ws.records()[1]?.["id"])).toHaveLength(1);
    // What only the other policy asks is answered by today's files, and said.
    ws.write("ralph.yaml", "extends: [recommended, ralph/p0]\n");
    const asked = await replayed(ws, "--policy", "ralph.yaml");
    expect(asked.map(({ change }) => change)).not.toContain("stricter");
    expect(
      asked.flatMap(({ missing }) => missing).every((text: string) => text.endsWith("today's answer counts")),
    ).toBe(true);
    ws.write("hookline.yaml", "rules:\n  safety/git-history: off\n");
    expect((await replayed(ws)).map(({ change }) => change)).toEqual(["none", "milder"]);
    expect((await replayed(ws, "--recorded")).map(({ change }) => change)).toEqual(["none", "none"]);
    // Nothing of it is on record.
    expect(ws.records()).toHaveLength(2);
  });

  test("a payload that could not be read cannot be judged; a wrong policy, or two, is said", async () => {
    using ws = workspace({ "bad.yaml": "rule: {}\n" });
    await ws.run(["run"], "no json");
    expect((await replayed(ws)).map(({ change }) => change)).toEqual(["unknown"]);
    for (const args of [
      ["--policy", "bad.yaml"],
      ["--policy", "none.yaml"],
      ["--policy", "bad.yaml", "--recorded"],
    ])
      expect((await ws.run(["replay", ...args])).exitCode).toBe(2);
  });
});
