// What a ledger of a million records costs: indexing, queries, and the call of an agent beside an empty one.
//
//   npm run bench:ledger                     a million records, 40 rounds
//   npm run bench:ledger -- --records 50000
//   npm run bench:ledger -- --json
//
// Exits 1 when a command fails, and 0 whatever the figures are.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillLedger } from "./bench/fill-ledger.ts";
import { type Command, interleave, median, sample, type Sample } from "./bench/measure.ts";
import { benign } from "./bench/payloads.ts";
import { compile } from "./build.ts";
import { root as project } from "./runtime.ts";

const { values: flags } = parseArgs({
  options: { records: { type: "string" }, rounds: { type: "string" }, json: { type: "boolean" } },
});
const records = Number(flags.records ?? 1_000_000);
const rounds = Number(flags.rounds ?? 40);
const hookline = join(project, "dist/hookline");
const echo = join(project, "dist/bench/echo");
const scratch = mkdtempSync(join(tmpdir(), "hookline-bench-ledger-"));

try {
  await compile("tools/bench/echo.ts", echo);
  const [large, empty] = [place("large"), place("empty")];
  const filled = await fillLedger(large.root, large.env, records);
  const indexing = sample(command("first query", large, ["log", "--limit", "1"]));
  const figures = {
    records,
    megabytes: Math.round(filled.bytes / 1e6),
    indexing,
    verifying: sample(command("verify", large, ["verify"])),
    queries: queries(large),
    calls: calls(large, empty),
    appending: await appends(large, empty),
  };
  console.log(flags.json ? JSON.stringify(figures) : asText(figures));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

interface Place {
  readonly root: string;
  readonly env: Record<string, string>;
}

function place(name: string): Place {
  const root = join(scratch, name, "workspace");
  const home = join(scratch, name, "home");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(home);
  return { root, env: { PATH: process.env["PATH"] ?? "", HOME: home, CLAUDE_PROJECT_DIR: root } };
}

function command(name: string, { root, env }: Place, args: string[], stdin = ""): Command {
  const wrong: Command["wrong"] = ({ exitCode }) => (exitCode === 0 ? undefined : "failed");
  return { name, command: [hookline, ...args], cwd: root, env, stdin, wrong };
}

function queries(where: Place): Record<string, Sample> {
  const asked: Record<string, string[]> = {
    "the latest 50": ["log"],
    "a session": ["log", "--session", "session-1234"],
    "a tool, blocked": ["log", "--tool", "Bash", "--outcome", "block"],
    "a rule": ["log", "--rule", "safety/git-history"],
    "a rare rule": ["log", "--rule", "safety/database"],
    "an hour of long ago": ["log", "--since", "2026-02-01T10:00:00Z", "--until", "2026-02-01T11:00:00Z"],
    "a file": ["log", "--path", "src/part17/file3.ts"],
    "a folder": ["log", "--path", "src"],
    "a pattern": ["log", "--path", "src/part2?/*3.ts"],
    "a word": ["log", "--text", "push"],
    "rare words": ["log", "--text", "unusual thing"],
    "a subagent": ["log", "--agent", "reviewer"],
    "a host, asked": ["log", "--host", "copilot", "--outcome", "ask"],
    stats: ["stats"],
    "stats of a week": ["stats", "--since", "7d"],
    "stats of a host": ["stats", "--since", "100d", "--until", "3d", "--host", "copilot"],
  };
  const commands = Object.entries(asked).map(([name, args]) => command(name, where, [...args, "--json"]));
  const samples = interleave(commands, 7);
  return Object.fromEntries(
    [...samples].map(([{ name }, all]) => [
      name,
      { wall: median(all.map(({ wall }) => wall)), cpu: median(all.map(({ cpu }) => cpu)) },
    ]),
  );
}

/** What adding a record takes in a process that is warm, in milliseconds of CPU, by turns and neither always first. */
async function appends(large: Place, empty: Place): Promise<{ large: number; empty: number }> {
  const { appendRecord } = await import("../src/ledger/append.ts");
  const { bareRecord } = await import("../src/ledger/record.ts");
  const some = async ({ root, env }: Place): Promise<number> => {
    const filler = "x".repeat(1500);
    const start = process.cpuUsage();
    for (let at = 0; at < 50; at++) await appendRecord(root, bareRecord({ filler }), env);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000 / 50;
  };
  const times = { large: [] as number[], empty: [] as number[] };
  for (let round = 0; round < 40; round++) {
    if (round % 2 === 0) times.large.push(await some(large));
    times.empty.push(await some(empty));
    if (round % 2 === 1) times.large.push(await some(large));
  }
  return { large: median(times.large), empty: median(times.empty) };
}

/** The call of an agent, with a ledger that is large and one that is empty, in one interleaved run. */
function calls(large: Place, empty: Place): Record<string, number> {
  const run = (name: string, where: Place, event = "PreToolUse"): Command =>
    command(name, where, ["run"], benign(where.root).replace("PreToolUse", event));
  const least: Command = { ...run("echo", empty), command: [echo] };
  const samples = interleave(
    [
      least,
      run("large", large),
      run("empty", empty),
      run("large, after", large, "PostToolUse"),
      run("empty, after", empty, "PostToolUse"),
      run("large, prompt", large, "UserPromptSubmit"),
      run("empty, prompt", empty, "UserPromptSubmit"),
    ],
    rounds,
  );
  const cpu = Object.fromEntries(
    [...samples].map(([{ name }, all]) => [name, median(all.map((one) => one.cpu))]),
  );
  const of = (name: string): number => cpu[name] ?? Number.NaN;
  return { ...cpu, "large/echo": of("large") / of("echo") };
}

interface Figures {
  readonly megabytes: number;
  readonly indexing: Sample;
  readonly verifying: Sample;
  readonly queries: Readonly<Record<string, Sample>>;
  readonly calls: Readonly<Record<string, number>>;
  readonly appending: { readonly large: number; readonly empty: number };
}

function asText({
  megabytes,
  indexing,
  verifying,
  queries: asked,
  calls: called,
  appending,
}: Figures): string {
  const ms = (value = Number.NaN): string => `${value.toFixed(1)} ms`;
  const row = (name: string, { wall, cpu }: Sample): string =>
    `${name.padEnd(24)}${ms(wall).padStart(12)}${ms(cpu).padStart(12)}`;
  const call = (what: string, behind: string): string => {
    const [large = 0, empty = 0] = [called[`large${behind}`], called[`empty${behind}`]];
    return `${what}, CPU: ${ms(large)} with this ledger, ${ms(empty)} with an empty one (${((large / empty) * 100 - 100).toFixed(1)} % more)`;
  };
  return [
    `${records} records, ${megabytes} MB; indexed in ${(indexing.wall / 1000).toFixed(1)} s (${(indexing.cpu / 1000).toFixed(1)} s CPU); ` +
      `verified in ${(verifying.wall / 1000).toFixed(1)} s (${(verifying.cpu / 1000).toFixed(1)} s CPU, ${Math.round(megabytes / (verifying.cpu / 1000))} MB a second)`,
    "",
    `${"query".padEnd(24)}${"wall".padStart(12)}${"CPU".padStart(12)}`,
    ...Object.entries(asked).map(([name, times]) => row(name, times)),
    "",
    `${call("a call", "")}; ${(called["large/echo"] ?? 0).toFixed(2)}× the echo program`,
    call("a call after a tool", ", after"),
    call("a call at a prompt", ", prompt"),
    `a record more, CPU: ${appending.large.toFixed(3)} ms, ${appending.empty.toFixed(3)} ms with an empty one`,
  ].join("\n");
}
