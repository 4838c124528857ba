import { isOneOf } from "../../core/one-of.ts";
import { basename, dirname, join, resolve } from "node:path";
import { beforeTool, type Event } from "../../core/event.ts";
import type { Action, Target } from "../../core/action.ts";
import { pathBelow, toTarget } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { guardedByContent, standsInForUs } from "./_by-content.ts";
import { protectedAt, protectedBelow, protectedDirectlyIn } from "./_protected.ts";
import { lazily } from "../../core/lazily.ts";

export default defineRule({
  summary:
    "Stops edits of the policy, any agent's hook settings, the ledger, the executable, and what git itself runs.",
  why: "A guard that the guarded can switch off guards nothing.",
  since: "0.1.0",
  outcome: "block",
  failMode: "closed",
  presets: { recommended: {} },
  on: { events: beforeTool, actions: ["write", "delete", "exec"] },
  options: (v) =>
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
    brings: {
      what: "`{program}` puts something over `{path}` that was just fetched, and {what} lies there.",
      instead: "Look at what was fetched first, then take the files that are needed by their names.",
    },
    ours: {
      what: "`{path}` is git's own: it says where branches are, or is run by git itself.",
      instead: "Let git change it by its own commands, or ask the user.",
    },
    checks: {
      what: "`{command}` makes git run something from elsewhere, or none of the repository's own checks.",
      instead: "Keep the checks on; skip one for a single commit if the user says so.",
    },
    standsIn: {
      what: "`{path}` would be asked in the guard's place.",
      instead: "Use another name for it, or ask the user.",
    },
    ends: {
      what: "`{command}` would end the guard itself.",
      instead: "Ask the user to do it; a process of your own can be ended by its number.",
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
      { write: ".vscode/settings.json", text: '{"chat.useHooks": false}' },
      { write: ".env", text: "OPENCODE_PURE=1\n" },
      { write: "bin/hookline", text: "#!/bin/sh\n" },
      { links: { notes: ".claude" }, write: "notes/settings.json", text: "{}" },
      { delete: ".hookline/ledger" },
      { files: { ".claude/settings.json": "{}" }, delete: ".claude" },
      { patch: "*** Begin Patch\n*** Delete File: hookline.yaml\n*** End Patch" },
      { shell: "echo '{}' > .claude/settings.json" },
      { shell: "sed -i s/block/off/ hookline.yaml" },
      { shell: "pkill -f hookline" },
      { shell: "git config core.hooksPath /dev/null" },
      { shell: "echo 'exit 0' > .git/hooks/pre-commit" },
      { files: { "hookline.yaml": "" }, shell: "cd src; bash -c 'rm -f ../hookline.yaml'" },
      { files: { ".claude/settings.json": "{}" }, shell: "rm -rf .claude" },
      { shell: "python3 -c \"open('.claude/settings.json','w').write('{}')\"" },
    ],
    allows: [
      { write: "src/settings.json", text: "{}" },
      { write: ".claude/commands/deploy.md", text: "Deploy." },
      { write: ".vscode/settings.json", text: '{"editor.tabSize": 2}' },
      { write: ".env", text: "PORT=3000\n" },
      { read: "hookline.yaml" },
      { shell: "cat .claude/settings.json" },
      { shell: "git diff hookline.yaml" },
      { shell: "pgrep -fl hookline" },
      { shell: "git config core.hooksPath .husky" },
      { shell: "echo dist >> .git/info/exclude" },
      { shell: "git commit -m 'docs: explain hookline.yaml'" },
      { shell: "rm -rf node_modules" },
      { write: "hookline.yaml", text: "mode: observe\n", options: { allow: ["hookline.yaml"] } },
    ],
  },
  load: (event) => (event.actions.some(wasUnfolded) ? touches() : undefined),
  *check({ event, world, options, loaded }) {
    if (event.actions.every((action) => action.kind === "exec" && !wasUnfolded(action))) return;
    const root = world.realPath(event.root);
    const text = textOf(event);
    // The file itself, not what a link of that name leads to.
    const isAllowed = (target: Target): boolean =>
      options.allow.some((path) => resolve(event.root, path) === target.path) &&
      target.real === join(world.realPath(dirname(target.path)), basename(target.path));
    for (const action of event.actions) {
      if (action.kind === "exec" && loaded) yield* loaded.commandTouches(action, root, world, isAllowed);
      if (action.kind === "write" && loaded && (action.from || (action.by && !action.target))) {
        const brought = loaded.broughtBy(action, event, root, world);
        const program = action.by?.program ?? "";
        if (brought?.unseen)
          yield { message: "brings", outcome: "ask", data: { ...dataOf(brought), program } };
        else if (brought && !isAllowed(toTarget(brought.path, action.by?.cwd ?? event.cwd, world)))
          yield { message: "edits", data: dataOf(brought) };
      }
      if ((action.kind !== "write" && action.kind !== "delete") || !action.target || isAllowed(action.target))
        continue;
      const { target } = action;
      const hit =
        protectedAt(target, root, world) ??
        (putsFolder(action) ? protectedBelow(target, root, world) : undefined);
      const below =
        hit === undefined && (action.kind === "delete" || (hasGlob(target.given) && !action.from))
          ? (protectedBelow(target, root, world) ??
            (action.kind === "delete" && isWholeFolder(target.given) && !isFound(action)
              ? protectedBelow(withoutGlob(target, event.cwd, world), root, world)
              : undefined) ??
            (action.kind === "delete" && action.by
              ? loaded?.foundBelow(target, action.by, textOf(event), root, world)
              : undefined))
          : undefined;
      if (action.kind === "write" && isOfGit(target, root))
        yield { message: "ours", outcome: "ask", data: { path: target.given } };
      const isHit = hit !== undefined || below !== undefined;
      const standsIn = isHit ? undefined : standsInForUs(action, target, world);
      if (standsIn) yield { message: "standsIn", outcome: standsIn, data: { path: target.given } };
      const content = isHit ? undefined : guardedByContent(action, target, world, text);
      if (content !== undefined)
        yield {
          message: action.kind === "delete" ? "removes" : "edits",
          data: { path: target.given, what: content },
        };
      if (action.kind === "write" && action.by && !action.from && isWholeFolder(target.given)) {
        const folder = withoutGlob(target, event.cwd, world);
        const what = isOneOf(action.by.program, onlyTouches)
          ? undefined
          : protectedDirectlyIn(folder, root, world);
        const outcome = folder.path === event.root ? { outcome: "ask" as const } : {};
        if (what !== undefined) yield { message: "edits", ...outcome, data: { path: target.given, what } };
      }
      if (hit !== undefined) yield { message: "edits", data: { path: target.given, what: hit } };
      else if (below !== undefined) yield { message: "removes", data: { path: target.given, what: below } };
    }
  },
});

/** Where git keeps branches, settings and what it runs by itself; lists of what it ignores are anybody's. */
const isOfGit = ({ path, real }: Target, root: string): boolean =>
  path.includes("/.git/") &&
  [path, real].some((each) =>
    /^\.git\/(?:hooks(?:\/|$)|config(?:\.worktree)?$|HEAD$|index$|packed-refs$|refs\/|objects\/|logs\/|info\/attributes$)/.test(
      pathBelow(root, each) ?? "",
    ),
  );

/** A command line that is plainly harmless is not unfolded, and names nothing protected. */
const wasUnfolded = (action: Action): boolean =>
  action.kind === "exec" && action.commands.length + action.troubles.length > 0;

/** What is to be run, where it is a command line that writes. */
const textOf = ({ actions }: Event): string =>
  actions.flatMap((action) => (action.kind === "exec" ? [action.command] : [])).join("\n");

const dataOf = ({ path, what }: { path: string; what: string }) => ({ path, what });

/** A whole folder put in the place of an agent's own, or one that is made unreadable. */
const putsFolder = (action: Action): boolean =>
  action.kind === "write" &&
  action.by !== undefined &&
  isOneOf(
    action.by.program,
    "cp mv ln install rsync gcp gmv git tar gtar bsdtar unzip cpio patch mount chmod chown setfacl",
  ) &&
  /\/\.\w+\/?$/.test(action.target?.path ?? "");

const hasGlob = (path: string): boolean => /[*?[]/.test(path);

/** Programs that leave the content as it is. */
const onlyTouches = "chmod chown chgrp touch mkdir setfacl chattr";

/** What `find` narrows down is something in the folder, not all of it. */
const isFound = (action: Action): boolean =>
  "by" in action &&
  (action.by?.program === "find" || (action.by?.via.some((via) => via.startsWith("find")) ?? false));

const isWholeFolder = (path: string): boolean => /(?:^|\/)\.?\*$/.test(path);

/** `rm -rf .claude/*` empties the folder it names. */
function withoutGlob(target: Target, cwd: string, world: World): Target {
  if (!hasGlob(target.given)) return target;
  return toTarget(target.path.replace(/[^/]*[*?[].*$/, "") || ".", cwd, world);
}

/** What a command line does to protected places by other ways than an action; a write alone does not need it. */
export const touches = lazily(() => import("./_command-touches.ts"));
