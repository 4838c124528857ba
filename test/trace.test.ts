import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { testNames } from "../tools/test-names.ts";
import catalogue from "../docs/requirements.json";

// The last number of every series. An id that gets lost, or a new one nobody counted, fails here.
const series: Record<string, number> = {
  "S0-R": 124,
  "S0-F": 46,
  "S0-C": 19,
  "S1-R": 51,
  "S1-F": 22,
  "S1-C": 13,
  "S2-R": 27,
  "S2-F": 14,
  "S2-C": 9,
  "S3-R": 13,
  "S3-F": 21,
  "S3-C": 9,
  "S4-R": 29,
  "S4-F": 16,
  "S4-C": 12,
  X: 23,
};

test("the catalogue holds every id once and in order", () => {
  const expected = Object.entries(series).flatMap(([prefix, last]) =>
    Array.from({ length: last }, (_, at) => `${prefix}${at + 1}`),
  );
  expect(catalogue.requirements.map(({ id }) => id)).toEqual(expected);
});

test("kind and system of an entry follow from its id", () => {
  const kinds: Record<string, string> = { R: "requirement", F: "fact", C: "resolution" };
  const systems = ["ralph", "registry", "harness", "pipeline", "plugins"];
  for (const { id, kind, system } of catalogue.requirements) {
    const cross = id.startsWith("X");
    expect({ id, kind, system }).toEqual({
      id,
      kind: cross ? "resolution" : (kinds[id.charAt(3)] ?? ""),
      system: cross ? "all" : (systems[Number(id.charAt(1))] ?? ""),
    });
  }
});

test("titles are distinct, fit one line and stand alone", () => {
  const titles = catalogue.requirements.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const title of titles) {
    expect(title).toMatch(/^[\x21-\x7e][\x20-\x7e]{9,108}[^\s.,:;]$/);
    expect(title).not.toMatch(/\bseeds?\b|\borigin\b|\bshared\/|\b[0-9a-f]{7,40}\b/i);
  }
});

test("names are read from calls, not from comments, regexes or fixture strings", () => {
  const source = [
    '// test("comment", f)',
    '/* it("block comment") */',
    'test("plain", () => {',
    "  const fixture = `test(\"inside a string ${it('hole')}\")`;",
    '  expect(/test\\("/.test("regex argument")).toBe(a / b);',
    "});",
    "describe('it\\'s ' + \"joined\", () => {});",
    "test.skipIf(on('linux'))(`template ${1 + 1} name`, f);",
    'it.each([["S9-R1 row", 1]])("%s", f);',
    'it.each([["S9-R2 not shown"]])("fixed", f);',
    "test(variable, f);",
  ].join("\n");
  expect(testNames(source)).toEqual([
    { name: "plain", line: 3 },
    { name: "it\\'s joined", line: 7 },
    { name: "template _ name", line: 8 },
    { name: "%s", line: 9 },
    { name: "S9-R1 row", line: 9 },
    { name: "fixed", line: 10 },
  ]);
});

let root = "";
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "hookline-trace-"));
});
afterAll(() => {
  rmSync(root, { recursive: true, force: true });
});

const entry = (id: string, kind = "requirement", system = "ralph") => ({
  id,
  kind,
  system,
  title: `Title of ${id}`,
});

function project(name: string, tests: Record<string, string>) {
  const dir = join(root, name);
  const requirements = [1, 2, 3, 4, 5].map((n) => entry(`S0-R${n}`));
  requirements.push(entry("S1-R1", "requirement", "registry"), entry("X1", "resolution", "all"));
  write(join(dir, "docs/requirements.json"), JSON.stringify({ requirements }));
  for (const [path, text] of Object.entries(tests)) write(join(dir, path), text);
  return (...args: string[]) => {
    const tool = join(import.meta.dir, "../tools/trace.ts");
    const run = Bun.spawnSync([process.execPath, tool, "--root", dir, ...args]);
    return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() };
  };
}

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test("ranges are expanded and everything uncited is listed", () => {
  const trace = project("ranges", {
    "src/a/b.test.ts": 'test("S0-R1…R2: one", f); // S0-R5\nconst id = "S0-R5";',
    "test/deep/c.test.ts": 'describe("S0-R4..S0-R4, X1", f);',
    "test/scenarios/d.txt": "# scenario for S1-R1\n$ hookline run\nS0-R5\n",
  });
  const text = trace();
  expect(text.code).toBe(0);
  expect(text.out).toBe(
    "S0-R3    Title of S0-R3\nS0-R5    Title of S0-R5\n" +
      "requirements 4/6 cited, facts 0/0 cited, resolutions 1/1 cited\n",
  );
  const report = JSON.parse(trace("--json", "--by-id", "--system", "ralph").out);
  expect(report.counts.requirement).toEqual({ total: 5, cited: 3 });
  expect(report.uncited).toEqual(["S0-R3", "S0-R5"]);
  expect(report.byId["S0-R2"]).toEqual([{ file: "src/a/b.test.ts", name: "S0-R1…R2: one", line: 1 }]);
  expect(Object.keys(report.byId)).not.toContain("S1-R1");
  expect(trace("--by-id", "--kind", "resolution").out).toContain("test/deep/c.test.ts:1");
});

test("an id that does not exist is an error, and so is a range across series", () => {
  const trace = project("unknown", {
    "test/a.test.ts": 'test("S0-R4..R6 X509", f);\ntest("S0-R2..F3", f);',
  });
  const { code, out } = trace();
  expect(code).toBe(1);
  expect(out).toContain("test/a.test.ts:1  S0-R6 does not exist");
  expect(out).toContain("test/a.test.ts:2  S0-R2..F3 does not exist");
  expect(out).toContain("2 unknown");
});

test("--require fails on an id without a test and on a bad list", () => {
  const trace = project("require", { "test/a.test.ts": 'test("S0-R1..R3", f)' });
  expect(trace("--require", "S0-R1..S0-R3").code).toBe(0);
  const failed = trace("--require", "S0-R2..R4,X1");
  expect(failed.code).toBe(1);
  expect(failed.out).toContain("S0-R4: required, but no test names it");
  expect(failed.out).toContain("X1: required, but no test names it");
  expect(trace("--require", "S0-R9").code).toBe(2);
  expect(trace("--require", "nothing").code).toBe(2);
  expect(trace("--kind", "wish").code).toBe(2);
  expect(trace("--colour").err).toContain("usage: npm run trace");
});
