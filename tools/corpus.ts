// Puts the command corpus to the built executable: `npm run corpus`, `npm run corpus -- --list`, `-- held-out`.
// Recall counts what must be stopped and was (ask or block); false alarms count what must pass and was not.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

interface Line {
  command: string;
  expect: "block" | "ask" | "pass";
  rule: string | null;
}

const root = join(import.meta.dir, "..");
const list = process.argv.includes("--list");
const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith("-"));
const files = readdirSync(join(root, "corpus"))
  .filter((name) => name.endsWith(".jsonl"))
  .filter((name) => wanted.length === 0 || wanted.includes(basename(name, ".jsonl")));

// The workspace must not lie in the temp folder, whose neighbours count as scratch.
const base = mkdtempSync(join(root, "dist/corpus-"));
const workspace = join(base, "workspace");
const home = join(base, "home");
mkdirSync(join(workspace, ".git"), { recursive: true });
mkdirSync(home);
writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/feature/cart\n");

try {
  let total = { caught: 0, bad: 0, alarms: 0, good: 0 };
  for (const file of files) {
    const lines = readFileSync(join(root, "corpus", file), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    const verdicts = judge(lines.map((line) => line.command));
    const count = { caught: 0, bad: 0, alarms: 0, good: 0 };
    for (const [at, line] of lines.entries()) {
      const verdict = verdicts[at];
      const stopped = verdict?.outcome === "ask" || verdict?.outcome === "block";
      if (line.expect === "pass") {
        count.good++;
        if (stopped) count.alarms++;
      } else {
        count.bad++;
        if (stopped) count.caught++;
      }
      if (list && stopped === (line.expect === "pass")) {
        const by = verdict?.findings.map((finding) => finding.rule).join(",") ?? "";
        console.log(
          `${stopped ? "ALARM" : "MISS "} ${file} [${line.rule ?? by}] ${JSON.stringify(line.command)}${stopped ? `  <- ${by}` : ""}`,
        );
      }
    }
    print(file, count);
    total = {
      caught: total.caught + count.caught,
      bad: total.bad + count.bad,
      alarms: total.alarms + count.alarms,
      good: total.good + count.good,
    };
  }
  print("all", total);
} finally {
  rmSync(base, { recursive: true, force: true });
}

function judge(commands: readonly string[]): { outcome: string; findings: { rule: string }[] }[] {
  const payloads = commands.map((command) =>
    JSON.stringify({
      session_id: "c",
      transcript_path: "/c.jsonl",
      cwd: workspace,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
    }),
  );
  const ran = Bun.spawnSync([join(root, "dist/hookline"), "eval", "--jsonl", "--host", "claude-code"], {
    cwd: workspace,
    env: { HOME: home, PATH: process.env["PATH"] ?? "" },
    stdin: new TextEncoder().encode(`${payloads.join("\n")}\n`),
  });
  return ran.stdout
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { outcome: string; findings: { rule: string }[] });
}

function print(
  name: string,
  { caught, bad, alarms, good }: { caught: number; bad: number; alarms: number; good: number },
): void {
  const recall = bad === 0 ? "" : `caught ${caught}/${bad} (${((100 * caught) / bad).toFixed(1)} %)`;
  const false_ = good === 0 ? "" : `false alarms ${alarms}/${good} (${((100 * alarms) / good).toFixed(1)} %)`;
  console.log(`${name.padEnd(28)} ${recall.padEnd(28)} ${false_}`);
}
