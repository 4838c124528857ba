import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/session-instruction-presence-check");
