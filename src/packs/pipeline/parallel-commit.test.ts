import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("pipeline/parallel-commit");
