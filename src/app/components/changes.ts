import type { ExecAction } from "../../core/action.ts";
import type { Event } from "../../core/event.ts";
import { isSink } from "../../core/paths.ts";

/** What a call would change, for somebody who may only read; nothing when it plainly reads. */
export function changeBy({ actions, tool }: Event): string | undefined {
  for (const action of actions) {
    if (action.kind === "write" || action.kind === "delete") {
      if (action.target && isSink(action.target)) continue;
      return `change ${action.target ? `\`${action.target.given}\`` : "a file nobody can tell"}`;
    }
    if (action.kind !== "exec") continue;
    const run = commandsOf(action).find((each) => each.isOpaque || isChange(each));
    if (action.troubles.length > 0 || run?.isOpaque) return "do what cannot be followed";
    if (run) return `change something by \`${[run.program, run.args[0]].join(" ").trim()}\``;
  }
  return tool && isChangeByName(tool.name) ? `change something by its name (\`${tool.name}\`)` : undefined;
}

interface Command {
  readonly program: string;
  /** The program as it was called. */
  readonly called: string;
  readonly args: readonly string[];
  readonly isOpaque: boolean;
}

/** The commands of a command line. One that is plainly harmless has not been taken apart: it has words and nothing else. */
export function commandsOf({ commands, command, troubles }: ExecAction): readonly Command[] {
  if (commands.length > 0)
    return commands.map(({ program, called, args, opaque }) => ({
      program,
      called,
      args: args.map(({ text }) => text),
      isOpaque: opaque === true,
    }));
  return troubles.length > 0
    ? []
    : command.split(/\|\|?|&&/).map((part) => {
        const [called = "", ...args] = part.trim().split(/\s+/);
        return { program: called, called, args, isOpaque: false };
      });
}

/** Of programs that read and write by a word behind them, the words that write. */
const writing: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|in|install|ci|add|rm|r|un|remove|uninstall|up|update|upgrade|link|publish|dedupe|prune|version|init|create|audit)$/,
  pnpm: /^(?:i|install|add|rm|remove|un|uninstall|up|update|link|publish|dedupe|prune|init|create|import)$/,
  yarn: /^(?:install|add|remove|up|upgrade|link|publish|dedupe|init|create|version)$/,
  bun: /^(?:i|install|add|rm|remove|update|link|publish|init|create|patch)$/,
  pip: /^(?:install|uninstall|download)$/,
  pip3: /^(?:install|uninstall|download)$/,
  uv: /^(?:add|remove|sync|lock|pip|init|venv|publish)$/,
  poetry: /^(?:add|remove|install|update|lock|init|publish|version)$/,
  cargo: /^(?:add|remove|install|uninstall|update|fmt|fix|publish|new|init|clean)$/,
  go: /^(?:get|install|mod|fmt|fix|generate|clean|work)$/,
  gem: /^(?:install|uninstall|update|push)$/,
  bundle: /^(?:install|update|add|remove)$/,
};

/** What git only looks at, and of words that do both, how one looks. */
const gitReads =
  /^(?:status|log|diff|show|blame|annotate|grep|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|ls-remote|cat-file|name-rev|merge-base|show-ref|show-branch|for-each-ref|count-objects|check-ignore|check-attr|var|version|help|whatchanged|range-diff|diff-tree|diff-index|diff-files|cherry|fsck|verify-commit|verify-tag|reflog)$/;
const gitBoth = /^(?:branch|tag|remote|config|stash|worktree|submodule|notes|bundle|bisect)$/;
const gitLooks =
  /^(?:-l|--list|-v+|-a|-r|--all|--remotes|--contains|--merged|--no-merged|--points-at|--sort.*|--format.*|--show-current|--get.*|--show-origin|list|show|get|get-url|status|summary|verify|log)$/;

function isChange({ program, args: words }: Command): boolean {
  if (program !== "git") {
    const table = Object.hasOwn(writing, program) ? writing[program] : undefined;
    const word = words.find((each) => !each.startsWith("-"));
    return table !== undefined && (word === undefined ? program === "yarn" : table.test(word));
  }
  const at = words.findIndex(
    (word, index) =>
      !word.startsWith("-") && !/^(?:-C|-c|--git-dir|--work-tree)$/.test(words[index - 1] ?? ""),
  );
  const [word, next] = at === -1 ? [] : words.slice(at);
  if (word === undefined || gitReads.test(word)) return false;
  return !(gitBoth.test(word) && (next === undefined ? word !== "stash" : gitLooks.test(next)));
}

const verbs = new Set(
  (
    "add append apply approve archive assign clear close commit copy create delete deploy disable drop edit enable execute fork insert " +
    "install invite kill merge modify move mutate patch post publish push put remove rename replace reply reset restart restore revoke run " +
    "save send set start stop submit truncate unassign uninstall update upload upsert write"
  ).split(" "),
);

/** A tool of a server, about which nothing else is known than what it is called. */
const isChangeByName = (tool: string): boolean =>
  tool.startsWith("mcp__") &&
  (
    tool
      .split("__")
      .slice(2)
      .join("_")
      .match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []
  ).some((word) => verbs.has(word.toLowerCase()));
