import type { Action } from "../../core/action.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import type { Finding } from "../../core/finding.ts";
import type { Component } from "../../core/hook.ts";
import { isInside, isSink } from "../../core/paths.ts";
import { payloadFor } from "../../handlers/payload.ts";
import { toolFor } from "../../handlers/tool-names.ts";
import { componentsIn } from "../../sources/components.ts";
import { isWanted } from "../../sources/match.ts";
import { followLinks } from "../../platform/files.ts";
import { plainName } from "../../core/plain-name.ts";
import { changeBy, commandsOf } from "./changes.ts";
import { isCalled, type Active } from "./active.ts";

/** What the components at work may not do, and a tool call before us would. */
export function limitsAt(event: Event, active: readonly Active[]): Finding[] {
  if (active.length === 0 || !event.tool || !beforeTool.some((name) => name === event.name)) return [];
  return componentsIn(
    event.root,
    active.map(({ name }) => name),
  )
    .filter((component) => active.some((each) => isCalled(component, each)))
    .flatMap((component) => limitsOf(component, event));
}

/** What a component may not do, and a tool call before us would. */
export function limitsOf(component: Component, event: Event): Finding[] {
  if (!event.tool) return [];
  const tool = toolFor(event)?.name ?? event.tool.name;
  const { tools, disallowed = [], permissionMode, folder, page, trouble } = component;
  if (trouble !== undefined)
    return [refusal(component, "trouble", `nobody can tell what it may do, since its page ${trouble}`)];
  const parts = partsOf(event, tool);
  const names = (list: readonly string[], part: Part): boolean =>
    list.some((rule) => part.tools.some((name) => isMeant(rule, part.event, name)));
  if (parts.some((part) => names(disallowed, part)))
    return [refusal(component, "disallowed", `\`${tool}\` is among the tools it may not use`)];
  if (tools && !parts.every((part) => names(tools, part)))
    return [
      refusal(
        component,
        "tools",
        `\`${tool}\` as it is used is none of its tools (${tools.join(", ") || "it has none"})`,
      ),
    ];
  const change = permissionMode?.toLowerCase() === "plan" ? changeBy(event) : undefined;
  if (change !== undefined)
    return [refusal(component, "plan", `it is in plan mode, which only reads, and this would ${change}`)];
  const targets = targetsOf(event);
  if (page !== undefined && isTouched(page, event))
    return [refusal(component, "page", "this would change its own page")];
  const own = folder === undefined ? undefined : targets.find((path) => isInside(folder, path));
  return own === undefined
    ? []
    : [refusal(component, "plugin", `\`${own}\` belongs to the plugin it came with`)];
}

/** A file is also gone with the folder it is in. */
const isTouched = (page: string, { actions }: Event): boolean =>
  actions.some((action) => {
    if ((action.kind !== "write" && action.kind !== "delete") || !action.target) return false;
    const places = [action.target.real, action.target.path];
    return [page, realOf(page)].some((path) =>
      places.some((place) => (action.kind === "delete" ? isInside(place, path) : place === path)),
    );
  });

function realOf(path: string): string {
  try {
    return followLinks(path);
  } catch {
    return path;
  }
}

/** One thing a call does, with the tools by whose name it may be allowed. */
interface Part {
  readonly event: Event;
  readonly tools: readonly string[];
}

/**
 * What a call does, thing by thing: a list of tools holds for every command of a command line and for every file of a patch. What
 * cannot be followed is something no entry with arguments names; nor is a file that a command line writes beside its commands.
 */
function partsOf(event: Event, tool: string): readonly Part[] {
  const only = (action: Action, tools: readonly string[] = [tool]): Part => ({
    event: { ...event, actions: [action] },
    tools,
  });
  const execs = event.actions.filter((action) => action.kind === "exec");
  if (execs.length === 0) {
    const files = event.actions.filter(
      ({ kind }) => kind === "write" || kind === "delete" || kind === "read",
    );
    return files.length === 0 ? [{ event, tools: [tool] }] : files.map((action) => only(action));
  }
  return execs.flatMap((exec) => {
    const texts = commandsOf(exec).map(({ called, args, isOpaque }) =>
      isOpaque ? unclear : [called, ...args].join(" "),
    );
    const isUnclear = exec.troubles.length > 0 || steering.test(exec.command);
    const all = isUnclear ? [...texts, unclear] : texts;
    const commands = all.map((command) => only({ ...exec, command, commands: [] }));
    return [...commands, ...redirected(event).map((action) => only(action, [tool, "Write", "Edit"]))];
  });
}

/** Files that are written by a `>`, not by a command. */
const redirected = ({ actions }: Event): readonly Action[] =>
  actions.filter(
    (action) =>
      action.kind === "write" &&
      !(action.target && isSink(action.target)) &&
      action.by?.redirects.some(
        ({ mode, target }) => mode !== "read" && (!action.target || target.text === action.target.given),
      ) === true,
  );

/** Variables that make a harmless program run another one: `GIT_EXTERNAL_DIFF=./x git diff`. */
const steering =
  /(?:^|[\s;&|(])(?:PATH|IFS|ENV|BASH_ENV|SHELL|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|(?:GIT|LD|DYLD|LESS|PYTHON|PERL|RUBY|NODE|NPM_CONFIG|SSH)_?\w*|\w+_(?:COMMAND|PAGER|EDITOR|OPTIONS))\+?=/i;

const unclear = "?";

const targetsOf = ({ actions }: Event): string[] =>
  actions.flatMap((action) =>
    (action.kind === "write" || action.kind === "delete") && action.target
      ? [action.target.real, action.target.path]
      : [],
  );

/** Whether an entry of a tool list is about a call: `Read`, `Bash(git add:*)`, `mcp__server`, `mcp__server__*`. */
function isMeant(rule: string, event: Event, tool: string): boolean {
  if (rule.startsWith("mcp__"))
    return tool === rule || tool.startsWith(`${rule.replace(/(?:__)?\*$/, "")}__`);
  // The tool that starts subagents has had two names.
  const renamed = rule.replace(/^Task\b/, "Agent");
  return [rule, renamed].some((permission) =>
    isWanted({ permission }, { event, tool, payload: payloadFor("plugin", event) }),
  );
}

const refusal = ({ kind, name }: Component, id: string, what: string): Finding => ({
  rule: `hooks/${kind}/${plainName(name)}`,
  outcome: "block",
  message:
    `Blocked by hooks/${kind}/${plainName(name)}: ${plainName(what)}.\nThe ${kind} may do only what its own page says.\n` +
    "Do it without the tool, or leave it to the agent that called.",
  id,
  data: {},
});
