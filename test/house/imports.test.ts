import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importProblems, importsOf, sourcesBelow } from "./_imports.ts";

const root = join(import.meta.dir, "../..");

test("imports point up the list of folders only, and what is private stays private", () => {
  const files = sourcesBelow(root, "src");
  expect(files).toContain("src/core/engine.ts");
  expect(files.flatMap((file) => importProblems(file, readFileSync(join(root, file), "utf8")))).toEqual([]);
});

test("every kind of import line is read", () => {
  const source = [
    'import a from "./a.ts";',
    "import {",
    "  b,",
    "  type B,",
    "} from './b.ts';",
    'import type { C } from "./c.ts";',
    'import * as d from "./d.ts";',
    'import "./e.ts";',
    'export { f } from "./f.ts";',
    'export * from "./g.ts";',
    'export type { H } from "./h.ts";',
    'const i = await import("./i.ts");',
    "const j = import(`./j.ts`);",
    'let k: typeof import("./k.ts");',
    'const l = require("./l.ts");',
    'const m = process.getBuiltinModule("node:os");',
    'const text = "from nowhere";',
    'export const n = "./n.ts";',
  ].join("\n");
  expect(importsOf(source).map(({ specifier, line }) => `${line} ${specifier}`)).toEqual([
    "1 ./a.ts",
    "5 ./b.ts",
    "6 ./c.ts",
    "7 ./d.ts",
    "8 ./e.ts",
    "9 ./f.ts",
    "10 ./g.ts",
    "11 ./h.ts",
    "12 ./i.ts",
    "13 ./j.ts",
    "14 ./k.ts",
    "15 ./l.ts",
    "16 node:os",
  ]);
});

describe("a planted violation is found", () => {
  const planted: [string, string, string][] = [
    ["src/core/x.ts", 'import { run } from "../app/run.ts";', "core may not import app"],
    [
      "src/core/x.ts",
      'import type { World } from "../platform/live-world.ts";',
      "core may not import platform",
    ],
    ["src/core/x.ts", 'export * from "../shell/commands.ts";', "core may not import shell"],
    ["src/shell/x.ts", 'import "../workflow/yaml.ts";', "shell may not import workflow"],
    ["src/workflow/x.ts", 'await import("../packs/presets.ts");', "workflow may not import packs"],
    [
      "src/packs/x/y.ts",
      'import { hosts } from "../../hosts/index.generated.ts";',
      "packs may not import hosts",
    ],
    [
      "src/packs/x/y.ts",
      'import { sha256 } from "../../platform/digest.ts";',
      "packs may not import platform",
    ],
    [
      "src/hosts/x/host.ts",
      'import { rules } from "../../packs/index.generated.ts";',
      "hosts may not import packs",
    ],
    ["src/hosts/x/host.ts", 'let s: typeof import("../../shell/commands.ts");', "hosts may not import shell"],
    [
      "src/platform/x.ts",
      'import { loadPolicy } from "../policy/load-policy.ts";',
      "platform may not import policy",
    ],
    ["src/policy/x.ts", 'import { presets } from "../packs/presets.ts";', "policy may not import packs"],
    ["src/policy/x.ts", 'import { toRecord } from "../ledger/record.ts";', "policy may not import ledger"],
    ["src/ledger/x.ts", 'import type { Policy } from "../policy/policy.ts";', "ledger may not import policy"],
    ["src/testing/x.ts", 'import { pass } from "../app/pass.ts";', "testing may not import app"],
    ["src/packs/x/y.test.ts", 'import { pass } from "../../app/pass.ts";', "packs may not import app"],
    ["src/novel/x.ts", "", "novel is not in the list"],
    ["src/core/x.ts", 'import { test } from "../../tools/test.ts";', "outside src"],
    [
      "src/packs/safety/x.ts",
      'import { checkProgress } from "../ralph/_progress.ts";',
      "private to its folder",
    ],
    ["src/packs/x.ts", 'import { checkProgress } from "./ralph/_progress.ts";', "private to its folder"],
    ["src/app/x.ts", 'import { mask } from "../ledger/_mask.ts";', "private to its folder"],
    ["src/app/x.ts", 'import { table } from "./cli/_table.ts";', "private to its folder"],
    ["src/core/x.ts", "const a = Bun.hash(text);", "may not use the Bun global"],
    ["src/hosts/x/host.ts", 'const a = Bun["env"];', "may not use the Bun global"],
    ["src/hosts/x/host.ts", "const { env } = Bun;", "may not use the Bun global"],
    ["src/shell/x.ts", 'import { $ } from "bun";', "may not import bun"],
    ["src/workflow/x.ts", 'import { Database } from "bun:sqlite";', "may not import bun:sqlite"],
    ["src/packs/x/y.ts", 'import { readFileSync } from "node:fs";', "may not import node:fs"],
    ["src/packs/x/y.ts", 'import { readFileSync } from "fs";', "may not import fs"],
    ["src/packs/x/y.ts", 'import { readFile } from "node:fs/promises";', "may not import node:fs/promises"],
    ["src/packs/x/y.ts", 'const os = process.getBuiltinModule("node:os");', "may not import node:os"],
    [
      "src/hosts/x/host.ts",
      'const c = await import("node:child_process");',
      "may not import node:child_process",
    ],
    ["src/core/x.ts", "const a = await import(name);", "an import must name its file"],
  ];
  test.each(planted)("in %s: %s", (file, source, problem) => {
    const found = importProblems(file, `// One\n${source}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
    expect(found[0]).toStartWith(problem.includes("in the list") ? file : `${file}:2  `);
  });
});

describe("what is allowed is not found", () => {
  const fine: [string, string][] = [
    ["src/core/x.ts", 'import { join } from "node:path";'],
    ["src/core/x.ts", 'import * as v from "valibot";'],
    ["src/shell/x.ts", 'import type { Action } from "../core/action.ts";'],
    ["src/packs/safety/x.ts", 'import { commandsIn } from "../../shell/commands.ts";'],
    ["src/packs/ralph/x.ts", 'import { checkProgress } from "./_progress.ts";'],
    ["src/packs/ralph/x.test.ts", 'import { ruleTester } from "../../testing/rule-tester.ts";'],
    ["src/packs/ralph/x.test.ts", 'import { mkdirSync } from "node:fs";'],
    ["src/policy/x.ts", 'import { sha256 } from "../platform/digest.ts";'],
    ["src/ledger/x.ts", "const a = Bun.hash(text);"],
    ["src/testing/x.ts", 'import { rules } from "../packs/index.generated.ts";'],
    ["src/app/x.ts", 'import schema from "../../schema/hookline.schema.json";'],
    ["src/app/x.ts", 'import { liveWorld } from "../platform/live-world.ts";'],
    ["src/core/x.ts", "// The Bundle. A bun is no Bun."],
  ];
  test.each(fine)("in %s: %s", (file, source) => {
    expect(importProblems(file, source)).toEqual([]);
  });
});
