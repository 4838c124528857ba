import type { Event } from "../../core/event.ts";
import type { Component, HookDefinition } from "../../core/hook.ts";
import { defined, type Json } from "../../core/json.ts";

/** The mode a component works in: its own, else that of whoever called it. */
export const modeOf = ({ permissionMode }: Component, event: Event): string | undefined =>
  permissionMode ?? event.permissionMode;

/** What a component's hook is told of its parent, on standard input. */
export const inheritedPayload = (payload: Json, component: Component | undefined, event: Event): Json =>
  component
    ? {
        ...payload,
        component: { kind: component.kind, name: component.name },
        ...defined({
          permission_mode: modeOf(component, event),
          allowed_tools: component.tools,
          disallowed_tools: component.disallowed,
        }),
      }
    : payload;

/** The same in its environment. What another hook was told is not inherited. */
export const inheritedEnvironment = (
  component: Component | undefined,
  event: Event,
): Readonly<Record<string, string | undefined>> => ({
  HOOKLINE_COMPONENT: component && `${component.kind}/${component.name}`,
  HOOKLINE_PERMISSION_MODE: component ? modeOf(component, event) : event.permissionMode,
  HOOKLINE_ALLOWED_TOOLS: component?.tools?.join(","),
  HOOKLINE_DISALLOWED_TOOLS: component?.disallowed?.join(","),
});

/** Does a hook belong to somebody who may only read, be it by a mode of its own or by that of whoever called? */
export const onlyReads = ({ component }: HookDefinition, event: Event): boolean =>
  component !== undefined && modeOf(component, event)?.toLowerCase() === "plan";

/** A hook that is kept to reading has to be waited for. */
export function waitedFor(definition: HookDefinition, event: Event): HookDefinition {
  if (!definition.background || !onlyReads(definition, event)) return definition;
  const { background: _dropped, ...rest } = definition;
  return rest;
}
