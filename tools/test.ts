// Builds the executable and runs the tests: `npm test`, `npm test -- src/core`, `npm test -- -t "name"`.
// The last line says `N passed, N failed` and nothing else.
import { existsSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const env = { ...process.env, ...(process.stderr.isTTY && { FORCE_COLOR: "1" }) };

const build = Bun.spawn([process.execPath, "tools/build.ts"], {
  cwd: root,
  stdio: ["ignore", "inherit", "inherit"],
});
if ((await build.exited) !== 0) finish(0, 1);

// Bun takes "./src" for a folder, but "src" for a part of a name.
const args = process.argv.slice(2).map((arg) => (existsSync(join(root, arg)) ? `./${arg}` : arg));
const options = ["-t", "--test-name-pattern"];
const isName = (arg: string, at: number): boolean =>
  !arg.startsWith("-") && !options.includes(args[at - 1] ?? "");
const paths = args.some(isName) ? [] : ["./src", "./test"];
const tests = Bun.spawn([process.execPath, "test", "--timeout=20000", ...paths, ...args], {
  cwd: root,
  env,
  stdio: ["ignore", "inherit", "pipe"],
});
let tail = "";
const decoder = new TextDecoder();
for await (const chunk of tests.stderr) {
  process.stderr.write(chunk);
  tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4000);
}
const exitCode = await tests.exited;
const summary = Bun.stripANSI(tail);
const passed = count("pass");
// A run that ends badly without a failed test, for example by a signal, has failed all the same.
finish(passed, count("fail") || (exitCode === 0 ? 0 : 1));

function count(word: "pass" | "fail"): number {
  return Number(new RegExp(`^ *(\\d+) ${word}$`, "m").exec(summary)?.[1] ?? 0);
}

function finish(passed: number, failed: number): never {
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(passed > 0 && failed === 0 ? 0 : 1);
}
