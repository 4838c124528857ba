import { isOneOf } from "../../core/one-of.ts";
import { resolve } from "node:path";
import type { Run, Word } from "../../core/command.ts";
import type { Outcome } from "../../core/outcome.ts";
import { gitVerb } from "../../shell/programs.ts";
import { asksForHelp, hasFlag, plainWords } from "./_runs.ts";

export interface GitLoss {
  readonly what: string;
  readonly outcome: Outcome;
  readonly instead: string;
}

export const look = "Look at `git status` and `git diff` first, or put the work aside with `git stash`.";
const ask = "Ask the user to do it.";

/** The folder a git command is told to work in. */
export function folderOf(run: Run): string | undefined {
  const { folder } = gitVerb(run);
  return folder === undefined || run.cwd === undefined ? undefined : resolve(run.cwd, folder);
}

function verbOf(run: Run): ReturnType<typeof gitVerb> {
  if (run.program === "git") return gitVerb(run);
  if (run.program === "bfg" || run.args.some((arg) => /bfg[\w.-]*\.jar$/.test(arg.text)))
    return { verb: "filter-repo", args: run.args };
  return { verb: run.program.replace(/^git-/, ""), args: run.args };
}

/** The same of other systems that keep versions. Adding one is adding a row. */
const others: Readonly<Record<string, RegExp>> = {
  hg: /^(?:strip|purge|rollback|histedit|revert .*(?:--all|-a\b|\.$)|(?:update|up|checkout|co) .*(?:-C|--clean)\b|clean\b|push .*(?:-f|--force)\b)/,
  svn: /^(?:revert .*(?:-R|--recursive|--depth[= ]infinity)|cleanup .*--remove-|delete \w+:\/\/|rm \w+:\/\/)/,
  jj: /^(?:abandon|restore\b(?!.*--interactive)|op(?:eration)? (?:restore|abandon)|git push .*(?:--deleted|--all)|util gc)/,
  bzr: /^(?:revert|uncommit|clean-tree .*--force)/,
  p4: /^(?:revert (?!-n)|obliterate .*-y|clean\b(?!.*-n))/,
  fossil: /^(?:revert|clean .*(?:-f|--force)|purge)/,
  sl: /^(?:hide|purge|goto .*(?:-C|--clean)|revert .*--all)/,
};

/** What another system that keeps versions would throw away. */
export function otherLoss(run: Run): GitLoss | undefined {
  const pattern = Object.hasOwn(others, run.program) ? others[run.program] : undefined;
  const text = run.args.map((arg) => arg.text).join(" ");
  return pattern?.test(text) && !/(?:^| )(?:-n|--dry-run|--help)(?: |$)/.test(text)
    ? { what: "throws away work or history", instead: ask, outcome: "ask" }
    : undefined;
}

/** What a git command would throw away or rewrite, if anything. */
export function gitLoss(
  run: Run,
  branch: string | undefined,
  isProtected: (branch: string) => boolean,
  isFile: (word: string) => boolean,
): GitLoss | undefined {
  const { verb, args } = verbOf(run);
  const words = args.map((arg) => arg.text);
  if (asksForHelp(words)) return undefined;
  const rest = plainWords(words);
  const loss = (what: string, instead = look, outcome: Outcome = "block"): GitLoss => ({
    what,
    instead,
    outcome,
  });
  switch (verb) {
    case "reset":
      if (words.some((word) => word.length > 4 && "--hard".startsWith(word)) || words.includes("--merge"))
        return loss("throws away every change that is not committed");
      return mayBeMode(args)
        ? loss("may throw away every change that is not committed", look, "ask")
        : undefined;
    case "clean": {
      if (hasFlag(words, "-n", "--dry-run")) return undefined;
      // It asks, unless somebody has answered already.
      const isForced = hasFlag(words, "-i", "--interactive")
        ? run.stdin !== undefined
        : hasFlag(words, "-f", "--force") ||
          words.some((word) => word.length > 4 && "--force".startsWith(word)) ||
          run.args.some((arg) => /^clean\.requireforce=(?:false|no|off|0)$/i.test(arg.text));
      return isForced ? loss("deletes files that were never committed") : undefined;
    }
    case "checkout":
      return checkout(words, rest, loss, isFile);
    case "symbolic-ref":
      return hasFlag(words, "-d", "--delete") ? loss("deletes a reference", ask) : undefined;
    case "switch":
      if (words.includes("-C") || words.includes("--force-create"))
        return loss("moves a branch away from its commits", ask, "ask");
      return hasFlag(words, "-f", "--force", "--discard-changes")
        ? loss("throws away every change that is not committed")
        : undefined;
    case "restore":
      if (hasFlag(words, "-S", "--staged") && !hasFlag(words, "-W", "--worktree")) return undefined;
      if (rest.length === 0 && !words.includes(":/")) return undefined;
      // It shows each change and asks.
      return hasFlag(words, "-p", "--patch") && !run.stdin ? undefined : discard(rest, loss);
    case "stash":
      return rest[0] === "drop" || rest[0] === "clear" ? loss("throws away stashed work", ask) : undefined;
    case "branch":
      if (
        words.some((word) => /^-[a-zA-Z]*D/.test(word)) ||
        (hasFlag(words, "-d", "--delete") && hasFlag(words, "-f", "--force"))
      )
        return loss(
          "deletes a branch that may not be merged",
          "Use `git branch -d`, which refuses to lose commits, or ask the user.",
          "ask",
        );
      return hasFlag(words, "-f", "--force") &&
        isProtected(rest[0] ?? "") &&
        !words.some((word) => /^-\w*[mM]/.test(word))
        ? loss("moves a branch away from its commits", ask, "ask")
        : undefined;
    case "push":
      return push(words, rest, branch, isProtected, loss);
    case "fast-import":
      return hasFlag(words, "-f", "--force")
        ? loss("moves branches away from their commits", ask, "ask")
        : undefined;
    case "svn":
      return rest[0] === "reset" ? loss("forgets commits that were fetched", ask, "ask") : undefined;
    case "annex":
      return isOneOf(rest[0] ?? "", "drop dropunused unused") && hasFlag(words, "-f", "--force")
        ? loss("removes files that may be nowhere else", ask, "ask")
        : undefined;
    case "show":
    case "cat-file":
      // `git show HEAD:a.ts > a.ts` is another way to check a file out.
      return run.redirects.some(
        ({ mode, target }) =>
          mode === "write" &&
          rest.some(
            (word) =>
              word.replace(/^[^:]*:(?:\.\/)?/, "") === target.text.replace(/^\.\//, "") && word.includes(":"),
          ),
      )
        ? loss("throws away the changes to a file", look, "ask")
        : undefined;
    case "fetch":
      return rest.some((word) => {
        const [, sign, to] = /^(\+?)[^:]*:(?!refs\/remotes\/)(.+)$/.exec(word) ?? [];
        return (
          to !== undefined &&
          (sign === "+" || hasFlag(words, "-f", "--force")) &&
          isProtected(to.replace(/^refs\/heads\//, ""))
        );
      })
        ? loss("moves a branch away from its commits", ask, "ask")
        : undefined;
    case "update-ref":
      if (
        rest.length > 1 &&
        isProtected((rest[0] ?? "").replace(/^refs\/heads\//, "")) &&
        !hasFlag(words, "-d", "--delete")
      )
        return loss("moves a branch away from its commits", ask, "ask");
      return hasFlag(words, "-d", "--delete", "--stdin")
        ? loss("deletes a reference and with it the way to its commits", ask)
        : undefined;
    case "reflog":
      return rest[0] === "expire" || rest[0] === "delete"
        ? loss("removes the record that lost commits are found by", ask)
        : undefined;
    case "gc":
      return words.some((word) => /^--prune=(?:now|all)/.test(word))
        ? loss("removes commits that could still be recovered", ask)
        : undefined;
    case "prune":
      return hasFlag(words, "-n", "--dry-run")
        ? undefined
        : loss("removes commits that could still be recovered", ask);
    case "read-tree":
      return words.includes("--reset") && words.includes("-u")
        ? loss("throws away every change that is not committed")
        : undefined;
    case "checkout-index":
      return hasFlag(words, "-f", "--force") && hasFlag(words, "-a", "--all")
        ? loss("throws away every change that is not committed")
        : undefined;
    case "filter-branch":
    case "filter-repo":
      return loss("rewrites the history of the repository", ask);
    case "worktree":
      return rest[0] === "remove" && hasFlag(words, "-f", "--force")
        ? loss("removes a worktree with its changes", ask, "ask")
        : undefined;
    case "submodule":
      if (rest[0] === "update" && hasFlag(words, "-f", "--force"))
        return loss("throws away the changes in submodules", look, "ask");
      return rest[0] === "deinit" && hasFlag(words, "-f", "--force")
        ? loss("removes a submodule with its changes", ask, "ask")
        : undefined;
    case "replace":
    case "lfs":
      if (verb === "lfs" && rest[0] === "migrate" && rest[1] !== "info")
        return loss("rewrites the history of the repository", ask);
      return verb === "lfs" && rest[0] === "prune" && hasFlag(words, "-f", "--force")
        ? loss("removes large files that may not be on the remote", ask, "ask")
        : undefined;
    default:
      return undefined;
  }
}

type Loss = (what: string, instead?: string, outcome?: Outcome) => GitLoss;

/** A word nobody knows in front of a commit, as in `git reset $MODE HEAD~1`, or one that begins like an option. */
const mayBeMode = (args: readonly Word[]): boolean =>
  args.some(
    (arg, at) =>
      !arg.known &&
      (arg.text.startsWith("-") ||
        (arg.emptied === "" &&
          /^(?:HEAD|@|origin\/|upstream\/|[\da-f]{7,40}$)/.test(args[at + 1]?.text ?? ""))),
  );

function checkout(
  words: readonly string[],
  rest: readonly string[],
  loss: Loss,
  isFile: (word: string) => boolean,
): GitLoss | undefined {
  if (words.includes("-f") || words.includes("--force"))
    return loss("throws away every change that is not committed");
  if (words.includes("-B")) return loss("moves a branch away from its commits", ask, "ask");
  if (hasFlag(words, "-b", "--orphan", "--ours", "--theirs", "--merge", "-m", "-p", "--patch"))
    return undefined;
  if (hasFlag(words, "-f")) return loss("throws away every change that is not committed");
  const dashes = words.indexOf("--");
  if (dashes !== -1) return discard(words.slice(dashes + 1), loss);
  const paths = rest.filter((word) => word === "." || word === ":/" || isFile(word) || /[*?]/.test(word));
  return paths.length === 0 ? undefined : discard(paths, loss);
}

/** A name nobody has looked up: is it more likely a file than a branch? */
export const looksLikeFile = (word: string): boolean =>
  /^\.{0,2}\//.test(word) || (endings.test(word) && !/^v?\d+\.\d/.test(word));

const endings =
  /\.(?:[cm]?[jt]sx?|json[c5l]?|ya?ml|toml|ini|cfg|conf|env|lock|md|mdx|txt|rst|html?|css|s[ac]ss|less|svelte|vue|astro|py|pyi|ipynb|rb|erb|php|pl|pm|lua|go|mod|sum|rs|c|h|cc|cpp|hpp|cs|java|kt|kts|scala|swift|m|sh|bash|zsh|fish|ps1|bat|sql|tf|tfvars|xml|svg|png|jpe?g|gif|ico|pdf|csv|tsv|proto|graphql|gradle|dart|ex|exs|erl|hs|ml|r|jl|zig|nix|patch|diff|log|snap|example|bak|orig)$/i;

function discard(paths: readonly string[], loss: Loss): GitLoss | undefined {
  if (paths.length === 0) return undefined;
  const all = paths.some((path) => isOneOf(path, ". :/ * ./ :") || /^(?:\.\/)?\*+$/.test(path));
  return all
    ? loss("throws away every change that is not committed")
    : loss(`throws away the changes to ${paths.slice(0, 3).join(", ")}`, look, "ask");
}

function push(
  words: readonly string[],
  rest: readonly string[],
  branch: string | undefined,
  isProtected: (branch: string) => boolean,
  loss: Loss,
): GitLoss | undefined {
  if (hasFlag(words, "-n", "--dry-run")) return undefined;
  const refs = rest.slice(1);
  if (words.includes("--mirror")) return loss("overwrites every branch of the remote", ask);
  if (hasFlag(words, "--delete", "-d") || refs.some((ref) => /^\+?:./.test(ref)))
    return loss("deletes a branch of the remote", ask);
  if (refs.some((ref) => ref.startsWith("+")))
    return loss("replaces history on the remote", "Push with `--force-with-lease`, or ask the user.");
  const withLease = words.some(
    (word) => word.startsWith("--force-with-lease") || word === "--force-if-includes",
  );
  if (words.includes("--force") || words.some((word) => /^-[a-zA-Z]*f[a-zA-Z]*$/.test(word)))
    return loss("replaces history on the remote", "Push with `--force-with-lease`, or ask the user.");
  if (!withLease)
    return words.includes("--prune") ? loss("deletes branches of the remote", ask, "ask") : undefined;
  const targets =
    refs.length > 0
      ? refs.map((ref) => (ref.split(":").at(-1) ?? ref).replace(/^refs\/heads\//, ""))
      : branch === undefined
        ? []
        : [branch];
  const named = targets.map((target) => (target === "HEAD" ? (branch ?? target) : target));
  return named.some(isProtected) ? loss("replaces history of a protected branch", ask, "ask") : undefined;
}
