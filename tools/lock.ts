// Completes package-lock.json so that `npm ci` works on every platform.
//
//   bun tools/lock.ts            add what is missing
//   bun tools/lock.ts --check    exit 1 if something is missing
//
// Two kinds of optional package never get into the file by themselves:
// - our own platform packages (npm/*), which no registry has while this version is being written. They
//   become links to their folders. (As workspaces, npm refuses the ones for other systems.)
// - the native parts of our tools for systems whose packages the registry in use does not carry. npm
//   installs without them and leaves them out, and `npm ci` then calls the file out of date.
import { join } from "node:path";

type Entry = {
  name?: string;
  version?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  license?: string;
  optionalDependencies?: Record<string, string>;
};
type Lock = { version: string; packages: Record<string, Entry> };

const root = join(import.meta.dir, "..");
const path = join(root, "package-lock.json");

/** Adds the missing entries and returns their names; throws on an address that only works here. */
export async function completeLock(lock: Lock): Promise<string[]> {
  const manifest = (await Bun.file(join(root, "package.json")).json()) as Entry;
  const added: string[] = [];
  const add = (key: string, entry: Entry) => {
    if (Bun.deepEquals(lock.packages[key], entry)) return;
    lock.packages[key] = entry;
    added.push(key);
  };

  for (const name of Object.keys(manifest.optionalDependencies ?? {})) {
    const folder = `npm/${name.replace("@hookline/", "")}`;
    const { version, license, os, cpu } = (await Bun.file(join(root, folder, "package.json")).json()) as Entry;
    // The order of the keys is npm's own, so that it has nothing to rewrite.
    add(folder, { name, version, cpu, license, optional: true, os } as Entry);
    add(`node_modules/${name}`, { resolved: folder, link: true });
  }

  const own = lock.packages[""];
  if (own && !Bun.deepEquals(own.optionalDependencies, manifest.optionalDependencies)) {
    own.optionalDependencies = manifest.optionalDependencies ?? {};
    added.push("(root)");
  }

  for (const [parent, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    if (parent === "") continue;
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const key = `node_modules/${name}`;
      if (lock.packages[key] || lock.packages[`${parent}/${key}`]) continue;
      add(key, { version, ...platformOf(name), ...(dev && { dev }), optional: true });
    }
  }

  for (const [key, { resolved }] of Object.entries(lock.packages)) {
    if (resolved?.includes("://")) throw new Error(`package-lock.json: ${key} is tied to ${resolved}`);
  }
  return added;
}

// "@oxfmt/binding-linux-arm64-musl" → the `os`, `cpu` and `libc` its own manifest would state.
function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const parts = name.split("/").at(-1)?.split("-") ?? [];
  const os = parts.find((part) => /^(android|darwin|freebsd|linux|openharmony|win32)$/.test(part));
  const cpu = parts.find((part) => /^(arm|arm64|ia32|ppc64|riscv64|s390x|x64)$/.test(part));
  if (!os || !cpu) throw new Error(`package-lock.json: cannot tell the platform of ${name} from its name`);
  const libc = parts.some((part) => part.startsWith("musl")) ? "musl" : "glibc";
  return { cpu: [cpu], ...(os === "linux" && { libc: [libc] }), os: [os] };
}

if (import.meta.main) {
  const lock = (await Bun.file(path).json()) as Lock;
  const added = await completeLock(lock);
  if (added.length > 0 && process.argv.includes("--check")) {
    console.error(`package-lock.json lacks ${added.join(", ")}\n  Run: bun tools/lock.ts`);
    process.exit(1);
  }
  if (added.length > 0) {
    const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, "en"));
    await Bun.write(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
    console.log(`package-lock.json: ${added.length} entries added`);
  }
}
