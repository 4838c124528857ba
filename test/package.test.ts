// What a user gets from npm: the package and the executable for this platform, installed without a network.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../package.json";
import { platforms, root, thisPlatform } from "../tools/runtime.ts";

const scratch = await mkdtemp(join(tmpdir(), "hookline-package-"));
const app = join(scratch, "app");
const hookline = join(app, "node_modules/.bin/hookline");
const platformPackage = join(app, "node_modules/@hookline");

beforeAll(async () => {
  const stage = join(scratch, "stage");
  await mkdir(join(stage, "bin"), { recursive: true });
  await copyFile(join(root, "npm", thisPlatform(), "package.json"), join(stage, "package.json"));
  const executable = join(root, "dist/hookline");
  await link(executable, join(stage, "bin/hookline")).catch(() =>
    copyFile(executable, join(stage, "bin/hookline")),
  );
  await copyFile(join(root, "dist/hookline-warm"), join(stage, "bin/hookline-warm"));
  await Promise.all(
    [root, stage].map((cwd) => npm(cwd, "pack", "--silent", `--pack-destination=${scratch}`)),
  );

  const tarballs = (await readdir(scratch)).filter((name) => name.endsWith(".tgz"));
  expect(tarballs).toHaveLength(2);
  await Bun.write(join(app, "package.json"), "{}");
  await npm(app, "install", "--silent", "--offline", ...tarballs.map((name) => join("..", name)));
}, 60_000);
afterAll(() => rm(scratch, { recursive: true }));

async function npm(cwd: string, ...args: string[]) {
  const child = Bun.spawn(["npm", ...args], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  expect(await child.exited).toBe(0);
}

async function start(args: string[], stdin = "") {
  const env = { PATH: process.env["PATH"], HOME: scratch };
  const child = Bun.spawn([hookline, ...args], {
    cwd: app,
    env,
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

test("the installed command is this version", async () => {
  expect(await start(["--version"])).toEqual({ stdout: `${manifest.version}\n`, stderr: "", exitCode: 0 });
});

test("the installed command answers an agent", async () => {
  const tool = { tool_name: "Write", tool_input: { file_path: "/etc/motd", content: "" } };
  const payload = { hook_event_name: "PreToolUse", session_id: "s", cwd: app, ...tool };
  const { stdout, exitCode } = await start(["run"], JSON.stringify(payload));
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
});

test("the executable's exit code is the command's", async () => {
  expect((await start(["no-such-command"])).exitCode).toBe(2);
});

test.if(process.platform === "linux")("a signal to the command reaches the executable", async () => {
  const child = Bun.spawn([hookline, "run"], { cwd: app, stdin: "pipe", stdout: "ignore", stderr: "ignore" });
  const children = async () =>
    (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, "utf8")).trim();
  while ((await children()) === "") await Bun.sleep(10);
  const executable = await children();
  child.kill("SIGTERM");
  await child.exited;
  expect(child.signalCode).toBe("SIGTERM");
  expect(existsSync(`/proc/${executable}`)).toBe(false);
});

test("without the platform's package the command says what to do, and blocks", async () => {
  await rename(platformPackage, `${platformPackage}-gone`);
  const { stdout, stderr, exitCode } = await start(["run"]);
  await rename(`${platformPackage}-gone`, platformPackage);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 2 });
  expect(stderr).toContain(`@hookline/${thisPlatform()}`);
  expect(stderr).toContain("--omit=optional");
});

test("every platform's package has the version of this one", async () => {
  const versions: Record<string, string> = {};
  for (const platform of platforms) {
    const { name, version } = (await Bun.file(
      join(root, "npm", platform, "package.json"),
    ).json()) as typeof manifest;
    versions[name] = version;
  }
  expect(versions).toEqual(manifest.optionalDependencies);
  expect(new Set(Object.values(versions))).toEqual(new Set([manifest.version]));
});
