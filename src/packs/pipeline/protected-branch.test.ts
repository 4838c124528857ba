import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("pipeline/protected-branch");
