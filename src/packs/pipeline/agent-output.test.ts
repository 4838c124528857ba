import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("pipeline/agent-output");
