// What a call costs that a server answers, next to the same call of the executable, as whoever waits for it sees it.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Command, interleave, median } from "./measure.ts";
import { benign, large, longCommand, outside } from "./payloads.ts";

export type WarmFigures = {
  calls: { name: string; cold: number; warm: number; ratio: number; coldMin: number; warmMin: number }[];
  /** Milliseconds until a server that was started answers. */
  start: number;
};

const target = 0.3;

export async function measureWarm(hookline: string, scratch: string, rounds: number): Promise<WarmFigures> {
  const client = join(dirname(hookline), "hookline-warm");
  if (!existsSync(client)) throw new Error("Nothing to measure: there was no C compiler for the client.");
  const folder = await mkdtemp(join(scratch, "warm-"));
  const [root, home] = [join(folder, "workspace"), join(folder, "home")];
  for (const place of [home, join(root, ".git")]) await mkdir(place, { recursive: true });
  await writeFile(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, CLAUDE_PROJECT_DIR: root };
  const began = performance.now();
  const server = Bun.spawn([hookline, "serve", "--hooks"], { cwd: "/", env, stdio: ["ignore", "ignore", 2] });
  try {
    const socket = join(home, ".local/state/hookline/warm/hooks.sock");
    while (!existsSync(socket) && server.exitCode === null) await Bun.sleep(1);
    const start = performance.now() - began;
    const well: Command["wrong"] = ({ exitCode }) => (exitCode ? "should end well" : undefined);
    const pairs = Object.entries({
      "benign Bash": benign,
      "denied Write": outside,
      "200 KB Write": large,
      "100 KB Bash": longCommand,
    });
    const commands = pairs.map(([name, say]) => {
      const common = { stdin: say(root), cwd: root, env, wrong: well };
      return {
        name,
        cold: { ...common, name: `${name}, cold`, command: [hookline, "run", "--host", "claude-code"] },
        warm: { ...common, name: `${name}, warm`, command: [client, "run", "--host", "claude-code"] },
      };
    });
    const samples = interleave(
      commands.flatMap(({ cold, warm }): Command[] => [cold, warm]),
      rounds,
    );
    const wallsOf = (command: Command) => (samples.get(command) ?? []).map(({ wall }) => wall);
    return {
      start,
      calls: commands.map(({ name, cold, warm }) => {
        const [slow, fast] = [wallsOf(cold), wallsOf(warm)];
        return {
          name,
          cold: median(slow),
          warm: median(fast),
          ratio: median(fast) / median(slow),
          coldMin: Math.min(...slow),
          warmMin: Math.min(...fast),
        };
      }),
    };
  } finally {
    server.kill("SIGTERM");
    await server.exited;
  }
}

export function warmText({ calls, start }: WarmFigures): string {
  const ms = (value: number) => `${value.toFixed(2)} ms`.padStart(11);
  const times = (value: number) => `${value.toFixed(2)}×`;
  const worst = calls.find(({ name }) => name.startsWith("benign"))?.ratio ?? Number.NaN;
  return [
    "",
    `${"the warm path, wall time".padEnd(28)}${["cold", "warm", "cold min", "warm min", "warm/cold"].map((head) => head.padStart(11)).join("")}`,
    ...calls.map(
      ({ name, cold, warm, coldMin, warmMin, ratio }) =>
        name.padEnd(28) + [cold, warm, coldMin, warmMin].map(ms).join("") + times(ratio).padStart(11),
    ),
    `a server answers ${ms(start).trim()} after its start`,
    `warm call: ${times(worst)} the cold one; the target of ≤ ${target}× ${worst <= target ? "holds" : "does not hold"}`,
  ].join("\n");
}
