import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export const executable = join(import.meta.dir, "../../dist/hookline");

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON. */
  json: () => any;
}

export interface Workspace {
  readonly root: string;
  readonly home: string;
  path(name: string): string;
  write(name: string, text: string): void;
  /** Runs the built executable in the workspace, with an environment of its own. */
  run(
    args: readonly string[],
    input?: string | Uint8Array | object,
    env?: Record<string, string>,
  ): Promise<Ran>;
  /** All decisions on record, wherever they went. */
  records(): Record<string, any>[];
  /** The workspace's ledger. */
  readonly ledger: string;
  [Symbol.dispose](): void;
}

/** A throw-away git repository and home, for driving the product as a user would. */
export function workspace(
  files: Readonly<Record<string, string>> = {},
  program: string = executable,
): Workspace {
  const base = mkdtempSync(join(tmpdir(), "hookline-test-"));
  const root = join(base, "workspace");
  const home = join(base, "home");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(home);
  const made: Workspace = {
    root,
    home,
    path: (name) => join(root, name),
    write(name, text) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    },
    async run(args, input = "", env = {}) {
      const data = typeof input === "string" || input instanceof Uint8Array ? input : JSON.stringify(input);
      const child = Bun.spawn([program, ...args], {
        cwd: root,
        env: { HOME: home, PATH: "/usr/bin:/bin", ...env },
        stdin: typeof data === "string" ? new TextEncoder().encode(data) : data,
        stdout: "pipe",
        stderr: "pipe",
      });
      const [stdout, stderr, exitCode] = await Promise.all([
        child.stdout.text(),
        child.stderr.text(),
        child.exited,
      ]);
      return { exitCode, stdout, stderr, json: () => JSON.parse(stdout) };
    },
    ledger: join(root, ".hookline/ledger"),
    records: () =>
      [
        ...ledgerLines(join(root, ".hookline/ledger")),
        ...ledgerLines(join(home, ".local/state/hookline")),
      ].filter((record) => record["kind"] === "decision"),
    [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }),
  };
  for (const [name, text] of Object.entries(files)) made.write(name, text);
  return made;
}

function ledgerLines(folder: string): Record<string, any>[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true }).map(String);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith(".jsonl"))
    .flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n").filter(Boolean))
    .map((line) => JSON.parse(line));
}

/** A Claude Code payload as that agent sends it. */
export const claude = (
  cwd: string,
  tool: string,
  input: object,
  event = "PreToolUse",
): Record<string, unknown> => ({
  session_id: "5f0c",
  transcript_path: "/nowhere/5f0c.jsonl",
  cwd,
  permission_mode: "default",
  hook_event_name: event,
  tool_name: tool,
  tool_input: input,
  tool_use_id: "toolu_01",
});
