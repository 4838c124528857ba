import * as v from "valibot";
import type { Action } from "../../core/action.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { branchesWritten, steersGit } from "../../shell/git-head.ts";
import { activePipeline } from "../../workflow/pipeline-state.ts";
import { realRoot } from "../../workflow/declared/moment.ts";
import { active } from "./_examples.ts";
import { following, hasCommands } from "./_following.ts";

export default defineRule({
  summary: "Keeps main and master from being checked out while a pipeline is active.",
  why: "What the pipeline writes and commits belongs to its feature branch.",
  since: "0.1.0",
  outcome: "block",
  presets: { pipeline: {} },
  on: { events: beforeTool, actions: ["exec", "write", "delete"] },
  options: () =>
    v.strictObject({
      branches: v.pipe(
        v.optional(v.array(v.string()), ["main", "master"]),
        v.description("The branches that are not checked out."),
      ),
    }),
  messages: {
    leaves: {
      what: "BLOCKED: git checkout/switch to main or master is not allowed during an active pipeline. Stay on the feature branch. (`{branch}`; {workspace} is at {phase})",
      instead: "Go on where you are, or ask the user to end the pipeline.",
    },
    unclear: {
      what: "which branch is checked out cannot be told before it runs, and main or master is not allowed during an active pipeline ({workspace} is at {phase}).",
      instead: "Name the branch.",
    },
    steers: {
      what: "`{what}` decides what git runs by itself or goes back to, and main or master is not allowed during an active pipeline ({workspace} is at {phase}).",
      instead: "Leave git's own files and settings as they are, or ask the user to change them.",
    },
  },
  examples: {
    catches: [
      { files: active("phase-5"), shell: "git checkout main" },
      { files: active("phase-5"), shell: 'git checkout "master"' },
      { files: active("phase-3", "failed"), shell: "git -C app switch main" },
      { files: active("phase-5"), shell: "git -c alias.go=checkout go -f origin/main" },
      { files: active("phase-5"), shell: "git switch -C main" },
      { files: active("phase-5"), shell: "git checkout $BRANCH" },
      { files: active("phase-5"), write: ".git/HEAD", text: "ref: refs/heads/main\n" },
    ],
    allows: [
      { shell: "git checkout main" },
      { files: active("phase-5", "abandoned"), shell: "git checkout main" },
      { files: active("phase-5"), shell: "git checkout feature/my-branch" },
      { files: active("phase-5"), shell: "git checkout -- src/main.go" },
      { files: active("phase-5"), shell: "git checkout main -- src/cart.go" },
      { files: active("phase-5"), shell: "git switch -c maintenance main" },
      { files: active("phase-5"), shell: "gh pr create --body 'Then git checkout main again.'" },
    ],
  },
  load: (event, world) =>
    hasCommands(event) && activePipeline(event.root, world) ? following(event, world) : undefined,
  *check({ event: given, world, options: { branches }, loaded }) {
    const event = loaded?.event ?? given;
    const pipeline = activePipeline(event.root, world);
    if (!pipeline) return;
    const data = { workspace: pipeline.folder, phase: pipeline.phase };
    const commands = loaded?.gitCommands(event, world) ?? [];
    const written = branchesWritten(event.actions, realRoot(event.root, world), world);
    const targets = [
      ...(loaded?.protectedTargets(commands, event.cwd, branches, world) ?? []),
      ...written.filter((name) => name === "?" || branches.includes(name)),
      ...(event.actions.some(isFedShell) ? ["?"] : []),
    ];
    for (const branch of new Set(targets)) {
      if (branch === "?") yield { message: "unclear", outcome: "ask", data };
      else yield { message: "leaves", data: { ...data, branch } };
    }
    for (const what of new Set([...steersGit(event.actions), ...(loaded?.settingsMade(event) ?? [])]))
      yield { message: "steers", outcome: "ask", data: { ...data, what } };
  },
});

/** A shell that runs a text which only another command knows. */
const isFedShell = (action: Action): boolean =>
  action.kind === "exec" &&
  action.commands.some(({ opaque, stdin, script }) => opaque && stdin && script === undefined);
