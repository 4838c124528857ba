import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

describe("S0-R19 S0-C16 destructive commands are denied by what they are, not by the letters they contain", () => {
  ruleTester("ralph/destructive-command-denylist", {
    catches: [
      { shell: "rm -fr dist" },
      { shell: "sudo rm -Rf dist" },
      { shell: "bash -c 'rm -rf dist'" },
      { shell: "find . -name x -exec rm -rf {} +" },
      { shell: "git -C app reset --hard origin/main" },
      { shell: "sqlite3 a.db 'drop table t'" },
      { shell: "psql <<< 'DROP DATABASE shop'" },
    ],
    allows: [
      { shell: "rm -r build" },
      { shell: "rm -f build/a" },
      { shell: "cargo fmt && npm run format" },
      { shell: "git log --format=%H" },
      { shell: "git commit -m 'rm -rf and DROP TABLE are denied'" },
      { shell: "psql -c 'select 1'" },
    ],
  });
});
