import type { Action } from "../core/action.ts";
import type { Event } from "../core/event.ts";
import { asText, isObject } from "../core/json.ts";
import { pathBelow } from "../core/paths.ts";

/**
 * Whether a permission rule such as `Bash(git *)`, `Bash(npm run:*)`, `Edit(src/**)`, `Agent(worker)` or `WebFetch(domain:example.com)` is
 * about a call of a tool. Nothing where that cannot be told: who asks decides what is safe then.
 */
export function permits(rule: string, event: Event, tool: string | undefined): boolean | undefined {
  if (!event.tool) return false;
  const [, name = rule, inner] = /^([^(]+)(?:\((.*)\))?$/s.exec(rule.trim()) ?? [];
  if (name.trim() !== tool) return false;
  if (inner === undefined || inner === "" || inner === "*") return true;
  const commands = commandsIn(event.actions);
  if (commands.length > 0) return commands.some((command) => fitsCommand(inner, command));
  const about = event.actions.flatMap((action) => fitsAction(inner, action, event.root) ?? []);
  if (about.length > 0) return strongest(about);
  const skill = tool === "Skill" ? skillIn(event.tool.input) : undefined;
  return skill === undefined ? undefined : fitsCommand(inner, skill);
}

/** What one of several says. */
const strongest = (all: readonly ("yes" | "no" | "unclear")[]): boolean | undefined =>
  all.includes("yes") ? true : all.includes("unclear") ? undefined : false;

const commandsIn = (actions: readonly Action[]): readonly string[] =>
  actions.flatMap((action) =>
    action.kind === "exec"
      ? [
          action.command,
          ...action.commands.map((run) => [run.called, ...run.args.map((word) => word.text)].join(" ")),
        ]
      : [],
  );

/** Whether what stands in the brackets is about one thing a call does; nothing where there is nothing to compare. */
function fitsAction(inner: string, action: Action, root: string): "yes" | "no" | "unclear" | undefined {
  if (action.kind === "delegate") {
    const { agent } = action;
    if (agent === undefined) return "unclear";
    return inner.split(",").some((name) => name.trim() === agent) ? "yes" : "no";
  }
  if (action.kind === "fetch") {
    const [, domain] = /^domain:\s*(.+)$/.exec(inner) ?? [];
    const host = action.url === undefined ? undefined : hostOf(action.url);
    if (domain === undefined || host === undefined) return "unclear";
    return fitsStars(domain.trim().toLowerCase().split("*"), host) ? "yes" : "no";
  }
  if (!("target" in action) || !action.target) return undefined;
  const { real, path } = action.target;
  const fits = fitsPath(inner, real, root);
  // By a link it is meant all the same, though not by who grants it.
  return fits === "no" && fitsPath(inner, path, root) !== "no" ? "unclear" : fits;
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return undefined;
  }
}

const skillIn = (input: unknown): string | undefined =>
  isObject(input) ? (asText(input["skill"]) ?? asText(input["name"]) ?? asText(input["command"])) : undefined;

/**
 * Patterns as in ignore files: `src/**` and `./src/**` from the workspace on, `*.env` in any folder, a folder with all below it; `//etc` from the
 * root of the system. A single `/` means the workspace to some and the system to others, and whose home `~` is does not stand here.
 */
function fitsPath(pattern: string, path: string, root: string): "yes" | "no" | "unclear" {
  if (pattern.startsWith("~/")) return fitsGlob(`/**${pattern.slice(1)}`, path) ? "unclear" : "no";
  if (pattern.startsWith("//")) return fitsGlob(pattern.slice(1), path) ? "yes" : "no";
  const below = pathBelow(root, path);
  const bare = pattern.replace(/^(?:\.?\/)+/, "");
  const isAnywhere = !bare.replace(/\/$/, "").includes("/") && !/^\.?\//.test(pattern);
  if (below !== undefined && fitsGlob(bare, below)) return "yes";
  if (below !== undefined && isAnywhere && fitsGlob(`**/${bare}`, below)) return "yes";
  return pattern.startsWith("/") && fitsGlob(pattern, path) ? "unclear" : "no";
}

const fitsGlob = (pattern: string, path: string): boolean => {
  const whole = pattern.replace(/\/$/, "");
  return new Bun.Glob(whole).match(path) || new Bun.Glob(`${whole}/**`).match(path);
};

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
