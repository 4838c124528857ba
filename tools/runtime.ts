// The Bun runtimes our executables are made of: sealed copies in dist/runtime, one per platform.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { seal, type System } from "./seal.ts";

/** Platforms we deliver for, under the names of their packages in npm/. */
export const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64", "windows-x64"] as const;
export type Platform = (typeof platforms)[number];

export const root = join(import.meta.dir, "..");
const folder = join(root, "dist/runtime");

export function thisPlatform(): Platform {
  const os = process.platform === "win32" ? "windows" : process.platform;
  const found = platforms.find((platform) => platform === `${os}-${process.arch}`);
  if (!found)
    throw new Error(`Hookline is not built on ${os}-${process.arch}; use one of ${platforms.join(", ")}.`);
  return found;
}

/** Path of the sealed runtime for a platform. */
export async function sealedRuntime(platform: Platform): Promise<string> {
  const recipe = Bun.hash(await Bun.file(join(import.meta.dir, "seal.ts")).text()).toString(36);
  const path = join(folder, `${platform}-${Bun.version}-${recipe}`);
  if (existsSync(path)) return path;

  const [os, cpu] = platform.split("-") as [System["os"], System["cpu"]]; // platforms are named so
  await mkdir(folder, { recursive: true });
  const bytes = platform === thisPlatform() ? await readBytes(process.execPath) : await download(os, cpu);
  seal(bytes, { os, cpu });
  for (const old of await readdir(folder)) {
    if (old.startsWith(`${platform}-`)) await rm(join(folder, old));
  }
  const part = join(folder, `.${process.pid}-${platform}`);
  await Bun.write(part, bytes);
  await rename(part, path);
  return path;
}

// The runtime of another platform, from the npm package Bun publishes it in, checked against our lock file.
async function download(os: string, cpu: string): Promise<Buffer> {
  const name = `@oven/bun-${os}-${cpu === "arm64" ? "aarch64" : cpu}`;
  const lock = (await Bun.file(join(root, "package-lock.json")).json()) as {
    packages: Record<string, { version: string; integrity?: string }>;
  };
  const entry = lock.packages[`node_modules/${name}`];
  if (entry?.version !== Bun.version) throw new Error(`package-lock.json has no ${name}@${Bun.version}.`);

  const scratch = await mkdtemp(join(folder, "download-"));
  try {
    const npm = process.platform === "win32" ? "npm.cmd" : "npm";
    const file = await output([npm, "pack", "--silent", `${name}@${entry.version}`], scratch);

    const digest = new Bun.CryptoHasher("sha512")
      .update(await readBytes(join(scratch, file)))
      .digest("base64");
    if (`sha512-${digest}` !== entry.integrity)
      throw new Error(`${file} is not what package-lock.json says.`);

    const executable = os === "windows" ? "package/bin/bun.exe" : "package/bin/bun";
    await output(["tar", "-xzf", file, executable], scratch);
    return await readBytes(join(scratch, executable));
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function output(command: string[], cwd: string): Promise<string> {
  const child = Bun.spawn(command, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const text = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`Failed: ${command.join(" ")}`);
  return text.trim();
}

const readBytes = async (path: string) => Buffer.from(await Bun.file(path).arrayBuffer());
