/**
 * Is a command line plainly harmless: a few well-known commands that only look, without variables, patterns, files
 * written or names worth a closer look? Most of an agent's commands are, and need no parser. One that names any of
 * `programs` is worth it: a policy asks for them. `*` is any.
 */
export function isPlain(text: string, programs: readonly string[] = none): boolean {
  // Who is told that a line has to be unfolded has it unfolded, where the same is asked again.
  if (text !== last.text || programs !== last.programs)
    last = { text, programs, answer: isHarmlessLine(text, programs) };
  return last.answer;
}

const none: readonly string[] = [];
let last = { text: "", programs: none, answer: false };

function isHarmlessLine(text: string, programs: readonly string[]): boolean {
  if (text.length > 400) return false;
  for (const name of programs) if (name === "*" || text.includes(name)) return false;
  const parts = partsOf(text);
  if (parts.length === 0) return false;
  for (const part of parts) {
    const lower = part.words.join(" ").toLowerCase();
    for (const sign of worthALook) if (lower.includes(sign)) return false;
    if (!isHarmless(part)) return false;
  }
  return true;
}

/** A command of a list or pipe. */
interface Part {
  readonly words: string[];
  /** Did some of it stand in quotes? */
  isQuoted: boolean;
  /** Does it get what the one before it prints? */
  readonly isFed: boolean;
}

/** The commands of a text that has nothing but words, quotes and what separates commands; of any other text none. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let part: Part = { words: [], isQuoted: false, isFed: false };
  /** Where a word began, the pieces of it that stood before or in quotes, and where the piece at hand began. */
  let from = -1;
  let pieces = "";
  let piece = 0;
  let leads = false;
  // No function of its own for a letter: called this often, it would start the JIT compiler.
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : newLine;
    const isLetter =
      (code >= 97 && code <= 122) || // a to z
      (code >= 45 && code <= 58) || // - . / 0 to 9 :
      (code >= 64 && code <= 90) ||
      // @ A to Z
      code === 37 ||
      code === 43 ||
      code === 44 ||
      code === 61 ||
      code === 95; // % + , = _
    const isArrow = code === 62 || (code === 38 && text[at - 1] === ">"); // > >&
    if (isLetter || isArrow) {
      if (from === -1) from = piece = at;
      if (isArrow) leads = true;
      continue;
    }
    if (code === 39 || code === 34) {
      const quote = code === 39 ? "'" : '"';
      const end = text.indexOf(quote, at + 1);
      if (end === -1) return [];
      const inside = text.slice(at + 1, end);
      if (code === 34 && (inside.includes("$") || inside.includes("`") || inside.includes("\\"))) return [];
      if (from === -1) from = piece = at;
      part.isQuoted = true;
      pieces += text.slice(piece, at) + inside;
      piece = end + 1;
      at = end;
      continue;
    }
    const isEnd = code === newLine || code === 124 || code === 59; // | ;
    const isAnd = code === 38 && text[at + 1] === "&";
    // What is left of a single `&` goes on beside the rest.
    if (!isEnd && !isAnd && code !== 32) return [];
    if (from !== -1) {
      if (!leads) part.words.push(pieces + text.slice(piece, at));
      else if (!silent.includes(` ${text.slice(from, at)} `)) return [];
    }
    const isOr = code === 124 && text[at + 1] === "|";
    if (isAnd || isOr) at++;
    if (code !== 32 && part.words.length > 0) {
      parts.push(part);
      part = { words: [], isQuoted: false, isFed: code === 124 && !isOr };
    }
    from = -1;
    pieces = "";
    leads = false;
  }
  return parts;
}

const newLine = 10;

/** Where output may go that is not wanted, as words of their own. */
const silent = " 2>&1 >&2 1>&2 >/dev/null 2>/dev/null ";

// No pattern on this path: to compile one costs more than all these looks.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

const worthALook = (
  "env key secret pem ssh cred token shadow pass netrc hook id_ history cookie login vault keystore .p12 .pfx s3cfg boto " +
  "claude copilot cursor codex gemini qwen opencode windsurf harness aws kube gnupg /etc /proc /dev/s /dev/n /run :// .git/"
).split(" ");

const lookers =
  " ls pwd cd echo true false date whoami id which type wc head tail sort uniq cat grep rg tree du df ps uname hostname nproc tsc eslint prettier jest vitest pytest mypy ";
const readers = " echo grep rg git npm pnpm yarn cargo go jest vitest pytest python python3 ";
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

function isHarmless({ words, isQuoted, isFed }: Part): boolean {
  const [program = "", verb = ""] = words;
  if (program.includes(" ")) return false;
  if (program === "find") return !isFed && isSearch(words);
  const isLines = program === "sed" && verb === "-n" && isRange(words);
  const isPrinter = isLines || printers.includes(` ${program} `);
  // Others may run what they are fed.
  if (isFed && !isPrinter) return false;
  const isBranch = program === "git" && verb === "branch";
  const isFetch = program === "git" && verb === "fetch";
  let names = 0;
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (mayChange(word)) return false;
    // Where no text is usual, it may be a command for somebody.
    if (word.includes(" ") && !readers.includes(` ${program} `)) return false;
    // What is shown may be a secret by its place or name.
    if (isPrinter && isElsewhere(word)) return false;
    // `git branch -m main` leaves one on another branch.
    if (isBranch && word.startsWith("-") && (word.includes("m") || word.includes("M"))) return false;
    // `git fetch . +HEAD:main` moves a branch.
    if (isFetch && word.includes(":")) return false;
    // `git fetch --upload-pack=…` runs it.
    if (isFetch && word.startsWith("--u")) return false;
    // `git remote add x "ext::…"` names a program for what comes later.
    if (program === "git" && word.includes("::")) return false;
    // `date -s …` sets it.
    if (program === "date" && (word.startsWith("-s") || word.startsWith("--s"))) return false;
    if (!word.startsWith("-")) names++;
  }
  // `uniq a b` writes.
  if (program === "uniq" && names > 1) return false;
  // `ps auxe` shows what is in the environment.
  if (program === "ps" && !verb.startsWith("-") && verb.includes("e")) return false;
  // `hostname x` sets it.
  if (program === "hostname" && names > 0) return false;
  if (isLines || lookers.includes(` ${program} `)) return true;
  if (program === "make") return verb !== "" && isTarget(verb) && !isQuoted;
  if (program === "python" || program === "python3")
    return verb === "-m" && " pytest unittest mypy ".includes(` ${words[2] ?? ""} `);
  return Object.hasOwn(tasks, program) && (tasks[program]?.split(" ").includes(verb) ?? false);
}

/** `sed -n 12,40p file`: lines of files that are shown, and no other script or option. */
function isRange(words: readonly string[]): boolean {
  const script = words[2] ?? "";
  for (const letter of script) if (!"0123456789,$p".includes(letter)) return false;
  for (let at = 3; at < words.length; at++) if (words[at]?.startsWith("-")) return false;
  return script.endsWith("p");
}

const searching =
  " -name -iname -path -ipath -type -maxdepth -mindepth -not -newer -size -mtime -mmin -empty -print -prune -o -a ";

/** Looks for files by name, age or kind below where it stands, and does nothing with them. */
function isSearch(words: readonly string[]): boolean {
  if (isElsewhere(words[1] ?? "/")) return false;
  for (const word of words)
    if (word.startsWith("-") && !(searching.includes(` ${word} `) || isNumber(word.slice(1)))) return false;
  return true;
}

function isNumber(text: string): boolean {
  for (const letter of text) if (!"0123456789".includes(letter)) return false;
  return text !== "";
}

/** The name of something to make, and neither a file nor a variable. */
function isTarget(word: string): boolean {
  for (const letter of "@%+=:,./") if (word.includes(letter)) return false;
  return true;
}

const changing = [
  "output",
  "write",
  "fix",
  "delete",
  "force",
  "exec",
  "pre",
  "hostname-",
  "compress",
  "basetemp",
];

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
