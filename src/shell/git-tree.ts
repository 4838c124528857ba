import type { GitCommand } from "./git-commands.ts";

const moves = new Set("am apply cherry-pick merge pull rebase revert".split(" "));
const stays = new Set(["--abort", "--quit", "--check", "--stat", "--cached", "--dry-run", "--help", "-h"]);
const creates = /^(?:-[a-zA-Z]*[bcBC].*|--create|--force-create|--orphan)$/;

/** Does a git command put other files into the worktree? A new branch from where one stands does not. */
export function changesTree({ verb, args }: GitCommand): boolean {
  const words = args.map(({ text }) => text);
  if (words.some((word) => stays.has(word))) return false;
  if (moves.has(verb)) return true;
  if (verb !== "checkout" && verb !== "switch") return false;
  const rest = words.filter((word) => word === "-" || !word.startsWith("-"));
  const from = words.some((word) => creates.test(word)) ? rest.slice(1) : rest;
  return from.length > 0 && from[0] !== "HEAD";
}
