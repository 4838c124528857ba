import type { Result } from "./model.ts";

/** Lines in which test runners say that something failed, and that nothing did. */
const failed = [
  /^tests?:? +(?:.*\W)?[1-9]\d* failed\b/i, // Jest, Vitest
  /^test (?:files|suites):? +(?:.*\W)?[1-9]\d* failed\b/i,
  /^=* ?(?:.*\W)?[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/, // pytest
  /^(?:--- FAIL: |FAIL(?:\s|$))/, // Go
  /^test result: FAILED\./, // Cargo
  /^[#ℹ] fail [1-9]/, // node --test
  /^[1-9]\d* fail$/, // Bun
  /^[1-9]\d* failing\b/, // Mocha
  /^\d+ examples?, (?:0 failures, )?[1-9]\d* (?:failures?|errors?)/, // RSpec
  /^FAILED \((?:failures|errors)=/, // unittest
  /^(?:FAILURES|ERRORS)!$/, // PHPUnit
  /^\[(?:ERROR|INFO)\] BUILD FAILURE\b|^BUILD FAILED\b/, // Maven, Gradle
  /^Failed! +- /, // .NET
  /^npm (?:ERR!|error) (?:Test failed|Lifecycle script)/,
];
const passed = [
  /^tests?:? +(?:\d+ skipped[,|] )?\d+ passed\b/i,
  /^=* ?(?:.*\W)?\d+ passed\b.* in [\d.]+s/,
  /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/,
  /^test result: ok\./,
  /^[#ℹ] fail 0$/,
  /^0 fail$/,
  /^\d+ passing\b/,
  /^\d+ examples?, 0 failures/,
  /^OK(?: \([^)]*\))?$/,
  /^\[INFO\] BUILD SUCCESS\b|^BUILD SUCCESSFUL\b/,
  /^Passed! +- /,
];

// oxlint-disable-next-line no-control-regex
const colour = /\u001B\[[\d;]*m/g;

/** How tests ended, by what their runner printed; nothing when no line of it says so. */
export function testResultIn(lines: readonly string[]): Result | undefined {
  const plain = lines.map((line) => line.replace(colour, "").trim());
  const has = (patterns: readonly RegExp[]): boolean =>
    plain.some((line) => line.length < 500 && patterns.some((pattern) => pattern.test(line)));
  if (has(failed)) return "failed";
  return has(passed) ? "passed" : undefined;
}
