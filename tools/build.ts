// Builds the executable.
//
//   bun tools/build.ts          dist/hookline for this platform
//   bun tools/build.ts --all    also npm/<platform>/bin/ for every platform we deliver for
import { chmod, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { compileClient } from "./client.ts";
import { type Platform, platforms, root, sealedRuntime, thisPlatform } from "./runtime.ts";
import { signAdHoc } from "./sign.ts";

/** Compiles one program. The file appears complete or not at all: a hook may be running the old one. */
export async function compile(
  entry: string,
  outfile: string,
  { platform = thisPlatform(), version }: { platform?: Platform; version?: string } = {},
): Promise<void> {
  const manifest = (await Bun.file(join(root, "package.json")).json()) as { version: string };
  const folder = dirname(outfile);
  await mkdir(folder, { recursive: true });
  // Bun appends .exe for Windows where it is missing.
  const part = join(folder, `.${process.pid}-${basename(outfile)}`);
  const build = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, "bundle.ts"),
      join(root, entry),
      part,
      platform,
      await sealedRuntime(platform),
      version ?? manifest.version,
    ],
    { cwd: folder, stdio: ["ignore", "pipe", "pipe"] }, // Bun leaves its own temporary file in cwd when killed
  );
  const output = await Promise.all([build.stdout.text(), build.stderr.text()]);
  try {
    if ((await build.exited) !== 0) throw new Error(`${entry} does not build:\n${output.join("")}`);
    if (platform.startsWith("darwin")) await sign(part);
    await rename(part, outfile);
  } finally {
    await rm(part, { force: true });
  }
}

async function sign(path: string) {
  await Bun.write(path, signAdHoc(Buffer.from(await Bun.file(path).arrayBuffer()), "hookline"));
  await chmod(path, 0o755);
}

async function generate() {
  const run = Bun.spawn([process.execPath, join(import.meta.dir, "generate.ts")], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if ((await run.exited) !== 0) throw new Error("tools/generate.ts failed.");
}

function report(path: string, platform: Platform) {
  console.log(`${relative(root, path)}  ${(Bun.file(path).size / 1e6).toFixed(1)} MB  ${platform}`);
}

async function main() {
  await generate();
  const own = join(root, "dist", process.platform === "win32" ? "hookline.exe" : "hookline");
  await compile("src/app/main.ts", own);
  report(own, thisPlatform());
  await withClient(own, thisPlatform());
  for (const platform of process.argv.includes("--all") ? platforms : []) {
    const file = platform.startsWith("windows") ? "hookline.exe" : "hookline";
    const path = join(root, "npm", platform, "bin", file);
    await compile("src/app/main.ts", path, { platform });
    report(path, platform);
    await withClient(path, platform);
  }
}

/** The client of the warm path goes beside the executable it falls back to. */
async function withClient(executable: string, platform: Platform) {
  const path = join(dirname(executable), "hookline-warm");
  if (platform.startsWith("windows")) return;
  if (await compileClient(path, platform)) report(path, platform);
  else
    console.log(
      `${relative(root, path)}  not built, no C compiler for ${platform}; hooks are answered cold there`,
    );
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
