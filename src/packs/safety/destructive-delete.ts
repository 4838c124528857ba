import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { isInside } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import { isScratch, preciousAt } from "./_places.ts";
import { SaidOfPatterns } from "./_said-of-patterns.ts";
import { hasFlag, plainWords, runsOf, shown, wordsOf } from "./_runs.ts";

export default defineRule({
  summary: "Stops deletions of whole trees that the task cannot be about.",
  why: "What is deleted outside version control is gone.",
  since: "0.1.0",
  outcome: "block",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["delete", "exec"],
    programs: ["crontab", "rm", "find"],
  },
  options: (v) => v.strictObject({}),
  messages: {
    precious: {
      what: "this would delete {what} (`{path}`).",
      instead: "Delete only what the task made, by its own name.",
    },
    outside: {
      what: "this would delete the folder `{path}` outside the workspace.",
      instead: "Ask the user to delete it.",
    },
    unknown: {
      what: "what `{command}` deletes is only known when it runs.",
      instead: "Name what is to be deleted, or ask the user.",
    },
    remote: { what: "`{command}` deletes `{path}` on another machine.", instead: "Ask the user to do it." },
    schedule: {
      what: "`{command}` deletes all of the user's scheduled jobs.",
      instead: "Edit the one job with `crontab -e`, or ask the user.",
    },
  },
  examples: {
    catches: [
      { shell: "rm -rf /" },
      { shell: "sudo rm -rf --no-preserve-root /" },
      { shell: "rm -rf ~/" },
      { shell: "rm -fr ./*" },
      { shell: "rm -rf .git" },
      { shell: "find / -delete" },
      { shell: "bash -c 'cd .. && rm -rf neighbour'" },
      { shell: "D=/; rm -rf $D" },
      { shell: 'rm -rf "$BUILD_ROOT"/*' },
      { delete: ".git" },
    ],
    allows: [
      { shell: "rm -rf node_modules dist" },
      { shell: "rm -rf /tmp/build-123" },
      { shell: "find . -name '*.pyc' -delete" },
      { shell: 'd=$(mktemp -d) && rm -rf "$d"' },
      { shell: "echo 'rm -rf /'" },
      { shell: "rm src/old.ts" },
      { delete: "src/old.ts" },
    ],
  },
  *check({ event, world }) {
    const root = world.realPath(event.root);
    const said = new SaidOfPatterns();
    for (const action of event.actions) {
      if (action.kind !== "delete") continue;
      const recursive =
        action.recursive || (action.by?.via.some((via) => /^(?:find|xargs|fd|for each)/.test(via)) ?? false);
      const inHistory = action.target !== undefined && /\/\.git\/(?!.*\.lock$)/.test(action.target.real);
      const { target } = action;
      if (
        target &&
        !isOneOf(action.by?.program ?? "", "mv gmv git") &&
        /\.tfstate(?:\.backup)?$/.test(target.real) &&
        !isScratch(target.real, root, world)
      ) {
        yield {
          message: "precious",
          outcome: "ask",
          data: { what: "what is known about running resources", path: target.given },
        };
        continue;
      }
      if (action.by && !recursive && !inHistory) continue;
      if (!target) {
        // To move something is not to lose it, and git only touches what it keeps.
        if (action.by && !isOneOf(action.by.program, "mv gmv git") && action.recursive)
          yield { message: "unknown", outcome: "ask", data: { command: shown(action.by) } };
        continue;
      }
      const what = preciousAt(target, event.root, world);
      // A repository made in scratch space is nobody's work.
      if (what === "a repository's history" && isScratch(target.real, root, world)) continue;
      if (said.has(target, what)) continue;
      if (what !== undefined) yield { message: "precious", data: { what, path: target.given } };
      else if (recursive && !isInside(root, target.real) && !isScratch(target.real, root, world))
        yield { message: "outside", data: { path: target.given } };
      else continue;
      said.add(target, what);
    }
    for (const run of runsOf(event)) {
      const words = wordsOf(run);
      if (run.program === "crontab" && hasFlag(words, "-r"))
        yield { message: "schedule", outcome: "ask", data: { command: shown(run) } };
      if (run.elsewhere === undefined) continue;
      const path = deletedElsewhere(run, event.cwd);
      // A container that is started for it is thrown away anyway; one that runs keeps its data.
      const isContainer = /^(?:docker|podman|nerdctl|docker-compose)\b/.test(run.elsewhere);
      const isKept = !isContainer || (run.elsewhere.endsWith(" exec") && data.test(path ?? ""));
      if (path !== undefined && (isKept || isOneOf(path, "/* /"))) {
        yield {
          message: "remote",
          outcome: isOneOf(path, "/* /") ? "block" : "ask",
          data: { command: shown(run), path },
        };
      }
    }
  },
});

/** The tree that a command on another machine or in a container deletes. */
function deletedElsewhere(run: Run, start: string): string | undefined {
  const words = wordsOf(run);
  const isRm = run.program === "rm" && hasFlag(words, "-r", "-R", "--recursive");
  const isFind = run.program === "find" && words.includes("-delete");
  if (!isRm && !isFind) return undefined;
  // Where it begins nobody knows, but it may have gone somewhere.
  const moved = run.cwd !== undefined && run.cwd !== start ? run.cwd : undefined;
  return plainWords(isFind ? words.slice(0, 1) : words)
    .map((word) => (moved === undefined || /^[/~]/.test(word) ? word : `${moved}/${word}`))
    .find((word) => /^(?:\/|~)/.test(word) && !/^\/(?:tmp|var\/tmp)\/./.test(word));
}

/** Where a container keeps what must not be lost. */
const data = /^\/(?:var\/lib|data|srv|etc|usr|home|root|var\/www|opt|bitnami)(?:\/|$)/;
