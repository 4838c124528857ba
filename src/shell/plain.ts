/**
 * Is a command line plainly harmless: a few well-known commands that only look, without quotes, variables,
 * redirections or names worth a closer look? Most of an agent's commands are, and need no parser.
 */
export function isPlain(text: string): boolean {
  if (text.length > 400) return false;
  for (const letter of text) if (!plainLetters.includes(letter)) return false;
  const lower = text.toLowerCase();
  // No function of its own for the loop: called this often, it would start the JIT compiler.
  for (const sign of worthALook) if (lower.includes(sign)) return false;
  const parts = text.replaceAll("||", "|").replaceAll("&&", "|").split("|");
  // What is left of `&` starts another command.
  return parts.every((part) => !part.includes("&") && isHarmless(wordsOf(part)));
}

const wordsOf = (part: string): string[] => part.split(" ").filter((word) => word !== "");

// No pattern on this path: to compile one costs more than all these looks.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const plainLetters = ` ${letters}0123456789-_./|&=:,@%+`;

const worthALook = [
  ..."env key secret pem ssh cred token shadow pass netrc hook id_ history cookie login vault keystore .p12 .pfx s3cfg boto claude copilot cursor codex gemini qwen".split(
    " ",
  ),
  ..."opencode windsurf harness aws kube gnupg /etc /proc /dev/s /dev/n /run :// .git/".split(" "),
];

const lookers = new Set(
  "ls pwd cd echo true false date whoami id which type wc head tail sort uniq cat grep rg tree du df ps uname hostname nproc tsc eslint prettier jest vitest pytest mypy".split(
    " ",
  ),
);
const printers = new Set("cat head tail grep rg sort uniq wc".split(" "));

const tasks: Readonly<Record<string, string>> = {
  git: "status log diff show branch fetch add rev-parse blame remote",
  npm: "test t run ci install i ls outdated",
  pnpm: "test run install i",
  yarn: "test run install build",
  cargo: "build test check clippy run",
  go: "build test vet mod",
  ruff: "check",
};

function isHarmless([program = "", verb = "", ...rest]: readonly string[]): boolean {
  const words = [verb, ...rest];
  if (words.some(mayChange)) return false;
  // What is shown may be a secret by its place or name, and `uniq a b` writes.
  if (printers.has(program) && words.some(isElsewhere)) return false;
  if (program === "uniq" && words.filter((word) => !word.startsWith("-")).length > 1) return false;
  if (lookers.has(program)) return true;
  if (program === "make") return verb !== "" && ![..."@%+=:,./"].some((letter) => verb.includes(letter));
  // `git branch -m main` leaves one on another branch.
  if (
    program === "git" &&
    verb === "branch" &&
    rest.some((word) => word.startsWith("-m") || word.startsWith("-M") || word.startsWith("--m"))
  )
    return false;
  return Object.hasOwn(tasks, program) && (tasks[program]?.split(" ").includes(verb) ?? false);
}

const changing = "output write fix delete force exec pre".split(" ");

/** An option that writes or removes is worth a closer look. */
function mayChange(word: string): boolean {
  if (!word.startsWith("-")) return false;
  if (word.startsWith("--")) return changing.some((name) => word.startsWith(name, 2));
  for (const letter of word.slice(1)) {
    if ("oOdDxXfF".includes(letter)) return true;
    if (!letters.includes(letter)) return false;
  }
  return false;
}

/** Absolute, in somebody's home, or hidden. */
const isElsewhere = (word: string): boolean =>
  word.startsWith("/") ||
  word.startsWith("~") ||
  (word.startsWith(".") && word !== "." && word !== ".." && !word.startsWith("./"));
