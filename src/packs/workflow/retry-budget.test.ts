import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("workflow/retry-budget");
