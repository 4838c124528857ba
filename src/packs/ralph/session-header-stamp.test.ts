import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/session-header-stamp");
