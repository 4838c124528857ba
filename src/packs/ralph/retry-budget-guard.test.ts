import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

describe("S0-R30 a call that fails too often is not tried again", () => {
  ruleTester("ralph/retry-budget-guard");
});
