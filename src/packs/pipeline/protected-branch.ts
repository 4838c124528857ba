import * as v from "valibot";
import { beforeTool } from "../../core/event.ts";
import { lazily } from "../../core/lazily.ts";
import { defineRule } from "../../core/rule.ts";
import { activePipeline } from "../../workflow/pipeline-state.ts";
import { active, gitPrograms } from "./_examples.ts";

export default defineRule({
  summary: "Keeps main and master from being checked out while a pipeline is active.",
  why: "What the pipeline writes and commits belongs to its feature branch.",
  since: "0.1.0",
  outcome: "block",
  presets: { pipeline: {} },
  on: { events: beforeTool, actions: ["exec"], programs: gitPrograms },
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
  load: (event, world) => (activePipeline(event.root, world) ? git() : undefined),
  *check({ event, world, options, loaded }) {
    const pipeline = loaded && activePipeline(event.root, world);
    if (!loaded || !pipeline) return;
    const data = { workspace: pipeline.folder, phase: pipeline.phase };
    for (const command of loaded.gitCommands(event, world)) {
      const branch = loaded.protectedTarget(command, event.cwd, options.branches, world);
      if (branch === "?") yield { message: "unclear", outcome: "ask", data };
      else if (branch !== undefined) yield { message: "leaves", data: { ...data, branch } };
    }
  },
});

const git = lazily(async () => ({ ...(await import("./_git.ts")), ...(await import("./_branch.ts")) }));
