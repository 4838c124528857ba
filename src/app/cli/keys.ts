import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintOf, newKeyPair } from "../../ledger/checkpoint.ts";
import { keysFolder } from "../../platform/places.ts";
import { actionOf, defineCommand, UsageError, type Command } from "./_command.ts";
import { table } from "./_table.ts";

const keys: Command = defineCommand({
  summary: "The keys that sign checkpoints of the ledger.",
  usage: ["keys new [NAME]", "keys list", "keys show [NAME]"],
  details:
    "Ed25519 keys in your configuration folder. The private half never leaves it; give the public half\n" +
    "(keys show) to whoever is to check your checkpoints. NAME is `default` when not given.",
  actions: {
    new: "makes a key pair; refuses to replace one",
    list: "names and fingerprints",
    show: "prints the public key",
  },
  flags: {},
  async run(given) {
    const action = actionOf("keys", keys, given);
    const [, name = "default", more] = given.words;
    if (more !== undefined) throw new UsageError(`one name at a time; "${more}" is one too many`);
    if (!/^[\w-]{1,64}$/.test(name))
      throw new UsageError(`"${name}" cannot name a key; expected letters, digits, - and _`);
    const folder = keysFolder(process.env);
    if (action === "list") return list(folder);
    return action === "new" ? make(folder, name) : show(folder, name);
  },
});

export default keys;

function make(folder: string, name: string): number {
  const file = join(folder, `${name}.key`);
  if (existsSync(file))
    throw new UsageError(
      `there is a key named ${name} already (${file}); name another, or remove it yourself`,
    );
  const { privateKey, publicKey, fingerprint } = newKeyPair();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, privateKey, { mode: 0o600, flag: "wx" });
  writeFileSync(join(folder, `${name}.pub`), publicKey, { mode: 0o644 });
  console.log(`Made the key ${name} (${fingerprint}).\nIts private half: ${file}\n\n${publicKey}`);
  return 0;
}

function list(folder: string): number {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  const names = entries.flatMap(({ name }) => (name.endsWith(".pub") ? [name] : []));
  if (names.length === 0) console.log("There are no keys yet; `hookline keys new` makes one.");
  else console.log(table(names.map((name) => [name.replace(/\.pub$/, ""), fingerprint(join(folder, name))])));
  return 0;
}

function fingerprint(file: string): string {
  try {
    return fingerprintOf(readFileSync(file, "utf8"));
  } catch {
    return "(no public key of the kind Ed25519)";
  }
}

function show(folder: string, name: string): number {
  const file = join(folder, `${name}.pub`);
  if (!existsSync(file))
    throw new UsageError(`there is no key named ${name}; \`hookline keys new ${name}\` makes one`);
  console.log(readFileSync(file, "utf8").trimEnd());
  return 0;
}
