// Builds client/hookline-warm.c, where there is a compiler for it.
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Platform, root, thisPlatform } from "./runtime.ts";

/**
 * Compiles the client for a platform; whether it could be. For another platform than this the compiler is named by a variable,
 * such as `HOOKLINE_CC_LINUX_ARM64="zig cc -target aarch64-linux-musl"`.
 */
export async function compileClient(outfile: string, platform: Platform = thisPlatform()): Promise<boolean> {
  const compiler = compilerFor(platform);
  if (!compiler) return false;
  const { version } = (await Bun.file(join(root, "package.json")).json()) as { version: string };
  const part = join(dirname(outfile), `.${process.pid}-${basename(outfile)}`);
  await mkdir(dirname(outfile), { recursive: true });
  const source = join(root, "client/hookline-warm.c");
  const common = [
    "-std=gnu11",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    `-DVERSION="${version}"`,
    "-s",
    "-o",
    part,
    source,
  ];
  // What needs no library to be found starts in half the time; not every system has the archives for it.
  for (const flags of platform.startsWith("linux") ? [["-static"], []] : [[]]) {
    const build = Bun.spawn([...compiler, ...flags, ...common], { stdio: ["ignore", "ignore", "pipe"] });
    const said = await build.stderr.text();
    if ((await build.exited) === 0) {
      await rename(part, outfile);
      return true;
    }
    await rm(part, { force: true });
    if (flags.length === 0) throw new Error(`client/hookline-warm.c does not build:\n${said}`);
  }
  return false;
}

function compilerFor(platform: Platform): string[] | undefined {
  const named = process.env[`HOOKLINE_CC_${platform.toUpperCase().replace("-", "_")}`];
  if (named) return named.split(" ");
  if (platform !== thisPlatform() || platform.startsWith("windows")) return undefined;
  const found = ["cc", "gcc", "clang"].map((name) => Bun.which(name)).find((path) => path !== null);
  return found ? [found] : undefined;
}
