import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/task-file-existence-check");
