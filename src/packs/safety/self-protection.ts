import { basename, dirname, join, resolve } from "node:path";
import { beforeTool } from "../../core/event.ts";
import type { Action, Target, WriteAction } from "../../core/action.ts";
import { imageAfter } from "../../core/image.ts";
import { toTarget } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { protectedAt, protectedBelow, protectedDirectlyIn } from "./_protected.ts";
import { lazily } from "../../core/lazily.ts";

export default defineRule({
  summary: "Stops an agent from editing the policy, any agent's hook settings, the ledger or the executable.",
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
      { links: { notes: ".claude" }, write: "notes/settings.json", text: "{}" },
      { delete: ".hookline/ledger" },
      { files: { ".claude/settings.json": "{}" }, delete: ".claude" },
      { patch: "*** Begin Patch\n*** Delete File: hookline.yaml\n*** End Patch" },
      { shell: "echo '{}' > .claude/settings.json" },
      { shell: "sed -i s/block/off/ hookline.yaml" },
      { shell: "pkill -f hookline" },
      { files: { "hookline.yaml": "" }, shell: "cd src; bash -c 'rm -f ../hookline.yaml'" },
      { files: { ".claude/settings.json": "{}" }, shell: "rm -rf .claude" },
      { shell: "python3 -c \"open('.claude/settings.json','w').write('{}')\"" },
    ],
    allows: [
      { write: "src/settings.json", text: "{}" },
      { write: ".claude/commands/deploy.md", text: "Deploy." },
      { write: ".vscode/settings.json", text: '{"editor.tabSize": 2}' },
      { read: "hookline.yaml" },
      { shell: "cat .claude/settings.json" },
      { shell: "git diff hookline.yaml" },
      { shell: "pgrep -fl hookline" },
      { shell: "git commit -m 'docs: explain hookline.yaml'" },
      { shell: "rm -rf node_modules" },
      { write: "hookline.yaml", text: "mode: observe\n", options: { allow: ["hookline.yaml"] } },
    ],
  },
  load: (event) => (event.actions.some(wasUnfolded) ? touches() : undefined),
  *check({ event, world, options, loaded }) {
    if (event.actions.every((action) => action.kind === "exec" && !wasUnfolded(action))) return;
    const root = world.realPath(event.root);
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
              : undefined))
          : undefined;
      if (action.kind === "write" && switchesEditorHooks(action, world)) {
        yield {
          message: "edits",
          data: { path: target.given, what: "where the editor's hooks are switched off" },
        };
      }
      if (action.kind === "write" && action.by && !action.from && isWholeFolder(target.given)) {
        const folder = withoutGlob(target, event.cwd, world);
        const what = onlyTouches.test(action.by.program)
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

/** A command line that is plainly harmless is not unfolded, and names nothing protected. */
const wasUnfolded = (action: Action): boolean =>
  action.kind === "exec" && action.commands.length + action.troubles.length > 0;

/** VS Code's settings hold much else; only what they say about hooks is protected. */
function switchesEditorHooks(action: WriteAction, world: World): boolean {
  if (!/\/\.vscode\/settings\.json$/i.test(action.target?.path ?? "")) return false;
  const hooks = /"chat\.(?:useHooks|hookFilesLocations|useCustomAgentHooks)"/;
  const before = world.read(action.target?.real ?? "") ?? "";
  const after = imageAfter(action, world)?.text ?? "";
  return hooks.test(after) !== hooks.test(before) || (hooks.test(after) && after !== before);
}

const dataOf = ({ path, what }: { path: string; what: string }) => ({ path, what });

/** A whole folder put in the place of an agent's own. */
const putsFolder = (action: Action): boolean =>
  action.kind === "write" &&
  action.by !== undefined &&
  /^(?:cp|mv|ln|install|rsync|gcp|gmv|git|tar|gtar|bsdtar|unzip|cpio|patch)$/.test(action.by.program) &&
  /\/\.\w+\/?$/.test(action.target?.path ?? "");

const hasGlob = (path: string): boolean => /[*?[]/.test(path);

/** Programs that leave the content as it is. */
const onlyTouches = /^(?:chmod|chown|chgrp|touch|mkdir|setfacl|chattr)$/;

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

const touches = lazily(() => import("./_command-touches.ts"));
