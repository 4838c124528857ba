import type { GitCommand } from "./git-commands.ts";

const stays = new Set(["--abort", "--quit", "--help", "-h"]);
const looks = new Set(["--check", "--stat", "--numstat", "--summary"]);
const creates = /^(?:-[a-zA-Z]*?[bcBC]|--create|--force-create|--orphan)(.*)$/;

/** Which commands of git put other files into the worktree, by their words. Adding one is adding a row. */
const changes: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  am: () => true,
  apply: (words) =>
    words.includes("--apply") || !words.some((word) => looks.has(word) || word === "--cached"),
  bisect: ([action = ""]) => !/^(?:log|view|visualize|terms|help|)$/.test(action),
  checkout: (words) => startsElsewhere(words),
  "checkout-index": () => true,
  "cherry-pick": unlessDry,
  "filter-branch": () => true,
  // Without a place of its own, a patch goes into the folder one is in.
  "format-patch": (words) => !words.some((word) => /^(?:--stdout|-o.*|--output.*)$/.test(word)),
  lfs: ([action = ""]) => /^(?:pull|checkout|migrate|merge-driver)$/.test(action),
  mailsplit: () => true,
  merge: unlessDry,
  "merge-file": (words) => !words.some((word) => /^(?:-[a-z]*p|--stdout)$/.test(word)),
  "merge-index": () => true,
  "merge-one-file": () => true,
  mergetool: () => true,
  p4: () => true,
  pull: unlessDry,
  quiltimport: () => true,
  "read-tree": (words) => words.some((word) => /^-[a-z]*u/.test(word)),
  rebase: () => true,
  rerere: ([action = ""]) => !/^(?:status|remaining|diff|gc|clear|forget)$/.test(action),
  revert: () => true,
  "sparse-checkout": ([action = ""]) => !/^(?:list|check-rules)$/.test(action),
  submodule: ([action = "", ...rest]) =>
    /^(?:add|update|deinit|absorbgitdirs|set-url|set-branch)$/.test(
      action.startsWith("-") ? (rest[0] ?? "") : action,
    ),
  subtree: ([action = ""]) => !/^(?:split|push)$/.test(action),
  svn: ([action = ""]) => /^(?:rebase|clone|dcommit|reset|mkdirs)$/.test(action),
  // Unlike a checkout it leaves nothing there.
  switch: (words) => words.some((word) => word.startsWith("--orphan")) || startsElsewhere(words),
  "unpack-file": () => true,
};

/** Does a git command put other files into the worktree? A new branch from where one stands does not. */
export function changesTree({ verb, args }: GitCommand): boolean {
  const words = args.map(({ text }) => text);
  if (words.some((word) => stays.has(word))) return false;
  return (Object.hasOwn(changes, verb) && changes[verb]?.(words)) || false;
}

function unlessDry(words: readonly string[]): boolean {
  return !words.includes("--dry-run");
}

/** Is something else to be there than what is checked out? */
function startsElsewhere(words: readonly string[]): boolean {
  const plain = words.filter((word) => word === "-" || !word.startsWith("-"));
  const creating = words.find((word) => creates.test(word));
  const isNamed = creating !== undefined && creates.exec(creating)?.[1] === "";
  const [start] = isNamed ? plain.slice(1) : plain;
  return start !== undefined && start !== "HEAD" && start !== "@";
}
