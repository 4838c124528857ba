// Starts a rule or a host: code that works, its test, its fixture, and everything that is generated from it.
//
//   npm run new -- rule pack/name
//   npm run new -- host name
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hostFiles } from "./new/host.ts";
import { pageSections, ruleFiles } from "./new/rule.ts";

const root = join(import.meta.dir, "..");

const kinds: Readonly<Record<string, (name: string) => Promise<number>>> = { rule: newRule, host: newHost };

async function main([kind = "", name = "", ...more]: string[]): Promise<number> {
  if (kind === "--help" || kind === "-h") return usage(console.log, 0);
  const make = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!make || name === "" || more.length > 0) return usage(console.error, 2);
  try {
    return await make(name);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    return 2;
  }
}

class Refusal extends Error {}

async function newRule(id: string): Promise<number> {
  const [pack = "", name = "", ...more] = id.split("/");
  if (!isKebab(pack) || !isKebab(name) || more.length > 0) {
    throw new Refusal(
      `"${id}" is no rule id. Expected pack/name in small letters, for example git/no-force-push.`,
    );
  }
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const page = `docs/rules/${id}.md`;
  await write(ruleFiles(id, version), [page]);
  if (!(await run([process.execPath, "tools/generate.ts"], "inherit"))) return 1;
  writeFileSync(join(root, page), pageSections, { flag: "a" });
  return next([
    `Make it your own: src/packs/${id}.ts. Its examples are its documentation, and run as tests.`,
    `Add what is hard to catch: src/packs/${id}.test.ts, then npm test -- src/packs/${pack}`,
    `Run npm run generate, and say in ${page} why the rule exists and what it does not catch.`,
    "It is in the preset `preview`. Move it to `recommended` when it has proved quiet.",
  ]);
}

async function newHost(name: string): Promise<number> {
  if (!isKebab(name)) {
    throw new Refusal(
      `"${name}" is no host name. Expected small letters and hyphens, for example gemini-cli.`,
    );
  }
  // The index imports a host under its name.
  if (reserved.has(name))
    throw new Refusal(`"${name}" is a word of the language. Choose another, for example ${name}-cli.`);
  await write(hostFiles(name), [`src/hosts/${name}`]);
  if (!(await run([process.execPath, "tools/generate.ts"], "inherit"))) return 1;
  return next([
    `Replace the made-up payload by recorded ones: src/hosts/${name}/fixtures/, the host's version inside.`,
    `Say in src/hosts/${name}/host.ts what each field means and how the host wants to be answered; cite the source of each quirk.`,
    `Give every fixture and response its row: src/hosts/${name}/host.test.ts, then npm test -- src/hosts/${name}`,
    "Run npm run generate after adding files.",
  ]);
}

const isKebab = (word: string): boolean => /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(word);

const reserved = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function hosts if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** Writes all files, or none when one of them or of `others` is there already. */
async function write(files: Readonly<Record<string, string>>, others: readonly string[]): Promise<void> {
  const there = [...Object.keys(files), ...others].filter((file) => existsSync(join(root, file)));
  if (there.length > 0) throw new Refusal(`Nothing was written: ${there.join(", ")} exists already.`);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    console.log(`wrote ${file}`);
  }
  // How a line breaks depends on the length of the name.
  await run([join(root, "node_modules/.bin/oxfmt"), ...Object.keys(files)], "ignore");
}

async function run(command: string[], stdout: "inherit" | "ignore"): Promise<boolean> {
  const child = Bun.spawn(command, { cwd: root, stdio: ["ignore", stdout, "inherit"] });
  if ((await child.exited) === 0) return true;
  console.error(`failed: ${command.join(" ")}`);
  return false;
}

function next(steps: readonly string[]): number {
  console.log(["", "Next:", ...steps.map((step, at) => `  ${at + 1}. ${step}`)].join("\n"));
  return 0;
}

function usage(print: (text: string) => void, code: number): number {
  print("usage: npm run new -- rule pack/name\n       npm run new -- host name");
  return code;
}

// Last, because it needs everything above.
process.exitCode = await main(process.argv.slice(2));
