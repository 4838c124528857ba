import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/policy-version-stamp");
