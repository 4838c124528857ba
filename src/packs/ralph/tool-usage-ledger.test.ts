import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/tool-usage-ledger");
