import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { logHookError } from "./_hook-errors.ts";

export default defineRule({
  summary: "Denies destructive commands in a Ralph workspace, whatever they are aimed at.",
  why: "A session must be recoverable at every step; these commands leave nothing to recover.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p1": {} },
  on: { events: beforeTool, actions: ["exec"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 11,
    title: "Destructive Command Denylist",
    tier: "P1",
    lifecycle: "PreTool",
    serves: "scope",
  },
  messages: {
    denied: {
      what: "`{command}` is on the denylist ({entry}).",
      instead: "Use a command that can be undone, or ask the user.",
    },
  },
  examples: {
    catches: [
      { shell: "rm -rf build" },
      { shell: "rm -r -f x" },
      { shell: "rm --recursive --force x" },
      { shell: "git reset --hard" },
      { shell: "psql -c 'DROP TABLE users'" },
      { shell: "mkfs.ext4 /dev/sdb" },
      { shell: "format C:" },
    ],
    allows: [
      { shell: "npm run format" },
      { shell: "prettier --format=json ." },
      { shell: "rm old.txt" },
      { shell: "git reset --soft HEAD~1" },
      { shell: "grep -r 'DROP TABLE' migrations" },
      { shell: "echo 'rm -rf /'" },
    ],
  },
  onFailure: logHookError(11),
  *check({ event }) {
    for (const action of event.actions) {
      for (const run of action.kind === "exec" ? action.commands : []) {
        const entry = entryFor(run);
        if (entry !== undefined)
          yield {
            message: "denied",
            data: {
              command: [run.program, ...run.args.map((arg) => arg.text)].join(" ").slice(0, 80),
              entry,
            },
          };
      }
    }
  },
});

function entryFor(run: Run): string | undefined {
  const words = run.args.map((arg) => arg.text);
  const letters = words.filter((word) => /^-[a-zA-Z]+$/.test(word)).join("");
  const has = (short: string, long: string): boolean => letters.includes(short) || words.includes(long);
  switch (run.program) {
    case "rm":
      return (has("r", "--recursive") || letters.includes("R")) && has("f", "--force") ? "rm -rf" : undefined;
    case "format":
      return words.some((word) => /^[A-Za-z]:$/.test(word)) ? "format" : undefined;
    case "git":
      return words.includes("reset") && words.includes("--hard") ? "git reset --hard" : undefined;
    case "remove-item":
      return words.some((word) => /^-r/i.test(word)) && words.some((word) => /^-fo/i.test(word))
        ? "Remove-Item -Recurse -Force"
        : undefined;
    case "format-volume":
      return "format";
    default:
      if (/^mkfs(?:\.|$)/.test(run.program)) return "format";
      return isDatabase.test(run.program) &&
        /\bdrop\s+(?:table|database|schema)\b/i.test(
          [...words, run.stdin?.from === "text" ? run.stdin.text : ""].join(" "),
        )
        ? "DROP TABLE"
        : undefined;
  }
}

const isDatabase =
  /^(?:psql|mysql|mariadb|sqlite3|sqlcmd|cockroach|clickhouse-client|duckdb|bq|cqlsh|usql|pgcli|mycli)$/;
