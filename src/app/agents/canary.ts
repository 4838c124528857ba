import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lineFor } from "../../core/command-lines.ts";
import type { Answered, Checkup } from "../../core/checkup.ts";
import type { Env } from "../../platform/places.ts";
import { ourEntryAt, type Configuration, type Surveyed } from "./survey.ts";

/** What a call through the installed command line came to. */
export interface Sung {
  readonly scope: Configuration["scope"];
  readonly path: string;
  readonly line: string;
  /** What is wrong, if anything is. */
  readonly text?: string;
}

const dangerous = "rm -rf /";
const safe = "ls";
const limitMs = 10_000;

/**
 * Plays the host's own payload through the command line as it is configured, in the shell the host uses: a dangerous call must come back
 * refused and a safe one must not. All in a workspace of its own with the policy of this one, so that nothing of it is in anybody's record.
 */
export async function sing(agent: Surveyed, root: string, env: Env): Promise<Sung[]> {
  const { checkup, installed, id, install } = agent;
  if (!checkup) return [];
  const calls = installed.flatMap((each) => {
    const line = lineOf(each, checkup);
    return line === undefined ? [] : [{ ...each, line }];
  });
  if (calls.length === 0) return [];
  const cage = mkdtempSync(join(tmpdir(), "hookline-canary-"));
  try {
    const setting = prepare(cage, root, env);
    const event = install.namesEvent ? ["--event", checkup.canary.event] : [];
    const own = [process.execPath, "run", "--host", id, ...event];
    const ask = async (command: readonly string[], call: string): Promise<boolean | string> => {
      const answer = await play(command, JSON.stringify(checkup.canary.payload(call, setting.cwd)), setting);
      return typeof answer === "string" ? answer : checkup.canary.refuses(answer);
    };
    const expected = await ask(own, dangerous);
    return await Promise.all(
      calls.map(async ({ scope, file, line }) => {
        const command = line.program ? line.words : [...shellOf(install.shell, env), line.words.join(" ")];
        const [refused, passed] = await Promise.all([ask(command, dangerous), ask(command, safe)]);
        const text = judgement(refused, passed, expected === true);
        return {
          scope,
          path: file.path,
          line: line.words.join(" "),
          ...(text === undefined ? {} : { text }),
        };
      }),
    );
  } finally {
    rmSync(cage, { recursive: true, force: true });
  }
}

function judgement(
  refused: boolean | string,
  passed: boolean | string,
  isExpected: boolean,
): string | undefined {
  if (typeof refused === "string") return refused;
  if (typeof passed === "string") return passed;
  if (!refused && isExpected) return `\`${dangerous}\` was not refused, so the agent would run it`;
  if (passed) return `\`${safe}\` was refused, so the agent can do nothing`;
  return undefined;
}

/** The command line at the event before a tool; what the plugin file of a host starts has no shell. */
function lineOf(
  { file, text, config }: Configuration & { readonly config: Readonly<Record<string, unknown>> },
  { canary }: Checkup,
): { readonly words: readonly string[]; readonly program: boolean } | undefined {
  if (file.layout.kind === "program") {
    const executable = file.layout.executable(text);
    return executable === undefined
      ? undefined
      : { words: [executable, "run", "--host", "opencode", "--event", canary.event], program: true };
  }
  const entry = ourEntryAt(config, canary.event);
  const line = entry && lineFor(entry.handler, process.platform);
  return line === undefined ? undefined : { words: [line], program: false };
}

function shellOf(shell: readonly string[], env: Env): string[] {
  if (process.platform === "win32") return ["powershell", "-NoProfile", "-Command"];
  return shell.map((word) => (word === "$SHELL" ? env["SHELL"] || "/bin/sh" : word));
}

interface Setting {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** The variables by which hosts name the project, and those that say where our state lies. */
function prepare(cage: string, root: string, env: Env): Setting {
  const cwd = join(cage, "workspace");
  mkdirSync(join(cwd, ".git"), { recursive: true });
  writeFileSync(join(cwd, ".git/HEAD"), "ref: refs/heads/main\n");
  if (existsSync(join(root, "hookline.yaml")))
    writeFileSync(join(cwd, "hookline.yaml"), readFileSync(join(root, "hookline.yaml")));
  const projects = ["CLAUDE", "GEMINI", "QWEN", "CURSOR"].map(
    (name) => [`${name}_PROJECT_DIR`, cwd] as const,
  );
  const ours = {
    // Nowhere, for good: a server that hookline-warm starts for later calls would outlive this one.
    XDG_STATE_HOME: "/dev/null/hookline-canary",
    XDG_CACHE_HOME: join(cage, "cache"),
    LOCALAPPDATA: join(cage, "local"),
  };
  const kept = Object.entries(env).filter((each): each is [string, string] => each[1] !== undefined);
  return { cwd, env: { ...Object.fromEntries(kept), ...Object.fromEntries(projects), ...ours } };
}

/** One call; what it came to, or why there is no answer. */
async function play(
  command: readonly string[],
  payload: string,
  { cwd, env }: Setting,
): Promise<Answered | string> {
  try {
    const child = Bun.spawn([...command], {
      cwd,
      env,
      stdin: new TextEncoder().encode(payload),
      stdout: "pipe",
      stderr: "pipe",
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    const [stdout, stderr, exitCode] = await Promise.all([
      child.stdout.text(),
      child.stderr.text(),
      child.exited,
    ]);
    if (child.signalCode === "SIGKILL") return `it gave no answer within ${limitMs / 1000} seconds`;
    return { exitCode, stdout, stderr };
  } catch (error) {
    return `it could not be started (${error instanceof Error ? error.message : String(error)})`;
  }
}
