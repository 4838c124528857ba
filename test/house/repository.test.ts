import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { rules } from "../../src/packs/index.generated.ts";
import { presets } from "../../src/packs/presets.ts";
import { importsOf } from "./_imports.ts";

const root = join(import.meta.dir, "../..");
const scratch = mkdtempSync(join(tmpdir(), "hookline-house-"));
symlinkSync(join(root, "node_modules"), join(scratch, "node_modules"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const read = (file: string): string => readFileSync(join(root, file), "utf8");

describe.each(Object.entries(rules))("%s", (id, rule) => {
  test("shows at least two situations of each kind", () => {
    expect(rule.examples.catches.length).toBeGreaterThanOrEqual(2);
    expect(rule.examples.allows.length).toBeGreaterThanOrEqual(2);
  });

  test("belongs to a preset, and to none that does not exist", () => {
    const names = Object.keys(rule.presets);
    expect(names).not.toBeEmpty();
    expect(names.filter((name) => !Object.hasOwn(presets, name))).toEqual([]);
  });

  test("has a summary of one short sentence", () => {
    expect(rule.summary).toEndWith(".");
    expect(rule.summary.length).toBeLessThanOrEqual(120);
    expect(rule.summary).not.toContain("\n");
  });

  // A new rule is tried out before it is written about; nobody has it who did not ask for it.
  const isTriedOut = Object.keys(rule.presets).every((preset) => preset === "preview");

  test("has a page that says why it exists and what it does not catch", () => {
    const written = read(`docs/rules/${id}.md`).split("write below. -->")[1] ?? "";
    const text = expect.stringMatching(isTriedOut ? /^/ : /\w/);
    expect(sectionsOf(written)).toMatchObject({ "Why it exists": text, "What it does not catch": text });
  });

  test("has a test beside it", () => {
    expect(read(`src/packs/${id}.test.ts`)).toContain(`ruleTester("${id}"`);
  });

  test("uses every message it declares", () => {
    const unused = Object.keys(rule.messages).filter(
      (message) => !saysMessage(sourceOf(`src/packs/${id}.ts`), message),
    );
    expect(unused).toEqual([]);
  });
});

/** Headings of the second level with the text below each. */
function sectionsOf(page: string): Record<string, string> {
  const parts = page.split(/^## /m).slice(1);
  return Object.fromEntries(
    parts.map((part) => [part.split("\n")[0] ?? "", part.split("\n").slice(1).join("\n")]),
  );
}

/** A rule's source with the private files of its pack that it imports. */
function sourceOf(file: string): string {
  const source = read(file);
  const own = importsOf(source).filter(({ specifier }) => specifier.startsWith("./_"));
  return [source, ...own.map(({ specifier }) => read(join(dirname(file), specifier)))].join("\n");
}

const saysMessage = (source: string, id: string): boolean =>
  new RegExp(`\\bmessage:[^,}\\n]*"${id}"`).test(source);

test("a message that is declared but not used is noticed", () => {
  expect(saysMessage('messages: { outside: {} }, type Id = "outside"', "outside")).toBe(false);
  expect(saysMessage('yield { message: "outside" }', "outside")).toBe(true);
  expect(saysMessage('yield { message: far ? "outside" : "near" }', "near")).toBe(true);
});

test("generated files are fresh", async () => {
  const { exitCode, output } = await run([process.execPath, "tools/generate.ts", "--check"], root);
  expect(output).toBe("");
  expect(exitCode).toBe(0);
}, 30_000);

/** Put together here, so that this file does not contain what it looks for. */
const leaks: Readonly<Record<string, RegExp>> = {
  "a path of the machine it was written on": new RegExp(`(?<![\\w.~*-])/(?:${["work", "root"].join("|")})/`),
  "the host of a package registry": new RegExp(
    `\\b(?:${["registry", "npm"].join("|")})\\.(?:[\\w-]+\\.)*(?:org|com|net|io|dev)\\b`,
  ),
  "the folder next to the repository": new RegExp(["\\.\\.", "shared\\b"].join("/")),
};

/** Text that only looks like a leak: data of a test about such text. */
const meant: Readonly<Record<string, readonly string[]>> = {
  "src/secrets/redact.test.ts": ["a path of the machine it was written on", "the host of a package registry"],
};

function leaksIn(file: string, text: string): string[] {
  return Object.entries(leaks).flatMap(([what, pattern]) => {
    if (meant[file]?.includes(what)) return [];
    return text
      .split("\n")
      .flatMap((line, at) =>
        pattern.test(line) ? [`${file}:${at + 1}  ${what}: ${line.trim().slice(0, 120)}`] : [],
      );
  });
}

test("no file tells where it was written", async () => {
  const { output } = await run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], root);
  const files = output
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)))
    // Made-up command lines name all kinds of places.
    .filter((file) => !file.startsWith("corpus/"));
  expect(files).toContain("package-lock.json");
  const found = files.flatMap((file) => {
    const text = read(file);
    return text.includes("\0") ? [] : leaksIn(file, text);
  });
  expect(found).toEqual([]);
});

test("every kind of leak is noticed", () => {
  const at = (...parts: string[]): string => parts.join("/");
  expect(leaksIn("a", `see ${at("", "work", "main")}`)).toHaveLength(1);
  expect(leaksIn("a", `"${at("", "root", ".bashrc")}"`)).toHaveLength(1);
  expect(leaksIn("a", at("https:", "", ["registry", "npmjs", "org"].join("."), "x"))).toHaveLength(1);
  expect(leaksIn("a", at("https:", "", ["npm", "pkg", "github", "com"].join(".")))).toHaveLength(1);
  expect(leaksIn("a", at("..", "shared", "x.md"))).toHaveLength(1);
  expect(leaksIn("a", "src/workflow/x.ts, test/root/y, registry.presets, net/work/x, ../sharedness")).toEqual(
    [],
  );
});

/** Characters every call of every agent loads: 136,000 when first measured, and a quarter more. */
const budget = 170_000;

const banned = {
  text: ["process.stdout", "process.stderr", "Intl."],
  // Each of these costs milliseconds to load, and the whole answer takes five.
  builtins: ["crypto", "child_process", "util"],
  packages: ["yaml", "unbash"],
};

describe("what an agent's call loads", () => {
  test("is small, and nothing in it is slow to load", async () => {
    const loaded = await hotPath(join(root, "src/app/main.ts"));
    expect(problemsWith(loaded)).toEqual([]);
    expect(loaded.text).toContain("safety/workspace-boundary");
    // Of a host that few call, no more than how it is recognised.
    const ofHosts = [...loaded.text.matchAll(/^\/\/ (src\/hosts\/(?!claude-code)\S+)/gm)].map(
      ([, file]) => file,
    );
    expect(ofHosts.filter((file) => !/\/recognises\.ts$|^src\/hosts\/lazy/.test(file ?? ""))).toEqual([]);
    expect(ofHosts).toContain("src/hosts/codex/recognises.ts");
    expect(loaded.text.length).toBeLessThan(budget);
  }, 30_000);

  const planted: [string, string][] = [
    ['process.stdout.write("x");', "process.stdout"],
    ["process.stderr.isTTY;", "process.stderr"],
    ["console.log(new Intl.NumberFormat());", "Intl."],
    ['import { createHash } from "node:crypto"; console.log(createHash);', "crypto"],
    ['import cp from "child_process"; console.log(cp);', "child_process"],
    ['import { parseArgs } from "node:util"; console.log(parseArgs);', "util"],
    ['import { parse } from "yaml"; console.log(parse);', "yaml"],
    ['import { parse } from "unbash"; console.log(parse);', "unbash"],
    [
      'import { far } from "./far.ts"; far(); export const later = () => import("./far.ts");',
      "process.stdout",
    ],
  ];
  test.each(planted)(
    "a planted %s is found",
    async (source, name) => {
      const entry = join(scratch, "entry.ts");
      writeFileSync(join(scratch, "far.ts"), "export const far = () => process.stdout.write('x');");
      writeFileSync(entry, source);
      expect(problemsWith(await hotPath(entry))).toEqual([name]);
    },
    30_000,
  );

  test("what is only loaded when wanted is not counted", async () => {
    const entry = join(scratch, "entry.ts");
    writeFileSync(join(scratch, "far.ts"), "export const far = () => process.stdout.write('x');");
    writeFileSync(entry, 'export const later = async () => (await import("./far.ts")).far();');
    expect(problemsWith(await hotPath(entry))).toEqual([]);
  }, 30_000);
});

test("a POSIX command line loads no reader of PowerShell, cmd and interpreters' programs, and no schemas", async () => {
  const { text } = await hotPath("src/app/command-line.ts");
  expect(text).toContain("// src/shell/unfold.ts");
  expect(text).toContain("// src/packs/safety/destructive-delete.ts");
  expect(
    text.match(
      /^\/\/ src\/shell\/(?:_powershell|_cmd|powershell|windows|code\.|_code-(?:python|perl|ruby|php))[\w-]*/gm,
    ),
  ).toBeNull();
  expect(text).not.toContain("node_modules/valibot");
});

interface Loaded {
  readonly text: string;
  readonly imports: readonly string[];
}

/** The entry file of a build with all it imports statically, and the modules from elsewhere they name. */
async function hotPath(entry: string): Promise<Loaded> {
  const folder = mkdtempSync(join(scratch, "build-"));
  const flags = ["--splitting", "--format=esm", "--target=bun", `--outdir=${folder}`];
  const { exitCode, output } = await run([process.execPath, "build", entry, ...flags], root);
  if (exitCode !== 0) throw new Error(output);
  const files = new Set<string>();
  const imports = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const statics = /^(?:import|export)\b[^"';]*"(?<name>[^"\n]+)";$/gm;
    for (const { groups } of readFileSync(file, "utf8").matchAll(statics)) {
      const name = groups?.["name"] ?? "";
      const next = join(dirname(file), name);
      if (name.startsWith("./") && statSync(next, { throwIfNoEntry: false })) visit(next);
      else imports.add(name.replace(/^node:/, ""));
    }
  };
  visit(join(folder, `${basename(entry, ".ts")}.js`));
  return { text: [...files].map((file) => readFileSync(file, "utf8")).join("\n"), imports: [...imports] };
}

function problemsWith({ text, imports }: Loaded): string[] {
  return [
    ...banned.text.filter((each) => text.includes(each)),
    ...banned.builtins.filter((each) => imports.includes(each)),
    // The bundler writes the path of every module above its code.
    ...banned.packages.filter((each) => new RegExp(`^// .*node_modules/${each}/`, "m").test(text)),
  ];
}

async function run(command: string[], cwd: string): Promise<{ exitCode: number; output: string }> {
  const child = Bun.spawn(command, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const output = (await Promise.all([child.stdout.text(), child.stderr.text()])).join("");
  return { exitCode: await child.exited, output };
}
