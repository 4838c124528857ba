import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/prompt-hash-index");
