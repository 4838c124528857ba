import { join } from "node:path";
import { workspace, type Workspace } from "./hookline.ts";

export interface Repository extends Workspace {
  readonly remote: string;
  git(...args: string[]): string;
}

/** Git in some folder, with nobody's settings but the workspace's. */
export const gitIn =
  ({ home }: Workspace, cwd: string) =>
  (...args: string[]): string => {
    const ran = Bun.spawnSync(["git", ...args], { cwd, env: { HOME: home, PATH: "/usr/bin:/bin" } });
    if (!ran.success) throw new Error(`git ${args.join(" ")}: ${ran.stderr.toString()}`);
    return ran.stdout.toString().trim();
  };

/** A real repository without a commit yet, and a bare one as its remote. */
export function emptyRepository(files: Readonly<Record<string, string>> = {}): Repository {
  const ws = workspace(files);
  const remote = join(ws.home, "remote.git");
  const git = gitIn(ws, ws.root);
  Bun.spawnSync(["git", "init", "-q", "--bare", remote]);
  git("init", "-q", "-b", "main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@b.c");
  git("remote", "add", "origin", remote);
  return Object.assign(ws, { remote, git });
}

/** The same with everything committed to main and pushed. */
export function repository(files: Readonly<Record<string, string>> = {}): Repository {
  const ws = emptyRepository(files);
  ws.write(".gitignore", ".hookline/\n");
  ws.git("add", ".");
  ws.git("commit", "-qm", "first");
  ws.git("push", "-q", "-u", "origin", "main");
  return ws;
}
