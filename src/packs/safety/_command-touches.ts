import type { ExecAction, Target } from "../../core/action.ts";
import { toTarget } from "../../core/paths.ts";
import type { Remark } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { commandsIn, programOf, type ShellCommand } from "../../shell/commands.ts";
import { protectedAt, protectedBelow } from "./_protected.ts";

/** The messages of the rule. */
type MessageId = "edits" | "removes" | "touches" | "unclear";

/** What a command line would do to a protected place, as far as its words tell. */
export function* commandTouches(
  { command: text, cwd, shell: language }: ExecAction,
  root: string,
  world: World,
  isAllowed: (target: Target) => boolean,
): Generator<Remark<MessageId>> {
  const parsed = language === "posix" ? commandsIn(text) : { commands: [], understood: false };
  let at = cwd;
  for (const command of parsed.commands) {
    const program = programOf(command);
    const hit = (word: string) => {
      const target = toTarget(word, at, world);
      const found = isAllowed(target) ? undefined : protectedAt(target, root, world);
      return found === undefined ? undefined : { path: word, what: found, program };
    };
    for (const path of command.writesTo) {
      const found = hit(path);
      if (found) yield { message: "touches", data: { ...found, program: program || "a redirection" } };
    }
    if (program === "cd" || program === "pushd") at = toTarget(command.words[1] ?? "~", at, world).path;
    if (isReading(command, program)) continue;
    for (const word of command.words.slice(1).flatMap(pathWords)) {
      const found = hit(word);
      if (found) yield { message: "touches", data: found };
      else if (removers.has(program) && !word.startsWith("-")) {
        const below = protectedBelow(toTarget(withoutGlob(word), at, world), root, world);
        if (below) yield { message: "removes", data: { path: word, what: below } };
      }
    }
    for (const mention of mentions(codeFor(command, program, text))) {
      const found = hit(mention);
      if (found) yield { message: "touches", data: found };
    }
  }
  if (parsed.understood) return;
  for (const mention of mentions(text)) {
    const target = toTarget(mention, cwd, world);
    const found = isAllowed(target) ? undefined : protectedAt(target, root, world);
    if (found) yield { message: "unclear", outcome: "ask", data: { path: mention, what: found } };
  }
}

const readers = new Set(
  (
    "cat head tail less more bat grep egrep fgrep rg ls tree stat file wc diff cmp jq yq echo printf test [ [[ cd pwd pushd popd " +
    "md5sum sha1sum sha256sum shasum realpath readlink basename dirname du sort uniq cut tr column hookline which type true false :"
  ).split(" "),
);
const readingGit = new Set(
  "diff show log status blame grep add commit ls-files check-ignore rev-parse fetch push".split(" "),
);
const interpreters = /^(?:python[\d.]*|node|bun|deno|perl|ruby|php|awk|gawk|osascript|pwsh|powershell)$/;
const removers = new Set(["rm", "rmdir", "unlink", "shred", "mv", "trash", "srm"]);

function isReading({ words, writesTo }: ShellCommand, program: string): boolean {
  if (writesTo.length > 0 && words.length === 0) return true;
  if (program === "git")
    return readingGit.has(words.find((word, at) => at > 0 && !word.startsWith("-")) ?? "");
  if (program === "find")
    return !words.some((word) => /^-(?:delete|exec|execdir|ok|okdir|fprint)/.test(word));
  if (program === "yq") return !words.some((word) => /^-i|^--inplace/.test(word));
  return readers.has(program);
}

/** The text in which an interpreter's program may stand: its own words, or whatever is piped or fed to it. */
function codeFor({ words }: ShellCommand, program: string, text: string): string {
  const isShell = /^(?:ba|da|z|k|a)?sh$/.test(program);
  if (!isShell && !interpreters.test(program)) return "";
  const fed = /<<|\|/.test(text) && words.slice(1).every((word) => /^-[a-z]?$/.test(word));
  if (fed) return text;
  // What follows a shell's `-c` is parsed like any other command.
  return isShell ? "" : words.join(" ");
}

/** A word may be a path, or carry one behind `=` as in `of=…` and `--output=…`. */
const pathWords = (word: string): string[] => {
  const value = /^[\w-]+=(.+)$/.exec(word)?.[1];
  return value === undefined ? [word] : [word, value];
};

// `rm -rf .claude/*` empties the folder it names.
const withoutGlob = (word: string): string =>
  /[*?[]/.test(word) ? word.replace(/[^/]*[*?[].*$/, "") || "." : word;

/** Path-like pieces of a text that is no command line: code of an interpreter, or what nobody could parse. */
const mentions = (text: string): string[] =>
  [...new Set(text.match(/[~\w./\\-]*[\w]+\.?[\w./\\-]*/g) ?? [])]
    .filter((piece) => /[./\\]/.test(piece))
    .slice(0, 500);
