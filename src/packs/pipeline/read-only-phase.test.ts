import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("pipeline/read-only-phase");
