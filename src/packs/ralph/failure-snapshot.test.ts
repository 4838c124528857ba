import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

describe("S0-R31 a failure leaves a copy of the session", () => {
  ruleTester("ralph/failure-snapshot");
});
