import type { Tool } from "../core/event.ts";
import { sha256 } from "../platform/digest.ts";

/** Tells a call from others: the host's id for it, or what it is. */
export const callOf = ({ id, name, input }: Tool): string =>
  id ?? sha256(JSON.stringify([name, input]) ?? name).slice(0, 32);
