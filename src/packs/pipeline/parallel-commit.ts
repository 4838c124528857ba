import * as v from "valibot";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { activePipeline, tasksOf, type Pipeline } from "../../workflow/pipeline-state.ts";
import { active, tasks } from "./_examples.ts";
import { following } from "./_following.ts";

const parallel = active("phase-5", "in_progress", tasks("parallel", "parallel"));

export default defineRule({
  summary: "Keeps commits back while tasks of a pipeline are worked on side by side.",
  why: "They share one index: a commit of one task takes half of another with it.",
  since: "0.1.0",
  outcome: "block",
  presets: { pipeline: {} },
  on: { events: beforeTool, actions: ["exec"] },
  options: () => v.strictObject({}),
  messages: {
    early: {
      what: "git commit is blocked during parallel task execution. The orchestrator will batch-commit after all parallel tasks complete. (in progress: {tasks})",
      instead: "Leave the changes uncommitted and report the task as done.",
    },
    unclear: {
      what: "what `git {verb}` does cannot be told, and no commit is made during parallel task execution (in progress: {tasks}).",
      instead: "Use a command of git itself.",
    },
  },
  examples: {
    catches: [
      { files: parallel, shell: "git commit -m 'feat: cart'" },
      { files: parallel, shell: "cd app && git -C . commit --amend --no-edit" },
      { files: parallel, shell: "git -c alias.ci=commit ci -am wip" },
      { files: parallel, shell: "git town ship" },
    ],
    allows: [
      { shell: "git commit -m 'feat: cart'" },
      { files: active("phase-5", "in_progress", tasks("sequential")), shell: "git commit -m 'feat: cart'" },
      { files: active("phase-6", "in_progress", tasks("parallel")), shell: "git commit -m 'feat: cart'" },
      { files: parallel, shell: "echo git commit" },
      { files: parallel, shell: "git commit-tree HEAD^{tree} -m x" },
      { files: parallel, shell: "git stash list --grep commit" },
    ],
  },
  load: (event, world) => (inParallel(event.root, world).length > 0 ? following(event, world) : undefined),
  *check({ event, world, loaded }) {
    if (!loaded) return;
    const commands = loaded.gitCommands(loaded.event, world);
    const data = { tasks: inParallel(event.root, world).join(", ") };
    if (commands.some((command) => loaded.commits(command))) yield { message: "early", data };
    const strange = commands.find((command) => command.strange);
    if (strange) yield { message: "unclear", outcome: "ask", data: { ...data, verb: strange.verb } };
  },
});

/** The numbers of the tasks that are worked on side by side. */
function inParallel(root: string, world: World): string[] {
  const pipeline: Pipeline | undefined = activePipeline(root, world);
  if (pipeline?.phase !== "phase-5" || pipeline.status !== "in_progress") return [];
  return tasksOf(pipeline).flatMap(([number, task]) =>
    task["executionMode"] === "parallel" && task["implStatus"] === "in_progress" ? [number] : [],
  );
}
