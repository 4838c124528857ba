#!/usr/bin/env bun
// Ability: billing_regression
// Gets {"suite": "smoke" | "full"} and prints how many cases pass.
import { totalOf, type Line } from "../../services/billing/src/invoice.js";

interface Case {
  readonly name: string;
  readonly lines: readonly Line[];
  readonly total: number;
}

const { suite } = (await Bun.stdin.json()) as { suite?: string };
const cases = (await Bun.file("services/billing/cases.json").json()) as readonly Case[];
const chosen = suite === "smoke" ? cases.slice(0, 1) : cases;
const wrong = chosen.filter(({ lines, total }) => totalOf(lines) !== total).map(({ name }) => name);

console.log(
  JSON.stringify({
    passed: chosen.length - wrong.length,
    failed: wrong.length,
    summary:
      wrong.length === 0
        ? `All ${chosen.length} test cases passed`
        : `${wrong.length} failed: ${wrong.join(", ")}`,
  }),
);
process.exitCode = wrong.length === 0 ? 0 : 1;
