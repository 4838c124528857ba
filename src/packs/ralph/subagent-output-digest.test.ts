import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/subagent-output-digest");
