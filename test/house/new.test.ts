import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const repository = join(import.meta.dir, "../..");
const copy = mkdtempSync(join(tmpdir(), "hookline-new-"));
const limit = 60_000;

beforeAll(() => {
  for (const part of [
    "src",
    "test/house",
    "tools",
    "docs",
    "schema",
    "package.json",
    "tsconfig.json",
    ".oxfmtrc.json",
  ]) {
    cpSync(join(repository, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

const read = (file: string): string => readFileSync(join(copy, file), "utf8");
const bin = (name: string): string => join(copy, "node_modules/.bin", name);

async function run(...command: string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const child = Bun.spawn(command, { cwd: copy, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

const start = (...args: string[]) => run(process.execPath, "tools/new.ts", ...args);

test(
  "a new rule has code, a test, a page and a place in the index",
  async () => {
    const { exitCode, stdout } = await run(
      "npm",
      "run",
      "--silent",
      "new",
      "--",
      "rule",
      "try-out/no-leftovers",
    );
    expect(stdout).toContain("Next:\n  1. ");
    expect(exitCode).toBe(0);
    expect(read("src/packs/try-out/no-leftovers.ts")).toContain("presets: { preview: {} }");
    expect(read("src/packs/try-out/no-leftovers.test.ts")).toContain('ruleTester("try-out/no-leftovers"');
    expect(read("src/packs/index.generated.ts")).toContain('"try-out/no-leftovers": tryOutNoLeftovers');
    expect(read("schema/hookline.schema.json")).toContain('"try-out/no-leftovers"');
    const page = read("docs/rules/try-out/no-leftovers.md");
    expect(page).toStartWith("# try-out/no-leftovers\n");
    expect(page).toEndWith("write below. -->\n\n## Why it exists\n\n## What it does not catch\n");
  },
  limit,
);

test(
  "a new host has code, a fixture, a test and a place in the index",
  async () => {
    const { exitCode, stdout } = await start("host", "try-agent-2");
    expect(stdout).toContain("Next:\n  1. ");
    expect(exitCode).toBe(0);
    expect(read("src/hosts/try-agent-2/host.ts")).toContain('title: "Try Agent 2"');
    expect(JSON.parse(read("src/hosts/try-agent-2/fixtures/pre-tool-use.json"))).toMatchObject({
      host: "try-agent-2",
    });
    expect(read("src/hosts/index.generated.ts")).toContain('"try-agent-2": tryAgent2');
  },
  limit,
);

test(
  "both pass their own tests",
  async () => {
    const { exitCode, stderr } = await run(
      process.execPath,
      "test",
      "./src/packs/try-out",
      "./src/hosts/try-agent-2",
    );
    expect(stderr).toContain("Ran ");
    expect(stderr).toContain("across 2 files");
    expect(stderr).toMatch(/^ 0 fail$/m);
    expect(exitCode).toBe(0);
  },
  limit,
);

test(
  "the new rule is one the repository's own test accepts",
  async () => {
    const { exitCode, stderr } = await run(
      process.execPath,
      "test",
      "./test/house/repository.test.ts",
      "-t",
      "^try-out/no-leftovers ",
    );
    expect(stderr).toMatch(/^ [1-9]\d* pass$/m);
    expect(stderr).toMatch(/^ 0 fail$/m);
    expect(exitCode).toBe(0);
  },
  limit,
);

test(
  "the types hold, and what is generated is fresh",
  async () => {
    expect(await run(bin("tsc"), "-p", ".")).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect(await run(process.execPath, "tools/generate.ts", "--check")).toEqual({
      exitCode: 0,
      stdout: "",
      stderr: "",
    });
  },
  limit,
);

test(
  "what is written has the house's format",
  async () => {
    const { stdout, exitCode } = await run(
      bin("oxfmt"),
      "--list-different",
      "src/packs/try-out",
      "src/hosts/try-agent-2",
    );
    expect(stdout).toBe("");
    expect(exitCode).toBe(0);
  },
  limit,
);

test.each([
  ["rule", "try-out/no-leftovers", "src/packs/try-out/no-leftovers.ts"],
  ["rule", "safety/self-protection", "src/packs/safety/self-protection.ts"],
  ["host", "try-agent-2", "src/hosts/try-agent-2/host.ts"],
  ["host", "copilot", "src/hosts/copilot"],
])(
  "a %s that is there is not overwritten: %s",
  async (kind, name, file) => {
    const before = snapshot();
    const { exitCode, stdout, stderr } = await start(kind, name);
    expect(stderr).toContain(`Nothing was written: `);
    expect(stderr).toContain(file);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(snapshot()).toEqual(before);
  },
  limit,
);

test.each([
  ["rule", "no-leftovers", "is no rule id"],
  ["rule", "a/b/c", "is no rule id"],
  ["rule", "try-out/No-Leftovers", "is no rule id"],
  ["rule", "try_out/no", "is no rule id"],
  ["rule", "../evil/x", "is no rule id"],
  ["rule", "try-out/-x", "is no rule id"],
  ["rule", "try-out/x-", "is no rule id"],
  ["rule", "try-out/_x", "is no rule id"],
  ["rule", "try-out/größe", "is no rule id"],
  ["rule", "try-out/x.test", "is no rule id"],
  ["host", "Gemini", "is no host name"],
  ["host", "a/b", "is no host name"],
  ["host", "..", "is no host name"],
  ["host", "2nd", "is no host name"],
  ["host", "continue", "is a word of the language"],
  ["host", "", "usage:"],
  ["rule", "", "usage:"],
  ["preset", "x", "usage:"],
  ["constructor", "x", "usage:"],
])(
  "a bad name is refused: %s %s",
  async (kind, name, said) => {
    const before = snapshot();
    const { exitCode, stdout, stderr } = await start(kind, name);
    expect(stderr).toContain(said);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(snapshot()).toEqual(before);
  },
  limit,
);

const snapshot = (): string[] => {
  const below = (folder: string): string[] =>
    existsSync(join(copy, folder))
      ? readdirSync(join(copy, folder), { recursive: true }).map(String).toSorted()
      : [];
  return ["src", "docs", "schema"].flatMap(below);
};
