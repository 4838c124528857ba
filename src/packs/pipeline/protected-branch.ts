import * as v from "valibot";
import type { Action, WriteAction } from "../../core/action.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { imagesOf } from "../../core/images.ts";
import { lazily } from "../../core/lazily.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { activePipeline } from "../../workflow/pipeline-state.ts";
import { active, gitPrograms } from "./_examples.ts";

export default defineRule({
  summary: "Keeps main and master from being checked out while a pipeline is active.",
  why: "What the pipeline writes and commits belongs to its feature branch.",
  since: "0.1.0",
  outcome: "block",
  presets: { pipeline: {} },
  on: { events: beforeTool, actions: ["exec", "write"], programs: gitPrograms },
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
    event.actions.some(({ kind }) => kind === "exec") && activePipeline(event.root, world)
      ? git()
      : undefined,
  *check({ event, world, options: { branches }, loaded }) {
    const heads = event.actions.filter(isHead);
    const pipeline = loaded || heads.length > 0 ? activePipeline(event.root, world) : undefined;
    if (!pipeline) return;
    const data = { workspace: pipeline.folder, phase: pipeline.phase };
    const commands = loaded?.gitCommands(event, world) ?? [];
    const targets = [
      ...commands.map((command) => loaded?.protectedTarget(command, event.cwd, branches, world)),
      ...heads.map((action) => writtenHead(action, event, branches, world)),
    ];
    for (const branch of targets) {
      if (branch === "?") yield { message: "unclear", outcome: "ask", data };
      else if (branch !== undefined) yield { message: "leaves", data: { ...data, branch } };
    }
  },
});

/** The file in which git keeps what is checked out, here or in a worktree. */
const isHead = (action: Action): action is WriteAction =>
  action.kind === "write" && /\/\.git\/(?:worktrees\/[^/]+\/)?HEAD$/.test(action.target?.real ?? "");

/** The protected branch that file would name; `?` when nobody can tell. */
function writtenHead(
  action: WriteAction,
  { actions }: Event,
  branches: readonly string[],
  world: World,
): string | undefined {
  const image = imagesOf(actions, world).after(action);
  if (image?.whole !== true) return "?";
  const name = /^ref:\s*refs\/heads\/(\S+)/.exec(image.text)?.[1];
  return branches.find((branch) => branch === name);
}

const git = lazily(async () => ({
  ...(await import("../../shell/git-commands.ts")),
  ...(await import("../../shell/git-branch.ts")),
}));
