import type { Action } from "../../core/action.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import type { Finding } from "../../core/finding.ts";
import type { Component } from "../../core/hook.ts";
import { isInside, isSink } from "../../core/paths.ts";
import { toolFor } from "../../handlers/tool-names.ts";
import { componentsIn } from "../../sources/components.ts";
import { isListed } from "../../sources/tool-list.ts";
import { followLinks } from "../../platform/files.ts";
import { plainName } from "../../core/plain-name.ts";
import { changeBy, commandsOf } from "./changes.ts";
import { isCalled, type Active } from "./active.ts";
import { modeOf } from "./inherited.ts";

/**
 * What the components at work may not do, and a tool call before us would. What hooks have made of a call has to keep to the mode of
 * whoever called, too: with the call itself the agent does that.
 */
export function limitsAt(event: Event, active: readonly Active[], isChanged = false): Finding[] {
  if (active.length === 0 || !event.tool || !beforeTool.some((name) => name === event.name)) return [];
  return componentsIn(
    event.root,
    active.map(({ name }) => name),
  )
    .filter((component) => active.some((each) => isCalled(component, each)))
    .flatMap((component) => limitsOf(component, event, isChanged ? modeOf(component, event) : undefined));
}

/** What a component may not do in a mode, its own where none is given, and a tool call before us would. */
export function limitsOf(component: Component, event: Event, mode = component.permissionMode): Finding[] {
  if (!event.tool) return [];
  const tool = toolFor(event)?.name ?? event.tool.name;
  const { tools, disallowed = [], folder, page, trouble } = component;
  if (trouble !== undefined)
    return [refusal(component, "trouble", `nobody can tell what it may do, since its page ${trouble}`)];
  const parts = partsOf(event, tool);
  const isAmong = (list: readonly string[], part: Part): boolean | undefined => {
    const told = list.map((entry) =>
      part.isUnclear && entry.includes("(") ? undefined : isListed(entry, part.event, part.tools),
    );
    return told.includes(true) ? true : told.includes(undefined) ? undefined : false;
  };
  // What cannot be told is not granted, and is kept from who may not use it.
  if (parts.some((part) => isAmong(disallowed, part) !== false))
    return [refusal(component, "disallowed", `\`${tool}\` is among the tools it may not use`)];
  if (tools && !parts.every((part) => isAmong(tools, part) === true))
    return [
      refusal(
        component,
        "tools",
        `\`${tool}\` as it is used is none of its tools (${tools.join(", ") || "it has none"})`,
      ),
    ];
  const change = mode?.toLowerCase() === "plan" ? changeBy(event) : undefined;
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
  /** What it is cannot be told. */
  readonly isUnclear?: true;
}

/**
 * What a call does, thing by thing: a list of tools holds for every command of a command line and for every file of a patch. What
 * cannot be followed is something no entry with arguments names; nor is a file that a command line writes beside its commands.
 */
function partsOf(event: Event, tool: string): readonly Part[] {
  const names = [...new Set([tool, event.tool?.name ?? tool])];
  const only = (action: Action, more: readonly string[] = []): Part => ({
    event: { ...event, actions: [action] },
    tools: [...names, ...more],
  });
  const execs = event.actions.filter((action) => action.kind === "exec");
  if (execs.length === 0) {
    const files = event.actions.filter(
      ({ kind }) => kind === "write" || kind === "delete" || kind === "read",
    );
    return files.length === 0 ? [{ event, tools: names }] : files.map((action) => only(action));
  }
  return execs.flatMap((exec) => {
    const commands = commandsOf(exec).map(({ called, args, isOpaque }): Part => ({
      ...only({ ...exec, command: [called, ...args].join(" "), commands: [] }),
      ...(isOpaque ? { isUnclear: true } : {}),
    }));
    const isUnclear = exec.troubles.length > 0 || steering.test(exec.command);
    const more: readonly Part[] = isUnclear ? [{ ...only(exec), isUnclear: true }] : [];
    return [...commands, ...more, ...redirected(event).map((action) => only(action, ["Write", "Edit"]))];
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

const targetsOf = ({ actions }: Event): string[] =>
  actions.flatMap((action) =>
    (action.kind === "write" || action.kind === "delete") && action.target
      ? [action.target.real, action.target.path]
      : [],
  );

const refusal = ({ kind, name }: Component, id: string, what: string): Finding => ({
  rule: `hooks/${kind}/${plainName(name)}`,
  outcome: "block",
  message:
    `Blocked by hooks/${kind}/${plainName(name)}: ${plainName(what)}.\nThe ${kind} may do only what its own page says.\n` +
    "Do it without the tool, or leave it to the agent that called.",
  id,
  data: {},
});
