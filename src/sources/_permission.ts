import { pathBelow } from "../core/paths.ts";
import type { Occasion } from "./match.ts";

/**
 * Whether a permission rule such as `Bash(git *)`, `Bash(npm run:*)` or `Edit(src/**)` is about an event. Where it cannot be
 * told, the hook runs: a check too many does no harm.
 */
export function permits(rule: string, { event, tool }: Occasion): boolean {
  if (!event.tool) return false;
  const [, name = rule, inner] = /^([^(]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  if (name.trim() !== tool) return false;
  if (inner === undefined || inner === "" || inner === "*") return true;
  const commands = event.actions.flatMap((action) =>
    action.kind === "exec"
      ? [
          action.command,
          ...action.commands.map((run) => [run.called, ...run.args.map((word) => word.text)].join(" ")),
        ]
      : [],
  );
  if (commands.length > 0) return commands.some((command) => fitsCommand(inner, command));
  const paths = event.actions.flatMap((action) =>
    "target" in action && action.target ? [action.target.real] : [],
  );
  if (paths.length === 0) return true;
  const glob = new Bun.Glob(inner.replace(/^\/\//, "/"));
  return paths.some((path) => glob.match(path) || glob.match(pathBelow(event.root, path) ?? path));
}

/** `git add:*` is a beginning, `git *` a pattern. */
function fitsCommand(pattern: string, command: string): boolean {
  if (pattern.endsWith(":*")) {
    const start = pattern.slice(0, -2);
    return command === start || command.startsWith(`${start} `);
  }
  // A final ` *` also fits the bare command.
  return fitsStars(pattern.split("*"), command) || pattern === `${command} *`;
}

/** Pieces that stand in a text in this order, from its beginning to its end. By search: a regular expression could take for ever. */
function fitsStars(pieces: readonly string[], text: string): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
