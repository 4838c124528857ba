import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("pipeline/effort-warning");
