import * as v from "valibot";
import { beforeTool } from "../../core/event.ts";
import type { ExecAction, Target } from "../../core/action.ts";
import { toTarget } from "../../core/paths.ts";
import { defineRule, type Remark } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import type * as shell from "../../shell/commands.ts";
import { mayNameProtected, protectedAt, protectedBelow } from "./_protected.ts";

type MessageId = "edits" | "removes" | "touches" | "unclear";

export default defineRule({
  summary: "Stops an agent from editing the policy, any agent's hook settings, the ledger or the executable.",
  why: "A guard that the guarded can switch off guards nothing.",
  since: "0.1.0",
  outcome: "block",
  failMode: "closed",
  presets: { recommended: {} },
  on: { events: beforeTool, actions: ["write", "delete", "exec"] },
  options: () =>
    v.strictObject({
      allow: v.pipe(
        v.optional(v.array(v.string()), []),
        v.description("Protected paths an agent may edit after all, relative to the workspace root."),
      ),
    }),
  messages: {
    edits: { what: "`{path}` is {what}.", instead: "Ask the user to make this change by hand." },
    removes: { what: "removing `{path}` would remove {what}.", instead: "Ask the user to do it by hand." },
    touches: {
      what: "`{program}` is about to change `{path}`, which is {what}.",
      instead: "Ask the user to make this change by hand; reading the file is fine.",
    },
    unclear: {
      what: "this command names `{path}`, {what}, in a way that cannot be followed.",
      instead: "Use a plain command, or ask the user.",
    },
  },
  examples: {
    catches: [
      { write: "hookline.yaml", text: "extends: []\n" },
      { write: ".claude/settings.local.json", text: '{"disableAllHooks":true}' },
      { write: "packages/app/.github/hooks/guard.json", text: "{}" },
      { write: "~/.cursor/hooks.json", text: "{}" },
      { links: { notes: ".claude" }, write: "notes/settings.json", text: "{}" },
      { delete: ".hookline/ledger" },
      { files: { ".claude/settings.json": "{}" }, delete: ".claude" },
      { patch: "*** Begin Patch\n*** Delete File: hookline.yaml\n*** End Patch" },
      { shell: "echo '{}' > .claude/settings.json" },
      { shell: "sed -i s/block/off/ hookline.yaml" },
      { files: { "hookline.yaml": "" }, shell: "cd src; bash -c 'rm -f ../hookline.yaml'" },
      { files: { ".claude/settings.json": "{}" }, shell: "rm -rf .claude" },
      { shell: "python3 -c \"open('.claude/settings.json','w').write('{}')\"" },
    ],
    allows: [
      { write: "src/settings.json", text: "{}" },
      { write: ".claude/commands/deploy.md", text: "Deploy." },
      { read: "hookline.yaml" },
      { shell: "cat .claude/settings.json" },
      { shell: "git diff hookline.yaml" },
      { shell: "git commit -m 'docs: explain hookline.yaml'" },
      { shell: "rm -rf node_modules" },
      { write: "hookline.yaml", text: "mode: observe\n", options: { allow: ["hookline.yaml"] } },
    ],
  },
  load: (event) =>
    event.actions.some((action) => action.kind === "exec" && mayTouch(action, event.root))
      ? import("../../shell/commands.ts")
      : undefined,
  *check({ event, world, options, loaded }) {
    const root = world.realPath(event.root);
    const isAllowed = (target: Target): boolean =>
      options.allow.some((path) => toTarget(path, event.root, world).real === target.real);
    for (const action of event.actions) {
      if (action.kind === "exec" && loaded && mayTouch(action, event.root))
        yield* judgeCommand(action, loaded, root, world, isAllowed);
      if ((action.kind !== "write" && action.kind !== "delete") || !action.target || isAllowed(action.target))
        continue;
      const { target } = action;
      const hit = protectedAt(target, root, world);
      if (hit !== undefined) yield { message: "edits", data: { path: target.given, what: hit } };
      else if (action.kind === "delete") {
        const below = protectedBelow(target, root, world);
        if (below) yield { message: "removes", data: { path: target.given, what: below } };
      }
    }
  },
});

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

/**
 * A plain command that names no protected place, removes nothing and hides no word cannot touch one; most
 * commands are like that and need no parser.
 */
function mayTouch({ command, cwd }: ExecAction, root: string): boolean {
  // Where the workspace itself lies says nothing.
  const folder = cwd.startsWith(root) ? cwd.slice(root.length) : cwd;
  return mayNameProtected(command) || mayNameProtected(folder) || hidesOrRemoves.test(command);
}

const hidesOrRemoves = /["'`$\\*?[\]{}~]|\b(?:rm|rmdir|unlink|shred|mv|trash|srm)\b/;

function* judgeCommand(
  { command: text, cwd, shell: language }: ExecAction,
  { commandsIn, programOf }: typeof shell,
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

function isReading({ words, writesTo }: shell.ShellCommand, program: string): boolean {
  if (writesTo.length > 0 && words.length === 0) return true;
  if (program === "git")
    return readingGit.has(words.find((word, at) => at > 0 && !word.startsWith("-")) ?? "");
  if (program === "find")
    return !words.some((word) => /^-(?:delete|exec|execdir|ok|okdir|fprint)/.test(word));
  if (program === "yq") return !words.some((word) => /^-i|^--inplace/.test(word));
  return readers.has(program);
}

/** The text in which an interpreter's program may stand: its own words, or whatever is piped or fed to it. */
function codeFor({ words }: shell.ShellCommand, program: string, text: string): string {
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
