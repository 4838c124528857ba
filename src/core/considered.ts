import { type Asked, isAboutTool, runningIn } from "./concern.ts";
import type { Judgement, Looked } from "./engine.ts";
import type { Event } from "./event.ts";

/** How one rule fared, for whoever wants an explanation. */
export interface Considered extends Looked {
  /** Absent when the rule looked; else why it did not have to. */
  readonly skipped?: string;
}

/** Every rule an event was put to, those included that it did not concern. */
export const consideredIn = ({ rules, looked }: Judgement, event: Event): Considered[] =>
  rules.map((rule) => {
    const found = rule.outcome === "pass" ? undefined : looked.find((each) => each.rule === rule.id);
    return found ?? { rule: rule.id, skipped: reasonToSkip(rule, event), asked: [], findings: [], ms: 0 };
  });

function reasonToSkip({ on, outcome }: Asked, event: Event): string {
  if (outcome === "pass") return "off";
  if (!on.events.includes(event.name)) return `not about ${event.name}`;
  if (!isAboutTool(on, event)) return "none of its tools";
  if (runningIn(event).plain && on.actions?.includes("exec")) return "a plain command that concerns no rule";
  return `no ${on.actions?.join(" or ")}${on.programs ? " of its programs" : ""}`;
}
