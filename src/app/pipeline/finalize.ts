import { join } from "node:path";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import type { Pipeline } from "../../workflow/pipeline-state.ts";
import { gitIn, type Git } from "./git.ts";
import { hasText } from "./board.ts";

export interface Finalized {
  readonly done: boolean;
  /** Files that are in the last commit now and were not before, or not as they are. */
  readonly amended: readonly string[];
  readonly pushed: boolean;
  readonly branch?: string;
  /** Why it went no further; nothing when it is done. */
  readonly trouble?: string;
  readonly step?: "check" | "amend" | "push";
  readonly notes: readonly string[];
}

const protectedBranches = ["main", "master"];
const files = ["summary.md", "state.json"] as const;

/**
 * Puts summary and state into the last commit of the pipeline's branch and pushes it with a lease. Whatever was done before is
 * found done, so it can be called again after any failure; nothing is rolled back.
 */
export async function finalize(pipeline: Pipeline, root: string, world: World): Promise<Finalized> {
  const git = gitIn(pipeline.folder);
  const notes: string[] = [];
  const base = { done: false, amended: [], pushed: false, notes } as const;
  // A link may lead to another repository, which would be amended and pushed by force.
  if (!isInside(world.realPath(root), world.realPath(pipeline.folder)))
    return { ...base, step: "check", trouble: `${pipeline.folder} leads out of ${root}` };
  const branch = (await git("symbolic-ref", "--short", "-q", "HEAD")).out;
  const trouble = await whyNot(pipeline, branch, git, world);
  if (trouble !== undefined) return { ...base, step: "check", trouble };

  const wanted: string[] = [];
  for (const name of files) {
    // A file that git knows already is not ignored, whatever the patterns say.
    if ((await git("check-ignore", "-q", name)).ok)
      notes.push(`${name} is ignored by git and stays out of the commit`);
    else wanted.push(name);
  }
  const amended = await amend(wanted, git);
  if (typeof amended === "string") return { ...base, branch, step: "amend", trouble: amended };
  const pushed = await push(branch, git);
  if (typeof pushed === "string") return { ...base, amended, branch, step: "push", trouble: pushed };
  return { ...base, done: true, amended, branch, pushed };
}

/** Why the last commit must not be touched. */
async function whyNot(
  { folder, state }: Pipeline,
  branch: string,
  git: Git,
  world: World,
): Promise<string | undefined> {
  if (!hasText(folder, "summary.md", world)) return `${join(folder, "summary.md")} is missing or empty`;
  if (!(await git("rev-parse", "--git-dir")).ok) return `${folder} is in no git repository`;
  if (branch === "") return "no branch is checked out";
  if (protectedBranches.includes(branch)) return `${branch} is never amended or pushed by force`;
  const own = state["branch"];
  if (typeof own === "string" && own !== "" && own !== branch)
    return `the pipeline's branch is ${own}, and ${branch} is checked out`;
  // The last commit may be the one the branch began with: that is somebody else's.
  const refs = await git("for-each-ref", "--format=%(refname)", "--contains", "HEAD");
  if (!refs.ok) return `the last commit cannot be looked at: ${refs.trouble}`;
  const shared = refs.out
    .split("\n")
    .find((ref) =>
      protectedBranches.some((name) => new RegExp(`^refs/(?:heads|remotes/[^/]+)/${name}$`).test(ref)),
    );
  return shared === undefined
    ? undefined
    : `the last commit is part of ${shared}; the branch has none of its own`;
}

/** The names of the files that had to be put into the commit, or what went wrong. */
async function amend(wanted: readonly string[], git: Git): Promise<readonly string[] | string> {
  const dirty: string[] = [];
  for (const name of wanted) {
    const changed = await git("status", "--porcelain", "--untracked-files=all", "--", name);
    if (!changed.ok) return changed.trouble;
    if (changed.out !== "") dirty.push(name);
  }
  if (dirty.length === 0) return [];
  const added = await git("add", "-f", "--", ...dirty);
  if (!added.ok) return added.trouble;
  // These files alone: what else is staged is not ours to commit.
  const done = await git("commit", "--amend", "--no-edit", "--only", "--", ...dirty);
  return done.ok ? dirty : done.trouble;
}

/** Was there something to push? A text is what went wrong. */
async function push(branch: string, git: Git): Promise<boolean | string> {
  const remote = await remoteOf(branch, git);
  if (remote === undefined) return "there is no remote to push to";
  const known = await git("rev-parse", "-q", "--verify", `refs/remotes/${remote}/${branch}`);
  const head = await git("rev-parse", "HEAD");
  if (known.ok && known.out === head.out) return false;
  // By name and not by what the branch follows: one that began at main may follow main. The lease holds only while the remote is
  // what was last seen, and what was seen must have been part of this branch once. A branch nobody has pushed needs no force.
  const force = known.ok ? [`--force-with-lease=${branch}`, "--force-if-includes"] : [];
  const done = await git("push", ...force, remote, `refs/heads/${branch}:refs/heads/${branch}`);
  return done.ok ? true : done.trouble;
}

async function remoteOf(branch: string, git: Git): Promise<string | undefined> {
  const remotes = (await git("remote")).out.split("\n").filter(Boolean);
  for (const key of [`branch.${branch}.pushRemote`, "remote.pushDefault", `branch.${branch}.remote`]) {
    const { out } = await git("config", "--get", key);
    if (remotes.includes(out)) return out;
  }
  return remotes.includes("origin") ? "origin" : remotes[0];
}
