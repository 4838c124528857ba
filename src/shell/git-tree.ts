import type { Word } from "../core/command.ts";
import { applyOptions } from "./_patching.ts";
import type { GitCommand } from "./git-commands.ts";
import { gitOptions } from "./git-options.ts";

/** Behind the verb, nothing is done but to leave off or to tell. Elsewhere these may be the value of an option. */
const stays = new Set(["--quit", "--help", "-h"]);
const looks = ["--check", "--stat", "--numstat", "--summary"];
const creates = /^(?:-[a-zA-Z]*?[bcBC]|--create|--force-create|--orphan)(.*)$/;
/** What is there is given up for it, or chosen piece by piece. */
const gives = (word: string): boolean =>
  word.length > 2 && word.startsWith("--")
    ? giving.some((option) => option.startsWith(word.replace(/=.*/s, "")))
    : /^-[a-zA-Z]*[fmp23]$/.test(word);
const giving =
  "--force --discard-changes --merge --conflict --patch --ours --theirs --pathspec-from-file".split(" ");

/** Which commands of git put other files into the worktree, by their words. Adding one is adding a row. */
const changes: Readonly<Record<string, (words: readonly string[], args: readonly Word[]) => boolean>> = {
  am: () => true,
  apply: (_words, args) => {
    const { flags } = gitOptions(args, [], applyOptions);
    return flags.has("--apply") || ![...looks, "--cached"].some((flag) => flags.has(flag));
  },
  bisect: ([action = ""]) => !/^(?:log|view|visualize|terms|help|)$/.test(action),
  checkout: (words) => words.some(gives) || startsElsewhere(words),
  "checkout-index": () => true,
  "cherry-pick": () => true,
  clean: (_words, args) => {
    const { flags } = gitOptions(args, ["--dry-run"], ["-e", "--exclude"]);
    return !flags.has("-n") && !flags.has("--dry-run");
  },
  "filter-branch": () => true,
  // Without a place of its own, a patch goes into the folder one is in.
  "format-patch": (_words, args) => {
    const { flags } = gitOptions(args, ["--stdout"], formatTakes);
    return !["--stdout", "-o", "--output-directory", "--output"].some((flag) => flags.has(flag));
  },
  lfs: ([action = ""]) => /^(?:pull|checkout|migrate|merge-driver)$/.test(action),
  mailsplit: () => true,
  merge: () => true,
  "merge-file": (words) => !words.some((word) => /^(?:-[a-z]*p|--stdout)$/.test(word)),
  "merge-index": () => true,
  "merge-one-file": () => true,
  mergetool: () => true,
  p4: () => true,
  pull: ([first]) => first !== "--dry-run",
  quiltimport: () => true,
  "read-tree": (words) => words.some((word) => /^-[a-z]*u/.test(word)),
  rebase: () => true,
  rerere: ([action = ""]) => !/^(?:status|remaining|diff|gc|clear|forget)$/.test(action),
  restore: (words) => words.some(gives),
  revert: () => true,
  "sparse-checkout": ([action = ""]) => !/^(?:list|check-rules)$/.test(action),
  submodule: ([action = "", ...rest]) =>
    /^(?:add|update|deinit|absorbgitdirs|set-url|set-branch)$/.test(
      action.startsWith("-") ? (rest[0] ?? "") : action,
    ),
  subtree: ([action = ""]) => !/^(?:split|push)$/.test(action),
  svn: ([action = ""]) => /^(?:rebase|clone|dcommit|reset|mkdirs)$/.test(action),
  // Unlike a checkout it leaves nothing there.
  switch: (words) => words.some((word) => word.startsWith("--orp") || gives(word)) || startsElsewhere(words),
  "unpack-file": () => true,
};

const formatTakes = [
  "-o",
  "--output-directory",
  "--output",
  "--subject-prefix",
  "--suffix",
  "-v",
  "--reroll-count",
  "--start-number",
  "--in-reply-to",
  "--to",
  "--cc",
  "--add-header",
  "--signature",
  "--signature-file",
  "--base",
  "--interdiff",
  "--range-diff",
  "--creation-factor",
  "--cover-from-description",
];

/** Does a git command put other files into the worktree? A new branch from where one stands does not. */
export function changesTree({ verb, args }: GitCommand): boolean {
  const words = args.map(({ text }) => text);
  if (stays.has(words[0] ?? "")) return false;
  return (Object.hasOwn(changes, verb) && changes[verb]?.(words, args)) || false;
}

/** Is something else to be there than what is checked out, or than what lies in the worktree? */
function startsElsewhere(words: readonly string[]): boolean {
  const plain = words.filter((word) => word === "-" || !word.startsWith("-"));
  const creating = words.find((word) => creates.test(word));
  const isNamed = creating !== undefined && creates.exec(creating)?.[1] === "";
  const [start, ...files] = isNamed ? plain.slice(1) : plain;
  return files.length > 0 || (start !== undefined && start !== "HEAD" && start !== "@");
}
