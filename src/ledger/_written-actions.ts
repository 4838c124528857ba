import type { Action } from "../core/action.ts";
import type { Run, Word } from "../core/command.ts";

/**
 * Actions as they are written down: each command stands once, in `commands` of what is run, and is meant elsewhere by its
 * place there. Written out, a command with a thousand files would stand in each of a thousand actions.
 */
export function writtenActions(actions: readonly Action[]): readonly unknown[] {
  const places = new Map<Run, number>();
  for (const action of actions)
    if (action.kind === "exec") for (const run of action.commands) places.set(run, places.size);
  if (places.size === 0) return actions;

  const placeOf = (run: Run): number | string => places.get(run) ?? run.called;
  const written = (word: Word): unknown => (word.from ? { ...word, from: word.from.map(placeOf) } : word);
  const bare = (run: Run): unknown => ({
    ...run,
    args: run.args.map(written),
    ...(run.redirects.some(({ target }) => target.from)
      ? { redirects: run.redirects.map((each) => ({ ...each, target: written(each.target) })) }
      : {}),
    ...(run.stdin?.from === "commands"
      ? { stdin: { from: "commands", commands: run.stdin.commands.map(placeOf) } }
      : {}),
  });
  return actions.map((action) => {
    if (action.kind === "exec") return { ...action, commands: action.commands.map(bare) };
    return "by" in action && action.by ? { ...action, by: placeOf(action.by) } : action;
  });
}
