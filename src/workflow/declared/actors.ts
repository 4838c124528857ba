import type { Event } from "../../core/event.ts";
import { fitsName } from "./glob.ts";

/** Who acts: `main`, or the kind of subagent. A main agent may be of a kind, too. */
const actorsOf = ({ agent }: Event): string[] =>
  agent?.id === undefined
    ? ["main", ...(agent?.type === undefined ? [] : [agent.type])]
    : [agent.type ?? "subagent"];

export const actorOf = (event: Event): string => actorsOf(event).at(-1) ?? "main";

export const mayAct = (by: readonly string[] | undefined, event: Event): boolean =>
  by === undefined || actorsOf(event).some((actor) => by.some((name) => fitsName(name, actor)));
