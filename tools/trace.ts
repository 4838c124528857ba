// Which requirement is proved by which test: reads docs/requirements.json and the names of all tests.
//
//   npm run trace                                     counts, and the requirements no test names
//   npm run trace -- --by-id --system ralph           every id with the tests that name it
//   npm run trace -- --require S0-R42..R77,S0-C1..C8  exit 1 if one of these has no test
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { testNames, type TestName } from "./test-names.ts";

type Requirement = { id: string; kind: string; system: string; title: string };
type Citation = TestName & { file: string };

const kinds = ["requirement", "fact", "resolution"];
const systems = ["ralph", "registry", "harness", "pipeline", "plugins", "all"];

process.exitCode = main();

function main(): number {
  const options = readOptions();
  if (typeof options === "string") return usage(options);
  const { root, json, byId, kind, system } = options;
  const { requirements } = JSON.parse(readFileSync(join(root, "docs/requirements.json"), "utf8")) as {
    requirements: Requirement[];
  }; // test/trace.test.ts proves the shape
  const known = new Set(requirements.map(({ id }) => id));

  const required = expandIds(options.require);
  const strange = required.filter((id) => !known.has(id));
  if (strange.length > 0) return usage(`--require names unknown ids: ${strange.join(", ")}`);
  if (options.require !== "" && required.length === 0) return usage("--require names no id");

  const cited = new Map<string, Citation[]>();
  for (const citation of citations(root)) {
    for (const id of expandIds(citation.name)) {
      cited.set(id, [...(cited.get(id) ?? []), citation]);
    }
  }

  const scope = requirements.filter((one) => system === undefined || one.system === system);
  const listed = scope.filter((one) => kind === undefined || one.kind === kind);
  const uncited = scope.filter((one) => one.kind === (kind ?? "requirement") && !cited.has(one.id));
  const missing = required.filter((id) => !cited.has(id));
  const unknown = [...cited]
    .filter(([id]) => !known.has(id))
    .flatMap(([id, by]) => by.map((citation) => ({ id, ...citation })));
  const counts = Object.fromEntries(
    kinds
      .filter((one) => kind === undefined || one === kind)
      .map((one) => {
        const all = scope.filter((entry) => entry.kind === one);
        return [one, { total: all.length, cited: all.filter(({ id }) => cited.has(id)).length }];
      }),
  );

  if (json) {
    const report = { counts, uncited: uncited.map(({ id }) => id), unknown, missing };
    const tests = byId && Object.fromEntries(listed.map(({ id }) => [id, cited.get(id) ?? []]));
    console.log(JSON.stringify(tests ? { ...report, byId: tests } : report, null, 2));
  } else {
    if (byId) for (const one of listed) printTests(one, cited.get(one.id) ?? []);
    else for (const one of uncited) console.log(`${one.id.padEnd(8)} ${one.title}`);
    for (const id of missing) console.log(`${id}: required, but no test names it`);
    for (const { id, file, line, name } of unknown) {
      console.log(`${file}:${line}  ${id} does not exist, cited by "${name}"`);
    }
    const tally = Object.entries(counts).map(([one, n]) => `${one}s ${n.cited}/${n.total} cited`);
    console.log(`${tally.join(", ")}${unknown.length > 0 ? `, ${unknown.length} unknown` : ""}`);
  }
  return unknown.length > 0 || missing.length > 0 ? 1 : 0;
}

function printTests({ id, title }: Requirement, tests: readonly Citation[]): void {
  console.log(`${id.padEnd(8)} ${title}`);
  if (tests.length === 0) console.log("           no test");
  for (const { file, line, name } of tests) console.log(`           ${file}:${line}  ${name}`);
}

function* citations(root: string): Generator<Citation> {
  for (const file of files(root, ["src/**/*.test.ts", "test/**/*.test.ts"])) {
    for (const found of testNames(readFileSync(join(root, file), "utf8"))) yield { file, ...found };
  }
  for (const file of files(root, ["test/**/*.txt"])) {
    for (const found of scenarioNames(readFileSync(join(root, file), "utf8"))) {
      yield { file, ...found };
    }
  }
}

// A scenario is named by the comment lines it opens with.
function scenarioNames(text: string): TestName[] {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  return lines
    .slice(0, end === -1 ? lines.length : end)
    .map((line, at) => ({ name: line.replace(/^#+\s*/, ""), line: at + 1 }));
}

function files(root: string, patterns: readonly string[]): string[] {
  return patterns.flatMap((one) => [...new Bun.Glob(one).scanSync({ cwd: root })].sort());
}

// `S0-R50…R53`, `S0-R50..R53` and `S0-R50..S0-R53` mean every id in between. The `\b` and the limit to two
// digits keep words such as "X509" from being taken for ids.
function expandIds(text: string): string[] {
  const pattern =
    /\b(?:(S\d+-[RFC])(\d+)|X(\d{1,2}))(?!\w)(?:(?:…|\.{2,3})(S\d+-[RFC]|[RFCX])?(\d{1,3})\b)?/g;
  const ids: string[] = [];
  for (const [whole, series = "X", number, cross, endSeries = series, end] of text.matchAll(pattern)) {
    const first = number ?? cross ?? "";
    const count = end === undefined ? 1 : Number(end) - Number(first) + 1;
    // A range that runs backwards or into another series is no id either, so it is reported as unknown.
    if (count < 1 || !series.endsWith(endSeries)) ids.push(whole);
    else ids.push(series + first);
    for (let n = 1; n < count; n++) ids.push(`${series}${Number(first) + n}`);
  }
  return [...new Set(ids)];
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        root: { type: "string", default: join(import.meta.dir, "..") },
        json: { type: "boolean", default: false },
        "by-id": { type: "boolean", default: false },
        system: { type: "string" },
        kind: { type: "string" },
        require: { type: "string", default: "" },
      },
    });
    const { kind, system } = values;
    if (kind !== undefined && !kinds.includes(kind)) return `--kind is one of ${kinds.join(", ")}`;
    if (system !== undefined && !systems.includes(system)) {
      return `--system is one of ${systems.join(", ")}`;
    }
    return { ...values, byId: values["by-id"], kind, system };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function usage(problem: string): number {
  console.error(problem);
  console.error(
    "usage: npm run trace -- [--json] [--by-id] [--system S] [--kind K] [--require IDS] [--root DIR]",
  );
  return 2;
}
