import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("ralph/manual-edit-checklist");
