// What it takes to install Hookline for every agent at once, to look whether all is well, and to take it back.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Command, median, sample } from "./measure.ts";

export type InstallFigures = { name: string; target: number; wall: number; cpu: number }[];

/** What tells of each agent. */
const signs = [
  "CLAUDE.md",
  ".github/copilot-instructions.md",
  ".codex/prompts/x.md",
  ".cursorrules",
  "GEMINI.md",
  "opencode.json",
  "QWEN.md",
  ".windsurfrules",
];

export async function measureInstall(
  hookline: string,
  scratch: string,
  rounds: number,
): Promise<InstallFigures> {
  const folder = await mkdtemp(join(scratch, "install-"));
  const [root, home] = [join(folder, "workspace"), join(folder, "home")];
  await mkdir(home);
  for (const sign of signs) {
    await mkdir(dirname(join(root, sign)), { recursive: true });
    await writeFile(join(root, sign), "");
  }
  if (Bun.spawnSync(["git", "init", "-q", root]).exitCode !== 0) throw new Error("git init failed");
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const step = (name: string, args: string[], target: number, wrong: Command["wrong"]) => ({
    target,
    command: { name, command: [hookline, ...args], stdin: "", cwd: root, env, wrong } satisfies Command,
  });
  const all: Command["wrong"] = ({ stdout, exitCode }) =>
    exitCode === 0 && stdout.split("✓").length > signs.length ? undefined : "should write a file an agent";
  const steps = [
    step("init, eight agents", ["init", "--yes"], 1000, all),
    step("init again", ["init"], 1000, ({ stdout }) =>
      stdout.includes("nothing to do") ? undefined : "should change nothing",
    ),
    // Nobody has told these agents to trust the folder, and that is all it may find.
    step("doctor, eight agents", ["doctor", "--json"], 3000, ({ stdout }) => {
      const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
      return findings.every(({ check }) => check === "agents-trust-us")
        ? undefined
        : "should find nothing else";
    }),
    step("uninstall", ["uninstall", "--yes"], 1000, all),
  ];
  const samples = steps.map(() => [] as { wall: number; cpu: number }[]);
  for (let round = 0; round < rounds; round++)
    for (const [at, { command }] of steps.entries()) samples[at]?.push(sample(command));
  return steps.map(({ command, target }, at) => ({
    name: command.name,
    target,
    wall: median((samples[at] ?? []).map(({ wall }) => wall)),
    cpu: median((samples[at] ?? []).map(({ cpu }) => cpu)),
  }));
}

export const installText = (figures: InstallFigures): string =>
  figures
    .map(
      ({ name, wall, cpu, target }) =>
        `${name.padEnd(22)} ${wall.toFixed(0).padStart(5)} ms, ${cpu.toFixed(0).padStart(4)} ms of CPU   ${wall <= target ? "within" : "ABOVE"} ${target} ms`,
    )
    .join("\n");
