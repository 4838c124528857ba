import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/prompt-size-guard");
