import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/session-id-sanitization-audit");
