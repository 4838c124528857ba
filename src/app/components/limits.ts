import type { Action } from "../../core/action.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import type { Finding } from "../../core/finding.ts";
import type { Component } from "../../core/hook.ts";
import { isInside } from "../../core/paths.ts";
import { payloadFor } from "../../handlers/payload.ts";
import { toolFor } from "../../handlers/tool-names.ts";
import { componentsIn } from "../../sources/components.ts";
import { isWanted } from "../../sources/match.ts";
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
  const { tools, disallowed = [], permissionMode, folder, page } = component;
  const parts = partsOf(event);
  const names = (list: readonly string[], part: Event): boolean =>
    list.some((rule) => isMeant(rule, part, tool));
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
  const written = writesOf(event);
  if (permissionMode === "plan" && written.length > 0)
    return [
      refusal(component, "plan", `it is in plan mode, which only reads, and this would change ${written[0]}`),
    ];
  const targets = targetsOf(event);
  if (page !== undefined && targets.includes(page))
    return [refusal(component, "page", "this would change its own page")];
  const own = folder === undefined ? undefined : targets.find((path) => isInside(folder, path));
  return own === undefined
    ? []
    : [refusal(component, "plugin", `\`${own}\` belongs to the plugin it came with`)];
}

/**
 * What a call does, thing by thing: a list of tools holds for every command of a command line and for every file of a patch. What
 * cannot be followed is something no entry with arguments names.
 */
function partsOf(event: Event): readonly Event[] {
  const execs = event.actions.filter((action) => action.kind === "exec");
  const single: readonly Action[] =
    execs.length === 0
      ? event.actions.filter(({ kind }) => kind === "write" || kind === "delete" || kind === "read")
      : execs.flatMap((exec) => {
          const texts = exec.commands.map((run) =>
            run.opaque ? unclear : [run.called, ...run.args.map((word) => word.text)].join(" "),
          );
          const all = exec.troubles.length > 0 ? [...texts, unclear] : texts;
          return (all.length === 0 ? [exec.command] : all).map((command) => ({
            ...exec,
            command,
            commands: [],
          }));
        });
  return single.length === 0 ? [event] : single.map((action) => ({ ...event, actions: [action] }));
}

const unclear = "?";

/** Does a tool call write, and what? */
function writesOf({ actions }: Event): string[] {
  return actions.flatMap((action) => {
    if (action.kind !== "write" && action.kind !== "delete") return [];
    const given = action.target?.given;
    if (given?.startsWith("/dev/")) return [];
    return [given === undefined ? "a file nobody can tell" : `\`${given}\``];
  });
}

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
  rule: `hooks/${kind}/${name}`,
  outcome: "block",
  message:
    `Blocked by hooks/${kind}/${name}: ${what}.\nThe ${kind} may do only what its own page says.\n` +
    "Do it without the tool, or leave it to the agent that called.",
  id,
  data: {},
});
