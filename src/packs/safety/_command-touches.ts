import { isOneOf, unversioned } from "../../core/one-of.ts";
import type { ExecAction, Target } from "../../core/action.ts";
import type { Run, Word } from "../../core/command.ts";
import { isInside, toTarget } from "../../core/paths.ts";
import type { Remark } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { effectsOf, gitVerb, isKnownProgram } from "../../shell/programs.ts";
import { broughtBy, foundBelow } from "./_brought.ts";
import { feedersOf, shown } from "./_runs.ts";
import { mayNameProtected, protectedAt } from "./_protected.ts";
import { touches } from "./self-protection.ts";

export { broughtBy, foundBelow };

/** The messages of the rule. */
type MessageId =
  | "edits"
  | "removes"
  | "touches"
  | "unclear"
  | "brings"
  | "standsIn"
  | "ends"
  | "ours"
  | "checks";

/**
 * Commands whose effects nobody has described, and texts nobody could follow, judged by the protected places
 * they name. What is known of a command is an action of its own and judged as such.
 */
export function* commandTouches(
  { command: text, cwd, commands, troubles }: ExecAction,
  root: string,
  world: World,
  isAllowed: (target: Target) => boolean,
): Generator<Remark<MessageId>> {
  const protectedWord = (word: string, from: string): string | undefined => {
    // Words may hold anything, secrets too; only those that name a protected place are looked up.
    if (word.length > longestPath || !mayNameProtected(word)) return undefined;
    const target = toTarget(word, from, world);
    return isAllowed(target) ? undefined : protectedAt(target, root, world);
  };
  for (const run of commands) {
    if (run.elsewhere !== undefined) continue;
    if (endsGuard(run)) yield { message: "ends", outcome: "ask", data: { command: shown(run) } };
    if (silencesChecks(run, root)) yield { message: "checks", outcome: "ask", data: { command: shown(run) } };
    for (const path of changedIfEmpty(run)) {
      const target = toTarget(path, run.cwd ?? cwd, world);
      const what = isAllowed(target) ? undefined : protectedAt(target, root, world);
      if (what !== undefined) yield { message: "edits", outcome: "ask", data: { path, what } };
    }
    const found = isReading(run) ? undefined : run.args.find(findsUs);
    if (found)
      yield {
        message: "touches",
        outcome: "ask",
        data: { path: found.text, what: "the guard's executable", program: run.program },
      };
    if (run.effects !== undefined || isKnownProgram(run.program) || isReading(run)) continue;
    const words = run.args.flatMap((arg) =>
      arg.emptied === undefined ? [arg.text] : [arg.text, arg.emptied],
    );
    const code = codeOf(run);
    if (!mayNameProtected(words.join(" ") + code)) continue;
    for (const word of [...words.flatMap(pathWords), ...mentions(code)]) {
      const what = protectedWord(word, run.cwd ?? cwd);
      if (what !== undefined)
        yield { message: "touches", outcome: "ask", data: { path: word, what, program: run.program } };
    }
  }
  if (troubles.length === 0) return;
  for (const mention of mentions(text)) {
    const what = protectedWord(mention, cwd);
    if (what !== undefined) yield { message: "unclear", outcome: "ask", data: { path: mention, what } };
  }
}

const longestPath = 4096;

/** `pkill hookline`, `kill $(pgrep -f hookline)` */
function endsGuard(run: Run): boolean {
  const names = (each: Run): boolean =>
    each.args.some((arg) => /(?:^|[^\w.-])hookline(?:-warm)?(?![\w-])/i.test(` ${arg.text}`));
  if (isOneOf(run.program, "pkill killall skill taskkill stop-process")) return names(run);
  return run.program === "kill" && feedersOf(run).some(names);
}

/** Settings that name what git runs. */
const runByGit =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|pager|editor|askpass|gitproxy)|sequence\.editor|diff\.external|gpg\.program|credential\.helper|filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:command|textconv)|merge\..+\.driver)$/i;

/** `git config core.hooksPath /dev/null`, `git config core.fsmonitor /tmp/x`: nothing of the workspace or the system. */
function silencesChecks(run: Run, root: string): boolean {
  if (run.program !== "git") return false;
  const { verb, args } = gitVerb(run);
  if (verb !== "config") return false;
  const at = args.findIndex((arg) => runByGit.test(arg.text));
  const value = args[at + 1];
  if (at === -1 || !value?.known) return false;
  const [path = ""] = value.text.split(/\s/);
  if (path === "") return /hookspath/i.test(args[at]?.text ?? "");
  return (
    /^(?:~|\.\.\/|\/(?!usr\/|bin\/|opt\/|nix\/|snap\/|Applications\/|Library\/))/.test(path) &&
    !isInside(root, path)
  );
}

/** `rm $(which hookline)` */
const findsUs = ({ from = [] }: Word): boolean =>
  from.some(
    ({ program, args }) =>
      isOneOf(program, "which command type whereis where realpath readlink get-command gcm") &&
      args.some(({ text }) => /(?:^|\/)hookline(?:-warm)?$/.test(text)),
  );

/** What a command writes or deletes if all that is not known of its words is empty: `rm hook${x}line.yaml`. */
function changedIfEmpty(run: Run): string[] {
  if (!hasEmptied(run)) return [];
  const filled = (word: Word): Word => {
    const { emptied } = word;
    // Behind a folder nobody knows is nobody knows what.
    if (emptied === undefined || emptied === "" || (emptied.startsWith("/") && !word.text.startsWith("/")))
      return word;
    return mayNameProtected(emptied) || mayNameProtected(run.cwd ?? "")
      ? { text: emptied, known: true, glob: word.glob }
      : word;
  };
  const args = run.args.map(filled);
  const redirects = run.redirects.map((each) => ({ ...each, target: filled(each.target) }));
  const isSame =
    args.every((word, at) => word === run.args[at]) &&
    redirects.every(({ target }, at) => target === run.redirects[at]?.target);
  if (isSame) return [];
  const { effects: _inCode, ...bare } = run;
  return effectsOf({ ...bare, args, redirects }).flatMap((effect) =>
    (effect.do === "write" || effect.do === "delete") && effect.path !== undefined ? [effect.path] : [],
  );
}

function hasEmptied({ args, redirects }: Run): boolean {
  for (const { emptied } of args) if (emptied !== undefined) return true;
  for (const { target } of redirects) if (target.emptied !== undefined) return true;
  return false;
}

const readers = new Set(
  (
    "ls tree stat file wc cmp echo printf test [ [[ pwd md5sum sha1sum sha256sum shasum realpath readlink basename " +
    "dirname du uniq tr column hookline which type true false : code subl fgrep open ag ack locate delta colordiff yamllint yaml-lint md5 sha512sum b2sum cksum prettier"
  ).split(" "),
);

const isReading = (run: Run): boolean =>
  run.program === "" ||
  (readers.has(run.program) && !run.args.some((arg) => isOneOf(arg.text, "--write --fix"))) ||
  (/^python/.test(run.program) && run.args.some((arg) => arg.text === "json.tool"));

const interpreters =
  "python node bun deno perl ruby php awk gawk lua luajit osascript pwsh powershell sh bash dash zsh ksh ash";

/** The text in which an interpreter's program stands: its own words, or what is fed to it. */
function codeOf(run: Run): string {
  if (!isOneOf(unversioned(run.program), interpreters)) return "";
  const fed = run.stdin?.from === "text" ? run.stdin.text : "";
  return [...run.args.map((arg) => arg.text), fed].join(" ");
}

/** A word may be a path, or carry one behind `=` as in `--output=…`. */
const pathWords = (word: string): string[] => {
  const value = /^[\w-]+=(.+)$/s.exec(word)?.[1];
  return value === undefined ? [word] : [word, value];
};

/** Path-like pieces of a text that is no command line: code of an interpreter, or what nobody could parse. */
const mentions = (text: string): string[] =>
  [...new Set(text.split(/[^~\w./\\-]+/))]
    .filter((piece) => /[./\\]/.test(piece) && /\w/.test(piece))
    .slice(0, 500);

// In the executable this file comes with the shell (tools/bundle.ts).
touches.keep({ broughtBy, commandTouches, foundBelow });
