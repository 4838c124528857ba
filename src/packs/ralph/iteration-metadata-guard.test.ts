import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/iteration-metadata-guard");
