import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/determinism-checksum");
