import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

describe("S0-R20 edits that resolve outside the workspace root are rejected", () => {
  ruleTester("ralph/workspace-boundary-guard", {
    catches: [
      { write: "/etc/hosts", text: "" },
      { delete: "~/notes.md" },
      { shell: "cp a ../b" },
      { write: "/tmp/elsewhere.txt", text: "" },
    ],
    allows: [{ write: "new/deep/file.ts", text: "" }, { read: "/etc/hosts" }, { shell: "ls .." }],
  });
});
