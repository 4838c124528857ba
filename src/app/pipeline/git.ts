export interface GitRan {
  readonly ok: boolean;
  readonly out: string;
  /** What it said when it failed, in one line. */
  readonly trouble: string;
}

export type Git = (...args: readonly string[]) => Promise<GitRan>;

const patienceMs = 120_000;

/** What one of git's hooks has in its environment would lead it to the repository that hook is of. */
const nowhere = Object.fromEntries(
  ["DIR", "WORK_TREE", "INDEX_FILE", "COMMON_DIR", "OBJECT_DIRECTORY", "NAMESPACE", "PREFIX"].map((name) => [
    `GIT_${name}`,
    undefined,
  ]),
);

/** Git in a folder, by its own words and never by a shell; it asks nobody anything. */
export const gitIn =
  (folder: string, variables: Readonly<Record<string, string>> = {}): Git =>
  async (...args) => {
    const child = Bun.spawn(["git", ...args], {
      cwd: folder,
      env: {
        ...process.env,
        ...nowhere,
        GIT_TERMINAL_PROMPT: "0",
        GIT_EDITOR: "true",
        LC_ALL: "C",
        ...variables,
      },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
      timeout: patienceMs,
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    const lines = err.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("hint:"));
    const trouble = lines.join("; ").slice(0, 500) || `git ${args[0] ?? ""} ended with ${code}`;
    return { ok: code === 0, out: out.trim(), trouble };
  };
