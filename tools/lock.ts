// Completes package-lock.json, so that `npm ci` works on every platform. Run it after every `npm install`.
//
//   bun tools/lock.ts            add what is missing
//   bun tools/lock.ts --check    exit 1 if something is missing
//
// Two kinds of optional package do not get into the file by themselves:
// - our own platform packages (npm/*), which no registry has while their version is being written. They
//   become links to their folders. (npm refuses workspaces for other systems than its own.)
// - the native parts of our tools for other systems, where the registry in use does not carry them. npm installs
//   without them and leaves them out, and `npm ci` then calls the file out of date.
import { join } from "node:path";

type Package = {
  name?: string;
  version?: string;
  license?: string;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};
type Entry = { [Key in keyof Package]: Package[Key] | undefined } & {
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
};

const root = join(import.meta.dir, "..");
const readJson = (path: string): Promise<unknown> => Bun.file(join(root, path)).json();

const lock = (await readJson("package-lock.json")) as { packages: Record<string, Entry> };
const added: string[] = [];
await linkOwnPackages();
nameNativeParts();
refuseAddresses();

if (added.length > 0 && process.argv.includes("--check")) {
  console.error(`package-lock.json lacks ${added.join(", ")}\n  Run: bun tools/lock.ts`);
  process.exit(1);
}
if (added.length > 0) {
  const packages = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  const text = JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2);
  await Bun.write(join(root, "package-lock.json"), `${text}\n`);
  console.log(`package-lock.json: ${added.length} entries added`);
}

async function linkOwnPackages() {
  const { optionalDependencies } = (await readJson("package.json")) as Package;
  set("", { ...lock.packages[""], optionalDependencies });
  for (const name of Object.keys(optionalDependencies ?? {})) {
    const folder = `npm/${name.replace("@hookline/", "")}`;
    const { version, cpu, libc, license, os } = (await readJson(`${folder}/package.json`)) as Package;
    set(folder, { name, version, cpu, libc, license, optional: true, os });
    set(`node_modules/${name}`, { resolved: folder, link: true });
  }
}

function nameNativeParts() {
  for (const [parent, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
    if (parent === "") continue;
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const key = `node_modules/${name}`;
      if (lock.packages[key] ?? lock.packages[`${parent}/${key}`]) continue;
      const { cpu, libc, os } = platformOf(name);
      set(key, { version, cpu, ...(dev && { dev }), libc, optional: true, os });
    }
  }
}

// "@oxfmt/binding-linux-arm64-musl" → what its own manifest would state.
function platformOf(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const parts = name.replace(/^.*\//, "").split("-");
  const os = parts.find((part) => /^(android|darwin|freebsd|linux|openharmony|win32)$/.test(part));
  const cpu = parts.find((part) => /^(arm|arm64|ia32|ppc64|riscv64|s390x|x64)$/.test(part));
  if (!os || !cpu) throw new Error(`package-lock.json: no telling from its name what system ${name} is for`);
  const libc = parts.some((part) => part.startsWith("musl")) ? "musl" : "glibc";
  return { os: [os], cpu: [cpu], libc: os === "linux" ? [libc] : undefined };
}

function refuseAddresses() {
  const bound = Object.entries(lock.packages).filter(([, { resolved }]) => resolved?.includes("://"));
  if (bound.length === 0) return;
  console.error(`package-lock.json names a host for ${bound.map(([key]) => key).join(", ")}`);
  console.error("  Run: npm install --omit-lockfile-registry-resolved");
  process.exit(1);
}

function set(key: string, entry: Entry) {
  if (Bun.deepEquals(lock.packages[key], entry)) return;
  lock.packages[key] = entry;
  added.push(key || "the optional dependencies");
}
