import type { Event } from "../../core/event.ts";
import type { Component } from "../../core/hook.ts";
import type { Reading } from "../../results/reading.ts";
import { modeOf } from "./inherited.ts";
import { limitsOf } from "./limits.ts";

/**
 * What a component's hook said, without what the component itself could not do: a hook may refuse whatever it likes, but
 * approve or rewrite nothing its parent may not.
 */
export function withinParent(reading: Reading, component: Component, event: Event): Reading {
  if (limitsOf(component, event, modeOf(component, event)).length === 0) return reading;
  const allowed = reading.findings.some(({ outcome }) => outcome === "allow");
  const changed = reading.contributions.some(({ input }) => input !== undefined);
  if (!allowed && !changed) return reading;
  const lost = [...(allowed ? ["its approval"] : []), ...(changed ? ["its change of the input"] : [])].join(
    " and ",
  );
  return {
    ...reading,
    findings: reading.findings.filter(({ outcome }) => outcome !== "allow"),
    contributions: reading.contributions.map(({ input: _dropped, ...rest }) => rest),
    notes: [
      ...reading.notes,
      `${lost} does not count: ${component.kind} ${component.name} may not do that itself`,
    ],
  };
}
