import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { gitVerb } from "../../shell/programs.ts";
import { look, type GitLoss } from "./_git.ts";
import { feedersOf, hasFlag, plainWords } from "./_runs.ts";

const removers = "rm grm unlink shred srm trash trash-put rimraf truncate";

/** Work that git itself names or shows, and that is thrown away by it: `git ls-files -o | xargs rm`, `git diff | git apply -R`. */
export function listedLoss(run: Run): GitLoss | undefined {
  return deletesListed(run) || takesBack(run) || unpacksOver(run)
    ? { what: "throws away work that is not committed", instead: look, outcome: "ask" }
    : undefined;
}

function deletesListed(run: Run): boolean {
  const { stdin: _fed, ...alone } = run;
  return isOneOf(run.program, removers) && feedersOf(alone).some(listsWork);
}

/** A patch of what has changed, put in the other way round. */
function takesBack(run: Run): boolean {
  const words = run.args.map((arg) => arg.text);
  const isPatching = run.program === "patch" || (run.program === "git" && gitVerb(run).verb === "apply");
  return (
    isPatching &&
    hasFlag(words, "-R", "--reverse") &&
    !hasFlag(words, "--cached", "--check", "--dry-run") &&
    feedersOf(run).some(showsWork)
  );
}

/** `git archive HEAD | tar x` puts the committed files over the changed ones. */
function unpacksOver(run: Run): boolean {
  const words = run.args.map((arg) => arg.text);
  return (
    isOneOf(run.program, "tar gtar bsdtar") &&
    words.some((word, at) => /^-\w*x|^--(?:extract|get)$/.test(word) || (at === 0 && /^\w*x/.test(word))) &&
    !hasFlag(words, "-C", "--directory", "-O", "--to-stdout", "-t") &&
    feedersOf(run).some(
      (each) => each.program === "git" && gitVerb(each).verb === "archive" && each.cwd === run.cwd,
    )
  );
}

function showsWork(run: Run): boolean {
  if (run.program !== "git") return false;
  const { verb, args } = gitVerb(run);
  const words = args.map((arg) => arg.text);
  const dashes = words.indexOf("--");
  const revisions = plainWords(dashes === -1 ? words : words.slice(0, dashes));
  return (
    verb === "diff" && !hasFlag(words, "--cached", "--staged") && revisions.every((word) => word === "HEAD")
  );
}

function listsWork(run: Run): boolean {
  if (run.program !== "git") return false;
  const { verb, args } = gitVerb(run);
  const words = args.map((arg) => arg.text);
  switch (verb) {
    case "status":
      return !words.includes("--ignored");
    case "ls-files":
      return (
        hasFlag(words, "-m", "--modified") ||
        (hasFlag(words, "-o", "--others") && !hasFlag(words, "-i", "--ignored"))
      );
    case "diff":
      // Against a commit it lists what has been committed as well.
      return plainWords(words).length === 0 && !words.some((word) => /^--diff-filter=[DU]+$/.test(word));
    default:
      return false;
  }
}
