import type { Event } from "../core/event.ts";
import type { World } from "../core/world.ts";
import { holdsBefore } from "./signals.ts";

/** How often a host can still be kept from stopping, this time included. */
export interface HostsLimit {
  readonly most: number;
  readonly left: number;
}

/** The limit of the host that sends an event, or else the one given; nothing where there is none. */
export function hostsLimit(event: Event, world: World, otherwise?: number): HostsLimit | undefined {
  const most = event.mostHolds ?? otherwise;
  return most === undefined ? undefined : { most, left: Math.max(0, most - holdsBefore(event, world)) };
}

export const isNear = ({ left }: HostsLimit): boolean => left <= 3;

/** What the user is told when it is near. */
export const noticeOf = ({ most, left }: HostsLimit): string =>
  `Hookline: the agent is kept from stopping for the ${ordinal(most - left + 1)} time in a row. ` +
  (left === 1
    ? "The next time it stops whatever is missing."
    : `After ${most} times it stops whatever is missing.`);

const ordinal = (number: number): string => {
  const end = number % 100 > 10 && number % 100 < 14 ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${end}`;
};
