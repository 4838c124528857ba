// Ways to name a file that a look at the name alone does not see through.
import { expect, test } from "bun:test";
import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const judged = async (ws: Workspace, payload: object, env = {}) => {
  const { outcome, findings } = (await ws.run(["eval"], payload, env)).json();
  return [outcome, ...new Set(findings.map((finding: { rule: string }) => finding.rule))];
};
const write = (ws: Workspace, path: string) => claude(ws.root, "Write", { file_path: path, content: "x" });
const shell = (ws: Workspace, command: string) => claude(ws.root, "Bash", { command });
const denied = (rule: string) => ["block", `safety/${rule}`];
const neighbour = (ws: Workspace): string => {
  const path = join(ws.root, "../other");
  mkdirSync(path);
  return path;
};

test("X13 a path is where its links lead, and a folder ends where its name does", async () => {
  using ws = workspace({ "src/a.ts": "" });
  neighbour(ws);
  mkdirSync(`${ws.root}-2`);
  symlinkSync("../other", ws.path("out"));
  symlinkSync("src", ws.path("in"));
  const outside = ["out/f", "src/../../other/f", `${ws.root}-2/f`, "out/deep/er/f", "in/../out/f"];
  for (const path of outside)
    expect([path, await judged(ws, write(ws, path))]).toEqual([path, denied("workspace-boundary")]);
  for (const path of ["in/f", "src/../f", "a..b", "..f", "src/new/deep/f"])
    expect([path, await judged(ws, write(ws, path))]).toEqual([path, ["pass"]]);
});

test("a link made by the same command line is followed", async () => {
  using ws = workspace({ "hookline.yaml": "", "src/a.ts": "" });
  neighbour(ws);
  for (const [command, rule] of [
    ["ln -s ../other o; echo x > o/f", "workspace-boundary"],
    ["ln -s ../../other src/o && cp src/a.ts src/o/f", "workspace-boundary"],
    ["cd src && ln -sfn /etc o && touch o/hosts", "workspace-boundary"],
    ["ln -s ../other/f && echo x >> f", "workspace-boundary"],
    ["ln -s /etc o; rm -f o/hosts", "workspace-boundary"],
    ["cp -s /etc/hosts h; tee h < src/a.ts", "workspace-boundary"],
    ["ln -s hookline.yaml s.txt && echo x > s.txt", "self-protection"],
    ["ln --symbolic ../hookline.yaml src/s.txt; sed -i s/a/b/ src/s.txt", "self-protection"],
  ] as const)
    expect([command, await judged(ws, shell(ws, command))]).toEqual([command, denied(rule)]);
  for (const command of [
    "ln -s src/a.ts b.ts; echo x > b.ts",
    "ln -s ../other o; ls o",
    "ln -s ../other o; rm o",
    "ln -s /usr/bin/node node",
    "ln -s a.ts src/b.ts && cat src/b.ts > c.ts",
  ])
    expect([command, await judged(ws, shell(ws, command))]).toEqual([command, ["pass"]]);
});

test("a second name for a file is a way to change it", async () => {
  using ws = workspace({ "hookline.yaml": "", "src/a.ts": "" });
  neighbour(ws);
  for (const command of ["ln hookline.yaml h", "cp -l hookline.yaml h", "cp -al ./hookline.yaml h"])
    expect([command, await judged(ws, shell(ws, command))]).toEqual([command, denied("self-protection")]);
  expect(await judged(ws, shell(ws, "ln ../other/f h"))).toEqual(denied("workspace-boundary"));
  for (const command of ["ln src/a.ts b.ts", "cp -l src/a.ts b.ts", "cp hookline.yaml h"])
    expect([command, await judged(ws, shell(ws, command))]).toEqual([command, ["pass"]]);
});

test("what is another place for every process cannot be told", async () => {
  using ws = workspace({ "src/a.ts": "" });
  symlinkSync("/proc/self/cwd", ws.path("docs"));
  symlinkSync("docs", ws.path("more"));
  for (const command of [
    "cd /etc && echo x > /proc/self/cwd/hosts",
    "cd /etc && echo x > /proc/thread-self/cwd/hosts",
    `cd /etc && echo x > ${ws.path("docs")}/hosts`,
    `cd /etc && echo x > ${ws.path("more")}/hosts`,
  ])
    expect([command, await judged(ws, shell(ws, command))]).toEqual([command, denied("workspace-boundary")]);
  expect(await judged(ws, write(ws, "/proc/self/cwd/x"))).toEqual(denied("workspace-boundary"));
  for (const command of ["echo x > /dev/stdout", "echo x >&2", "echo x > /dev/stderr", "echo x > src/b.ts"])
    expect([command, await judged(ws, shell(ws, command))]).toEqual([command, ["pass"]]);
});

test("an address is one in capitals too", async () => {
  using ws = workspace();
  for (const path of ["FILE:///etc/hosts", "File://localhost/etc/hosts", "file:/etc/hosts"])
    expect([path, await judged(ws, write(ws, path))]).toEqual([path, denied("workspace-boundary")]);
});

test("the policy of a worktree or a repository within is a policy", async () => {
  using ws = workspace({ "hookline.yaml": "", "src/hookline.yaml": "", "a.ts": "" });
  const git = (...args: string[]) =>
    Bun.spawnSync(["git", "-C", ws.root, "-c", "user.name=a", "-c", "user.email=a@b.c", ...args]);
  expect(git("init", "-q").exitCode).toBe(0);
  git("add", "a.ts");
  git("commit", "-qm", "a");
  expect(git("worktree", "add", "-q", "../tree").exitCode).toBe(0);
  git("init", "-q", "modules/sub");
  const tree = realpathSync(join(ws.root, "../tree"));
  const env = { CLAUDE_PROJECT_DIR: ws.root };
  const inTree = (path: string) => ({ ...write(ws, path), cwd: tree });
  expect(await judged(ws, inTree(join(tree, "a.ts")), env)).toEqual(["pass"]);
  for (const name of ["hookline.yaml", ".hookline/ledger/current.jsonl", "HookLine.yaml"])
    expect([name, await judged(ws, inTree(join(tree, name)), env)]).toEqual([
      name,
      denied("self-protection"),
    ]);
  const sub = "modules/sub/hookline.yaml";
  expect(await judged(ws, write(ws, ws.path(sub)), env)).toEqual(denied("self-protection"));
  expect(await judged(ws, shell(ws, `rm -f ${sub}`), env)).toEqual(denied("self-protection"));
  // A file of that name elsewhere is an example, or a fixture.
  expect(await judged(ws, write(ws, ws.path("src/hookline.yaml")), env)).toEqual(["pass"]);
});

test("a relative folder of the environment names none", async () => {
  using ws = workspace({ "x/hookline/hookline.yaml": "mode: observe\n" });
  const names = ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"];
  const env = Object.fromEntries(names.map((name) => [name, "x"]));
  const ran = await ws.run(["run"], write(ws, "/etc/hosts"), env);
  expect(ran.json().permissionDecision).toBe("deny");
  expect(Bun.spawnSync(["ls", ws.path("x/hookline")]).stdout.toString()).toBe("hookline.yaml\n");
});
