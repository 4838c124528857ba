import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { fillLedger } from "../../../tools/bench/fill-ledger.ts";
import { outcomes } from "../../core/outcome.ts";
import { workspaceFolder } from "../places.ts";
import { linesOf, segmentsOf, toRecord, type LedgerRecord } from "../read.ts";
import { matches, type Filter } from "./filter.ts";
import { find } from "./find.ts";
import { openIndex, type Index } from "./index-ledger.ts";

let base: string;
let index: Index;
let all: LedgerRecord[];

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "hookline-find-"));
  const env = { HOME: join(base, "home") };
  await fillLedger(join(base, "w"), env, 1500);
  const folder = workspaceFolder(join(base, "w"));
  index = openIndex(folder, env);
  all = segmentsOf(folder).flatMap((name) =>
    [...linesOf(folder, name)].flatMap((line) => toRecord(line) ?? []),
  );
});
afterAll(() => {
  index[Symbol.dispose]();
  rmSync(base, { recursive: true, force: true });
});

const some = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });

test("whatever is asked for, the index finds the latest that reading every record finds", () => {
  const start = Date.now() - 1500 * 30_000;
  const asked = fc.record({
    since: fc.option(fc.integer({ min: start, max: Date.now() }), { nil: undefined }),
    until: fc.option(fc.integer({ min: start, max: Date.now() }), { nil: undefined }),
    host: some("copilot", "claude-code", "nobody"),
    session: some("session-3", "session-6", "session-99"),
    agent: some("reviewer", "explorer", "agent-7"),
    tool: some("Bash", "Write"),
    event: some("PreToolUse", "PostToolUse"),
    rule: some("safety/git-history", "safety/*", "safety/database", "ralph/*"),
    outcomes: fc.option(fc.subarray([...outcomes]), { nil: undefined }),
    path: some("src", "src/part17", "src/part1?/*.ts", "src/part17/file3.ts", "/**/file2.ts").map((path) =>
      path === undefined || path.startsWith("/") ? path : join(base, "w", path),
    ),
    text: some("push", "npm te", "git", "unusual", "FORCE origin", "nothing like it"),
  });
  fc.assert(
    fc.property(asked, fc.constantFrom(1, 50, Number.POSITIVE_INFINITY), (wanted, limit) => {
      const filter = Object.fromEntries(
        Object.entries(wanted).filter(([, value]) => value !== undefined),
      ) as Filter;
      const fits = all.filter((record) => matches(record, filter));
      const latest = limit === Number.POSITIVE_INFINITY ? fits : fits.slice(-limit);
      expect(find(index, filter, limit).map(({ id }) => id)).toEqual(latest.map(({ id }) => id));
    }),
    { numRuns: 120 },
  );
});
