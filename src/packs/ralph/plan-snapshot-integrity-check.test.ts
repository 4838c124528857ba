import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/plan-snapshot-integrity-check");
