import * as v from "valibot";
import { beforeTool } from "../../core/event.ts";
import type { ExecAction, Target } from "../../core/action.ts";
import { toTarget } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import { mayNameProtected, protectedAt, protectedBelow } from "./_protected.ts";

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
      ? import("./_command-touches.ts")
      : undefined,
  *check({ event, world, options, loaded }) {
    const worthALook = event.actions.filter(
      (action) => action.kind !== "exec" || mayTouch(action, event.root),
    );
    if (worthALook.length === 0) return;
    const root = world.realPath(event.root);
    const isAllowed = (target: Target): boolean =>
      options.allow.some((path) => toTarget(path, event.root, world).real === target.real);
    for (const action of worthALook) {
      if (action.kind === "exec" && loaded) yield* loaded.commandTouches(action, root, world, isAllowed);
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

/**
 * A plain command that names no protected place, removes nothing and hides no word cannot touch one; most
 * commands are like that and need no parser.
 */
function mayTouch({ command, cwd }: ExecAction, root: string): boolean {
  // Where the workspace itself lies says nothing.
  const folder = cwd.startsWith(root) ? cwd.slice(root.length) : cwd;
  return (
    mayNameProtected(command) ||
    mayNameProtected(folder) ||
    hidingOrRemoving.some((sign) => command.includes(sign))
  );
}

// Texts, not a pattern: to compile one costs more than all these looks.
const hidingOrRemoving = [
  '"',
  "'",
  "`",
  "$",
  "\\",
  "*",
  "?",
  "[",
  "{",
  "~",
  "rm",
  "mv",
  "unlink",
  "shred",
  "trash",
];
