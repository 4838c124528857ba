// What all parts of the soak share: where they try things, how often, and what came of it.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root as project } from "../runtime.ts";

export const short = process.argv.includes("--short");
export const hookline = join(project, "dist/hookline");
export const scratch = mkdtempSync(join(tmpdir(), "hookline-soak-"));
let failures = 0;
let checks = 0;

export function check(what: string, holds: boolean, detail: unknown = ""): void {
  checks++;
  if (holds) return;
  failures++;
  console.log(
    `  FAILED  ${what}  ${typeof detail === "string" ? detail : JSON.stringify(detail)}`.slice(0, 1000),
  );
}

export async function section(name: string, work: () => Promise<string>): Promise<void> {
  const [start, before] = [performance.now(), failures];
  const said = await work();
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${failures === before ? "ok    " : "FAILED"}  ${name}: ${said} (${seconds} s)`);
}

export interface Place {
  readonly root: string;
  readonly home: string;
  readonly ledger: string;
}

export function places(name: string): Place {
  const root = join(scratch, name, "workspace");
  return { root, home: join(scratch, name, "home"), ledger: join(root, ".hookline/ledger") };
}

export function place(name: string): Place {
  const { root, home, ledger } = places(name);
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(home);
  return { root, home, ledger };
}

export const payload = (root: string, command = "ls"): string =>
  JSON.stringify({
    session_id: "soak",
    transcript_path: "/nowhere",
    cwd: root,
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    tool_use_id: `t${Math.random()}`,
  });

export function run({ root, home }: Place, args: string[], stdin = "", program = hookline) {
  const ran = Bun.spawnSync([program, ...args], {
    cwd: root,
    env: { HOME: home, PATH: process.env["PATH"] ?? "" },
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  return { exitCode: ran.exitCode, stdout: ran.stdout.toString(), stderr: ran.stderr.toString() };
}

interface Verified {
  ok: boolean;
  ledgers: {
    records: number;
    torn: number;
    segments: number;
    flaws: { text: string; line?: number; from?: number; to?: number }[];
  }[];
}

export function verify(where: Place): Verified {
  const { stdout, stderr } = run(where, ["verify", "--json"]);
  try {
    return JSON.parse(stdout) as Verified;
  } catch {
    throw new Error(`verify said: ${stdout}${stderr}`);
  }
}

/** The names of the records that are whole: one that was torn by a kill was never acknowledged, and nobody finds it. */
export function namesIn(ledger: string): Map<string, number> {
  const names = new Map<string, number>();
  for (const file of readdirSync(ledger).filter((name) => name.endsWith(".jsonl"))) {
    const lines = readFileSync(join(ledger, file), "latin1").split("\n");
    for (const line of lines.filter(isWhole)) {
      const name = /"writer":"([^"]+)"/.exec(line)?.[1];
      if (name !== undefined) names.set(name, (names.get(name) ?? 0) + 1);
    }
  }
  return names;
}

const isWhole = (line: string): boolean => /,"link":"[0-9a-f]{64}"\}$/.test(line);

/** Says what held, keeps what is left of what did not, and gives the exit code. */
export function conclude(): number {
  console.log(`${checks - failures} passed, ${failures} failed`);
  if (failures > 0) {
    const kept = join(project, "dist/soak-failed");
    rmSync(kept, { recursive: true, force: true });
    cpSync(scratch, kept, { recursive: true });
    console.log(`What was left is in ${kept}`);
  }
  return failures > 0 ? 1 : 0;
}
