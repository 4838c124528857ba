/**
 * Is a command line plainly harmless: a few well-known commands that only look, without quotes, variables,
 * redirections or names worth a closer look? Most of an agent's commands are, and need no parser. One that names any of
 * `programs` is worth it: a policy asks for them. `*` is any.
 */
export function isPlain(text: string, programs: readonly string[] = []): boolean {
  if (text.length > 400) return false;
  for (const name of programs) if (name === "*" || text.includes(name)) return false;
  for (const letter of text) if (!plainLetters.includes(letter)) return false;
  const lower = text.toLowerCase();
  // No function of its own for the loop: called this often, it would start the JIT compiler.
  for (const sign of worthALook) if (lower.includes(sign)) return false;
  // What is left of `&` starts another command.
  for (const part of text.replaceAll("||", "|").replaceAll("&&", "|").split("|"))
    if (part.includes("&") || !isHarmless(wordsOf(part))) return false;
  return true;
}

function wordsOf(part: string): string[] {
  const words: string[] = [];
  for (const word of part.split(" ")) if (word !== "") words.push(word);
  return words;
}

// No pattern on this path: to compile one costs more than all these looks.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const plainLetters = ` ${letters}0123456789-_./|&=:,@%+`;

const worthALook = (
  "env key secret pem ssh cred token shadow pass netrc hook id_ history cookie login vault keystore .p12 .pfx s3cfg boto " +
  "claude copilot cursor codex gemini qwen opencode windsurf harness aws kube gnupg /etc /proc /dev/s /dev/n /run :// .git/"
).split(" ");

const lookers =
  " ls pwd cd echo true false date whoami id which type wc head tail sort uniq cat grep rg tree du df ps uname hostname nproc tsc eslint prettier jest vitest pytest mypy ";
const printers = " cat head tail grep rg sort uniq wc ";

const tasks: Readonly<Record<string, string>> = {
  git: "status log diff show branch fetch add rev-parse blame remote",
  npm: "test t run ci install i ls outdated",
  pnpm: "test run install i",
  yarn: "test run install build",
  cargo: "build test check clippy run",
  go: "build test vet mod",
  ruff: "check",
};

function isHarmless(words: readonly string[]): boolean {
  const [program = "", verb = ""] = words;
  const isPrinter = printers.includes(` ${program} `);
  const isBranch = program === "git" && verb === "branch";
  const isFetch = program === "git" && verb === "fetch";
  let names = 0;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (mayChange(word)) return false;
    // What is shown may be a secret by its place or name.
    if (isPrinter && isElsewhere(word)) return false;
    // `git branch -m main` leaves one on another branch.
    if (isBranch && word.startsWith("-") && (word.includes("m") || word.includes("M"))) return false;
    // `git fetch . +HEAD:main` moves a branch.
    if (isFetch && word.includes(":")) return false;
    if (!word.startsWith("-")) names++;
  }
  // `uniq a b` writes.
  if (program === "uniq" && names > 1) return false;
  // `ps auxe` shows what is in the environment.
  if (program === "ps" && !verb.startsWith("-") && verb.includes("e")) return false;
  if (lookers.includes(` ${program} `)) return true;
  if (program === "make") return verb !== "" && isTarget(verb);
  return Object.hasOwn(tasks, program) && (tasks[program]?.split(" ").includes(verb) ?? false);
}

/** The name of something to make, and neither a file nor a variable. */
function isTarget(word: string): boolean {
  for (const letter of "@%+=:,./") if (word.includes(letter)) return false;
  return true;
}

const changing = ["output", "write", "fix", "delete", "force", "exec", "pre"];

/** An option that writes or removes is worth a closer look. */
function mayChange(word: string): boolean {
  if (!word.startsWith("-")) return false;
  if (word.startsWith("--")) {
    for (const name of changing) if (word.startsWith(name, 2)) return true;
    return false;
  }
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
