// Everything a change must satisfy besides its tests: `npm run check`, or `npm run check -- --fix` to let the
// formatter, the linter and the generators put right what they can.
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const fix = process.argv.includes("--fix");

type Check = { name: string; command: string[]; fixed?: string[] };

const bin = (name: string) => join(root, "node_modules/.bin", name);
const tool = (name: string) => [process.execPath, join(import.meta.dir, name)];

const checks: Check[] = [
  { name: "generated", command: [...tool("generate.ts"), "--check"], fixed: tool("generate.ts") },
  { name: "lock file", command: [...tool("lock.ts"), "--check"], fixed: tool("lock.ts") },
  {
    name: "lint",
    command: [bin("oxlint"), "--type-aware"],
    fixed: [bin("oxlint"), "--type-aware", "--fix"],
  },
  { name: "format", command: [bin("oxfmt"), "--list-different"], fixed: [bin("oxfmt")] },
  { name: "types", command: [bin("tsc"), "-p", "."] },
  { name: "dead code", command: [bin("knip"), "--no-progress", "--no-config-hints"] },
];

// One after the other when fixing, since each may change what the next one sees.
const results = fix ? [] : await Promise.all(checks.map(run));
for (const check of fix ? checks : []) results.push(await run(check));

for (const { name, ok, output } of results) {
  console.log(ok ? `ok    ${name}` : `FAIL  ${name}\n${output.trimEnd().replace(/^/gm, "      ")}`);
}
const failed = results.filter(({ ok }) => !ok).length;
console.log(failed === 0 ? "All checks passed." : `${failed} of ${results.length} checks failed.`);
process.exit(failed === 0 ? 0 : 1);

async function run({ name, command, fixed }: Check) {
  const child = Bun.spawn(fix && fixed ? fixed : command, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  const output = (await Promise.all([child.stdout.text(), child.stderr.text()])).join("");
  return { name, ok: (await child.exited) === 0, output };
}
