// The agent may set our environment and write the directory we are started in. Neither runs its code in here.
// Each attack is also tried on a program that Bun compiles as it comes, so that it is known to be one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json";
import { seal } from "../tools/seal.ts";

const built = join(import.meta.dir, "../dist/hookline");
const scratch = await mkdtemp(join(tmpdir(), "hookline-seal-"));
const open = join(scratch, "open");
const hostile = join(scratch, "hostile");
const marker = join(scratch, "marker");
const preload = join(scratch, "preload.ts");

beforeAll(async () => {
  await mkdir(hostile);
  await Bun.write(preload, `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "");`);
  await Bun.write(join(hostile, "bunfig.toml"), `preload = [${JSON.stringify(preload)}]`);
  await Bun.write(join(hostile, ".env"), "CLAUDE_PROJECT_DIR=/");
  const program = join(scratch, "open.ts");
  await Bun.write(
    program,
    `console.log(process.env.CLAUDE_PROJECT_DIR ?? ${JSON.stringify(manifest.version)});`,
  );
  const build = Bun.spawn([process.execPath, "build", "--compile", program, `--outfile=${open}`], {
    cwd: scratch,
    stdio: ["ignore", "ignore", "inherit"],
  });
  expect(await build.exited).toBe(0);
});
afterAll(() => rm(scratch, { recursive: true }));

async function start(executable: string, { args = ["--version"], cwd = scratch, env = {}, stdin = "" }) {
  await rm(marker, { force: true });
  const child = Bun.spawn([executable, ...args], {
    cwd,
    env: { PATH: process.env["PATH"], HOME: scratch, ...env },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 2000,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited, marked: existsSync(marker) };
}

const untouched = { stdout: `${manifest.version}\n`, stderr: "", exitCode: 0, marked: false };

describe.each([
  ["BUN_OPTIONS runs a file first", { BUN_OPTIONS: `--preload=${preload}` }],
  ["BUN_INSPECT_PRELOAD runs a file first", { BUN_OPTIONS: "--smol", BUN_INSPECT_PRELOAD: preload }],
  ["BUN_BE_BUN makes it bun", { BUN_BE_BUN: "1" }],
  ["BUN_INSPECT waits for a debugger", { BUN_INSPECT: "ws://127.0.0.1:0/x?wait=1" }],
  ["BUN_JSC_… sets options of the engine", { BUN_JSC_dumpOptions: "1" }],
  ["BUN_JSC_… ends it at once", { BUN_JSC_unknown: "1" }],
  ["BUN_BYTECODE_ORDER_OUT writes a file", { BUN_BYTECODE_ORDER_OUT: marker }],
  ["BUN_BYTECODE_DIGEST_OUT writes a file", { BUN_BYTECODE_DIGEST_OUT: marker }],
])("%s", (_, env) => {
  test("in a program as Bun makes it", async () => {
    expect(await start(open, { env })).not.toEqual(untouched);
  });
  test("but not in hookline", async () => {
    expect(await start(built, { env })).toEqual(untouched);
  });
});

test("bunfig.toml in the current directory is not read", async () => {
  expect((await start(open, { cwd: hostile })).marked).toBe(true);
  expect(await start(built, { cwd: hostile })).toEqual(untouched);
});

test(".env in the current directory does not move the workspace", async () => {
  const tool = { tool_name: "Write", tool_input: { file_path: "/etc/motd", content: "" } };
  const stdin = JSON.stringify({ hook_event_name: "PreToolUse", session_id: "s", cwd: hostile, ...tool });
  expect((await start(open, { cwd: hostile })).stdout).toBe("/\n");
  const { stdout } = await start(built, { args: ["run"], cwd: hostile, stdin });
  expect(stdout).toContain("safety/workspace-boundary");
});

test("a runtime that is not as expected is refused rather than left open", () => {
  const refused = (text: string) => expect(() => seal(Buffer.from(text), { os: "linux", cpu: "x64" }));
  refused("").toThrow('"BUN_OPTIONS\\u0000" is missing');
  refused("BUN_OPTIONS\0BUN_OPTIONS\0").toThrow('"BUN_OPTIONS\\u0000" occurs more than once');
});
