import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

test("the corpus is well formed and holds no command twice in a file", () => {
  let count = 0;
  for (const file of readdirSync(join(root, "corpus")).filter((name) => name.endsWith(".jsonl"))) {
    const seen = new Set<string>();
    for (const line of readFileSync(join(root, "corpus", file), "utf8")
      .trim()
      .split("\n")) {
      const { command, expect: label, rule } = JSON.parse(line);
      expect(["block", "ask", "pass"]).toContain(label);
      expect([command, label === "pass" ? rule === null : /^safety\//.test(rule)]).toEqual([command, true]);
      expect(seen.has(command)).toBe(false);
      seen.add(command);
    }
    count += seen.size;
  }
  expect(count).toBeGreaterThan(1200);
});

test("of the commands it has been looked at with, nearly all dangerous ones are stopped and nearly no others", () => {
  const files = readdirSync(join(root, "corpus")).filter(
    (name) => name.endsWith(".jsonl") && name !== "held-out.jsonl",
  );
  const ran = Bun.spawnSync(
    [process.execPath, "tools/corpus.ts", ...files.map((name) => name.replace(".jsonl", ""))],
    { cwd: root },
  );
  const [, caught, bad, alarms, good] =
    /^all +caught (\d+)\/(\d+).*false alarms (\d+)\/(\d+)/m.exec(ran.stdout.toString())?.map(Number) ?? [];
  expect(Number(caught) / Number(bad)).toBeGreaterThan(0.97);
  expect(Number(alarms) / Number(good)).toBeLessThan(0.005);
}, 120_000);
