import type { Host } from "../core/host.ts";
import type { Json } from "../core/json.ts";
import { wait, type Work } from "../core/work.ts";
import claudeCode from "../hosts/claude-code/host.ts";
import { hostIndex } from "../hosts/lazy.generated.ts";

export interface ChosenHost {
  readonly id: string;
  readonly host: Host;
  readonly how: string;
  /** Its contract says that what cannot be read goes ahead. */
  readonly failMode?: "open";
}

const standIn = "claude-code";

/** The one whose language most agents understand, for whoever has no agent to ask about. */
export const usualHost: Host = claudeCode;

/** Who is calling: what the command line says, unless the payload plainly comes from somebody else. */
export function* chooseHost(payload: Json, flag: string | undefined): Work<ChosenHost> {
  if (flag !== undefined) {
    const host = yield* wait(hostNamed(flag));
    // Copilot runs hooks of `.claude/settings.json` too, where the command line says Claude Code.
    const caller = flag === standIn && host.recognises(payload) === 0 ? recognise(payload) : undefined;
    if (caller === undefined) return { id: flag, host, how: `named ${flag}` };
    return {
      id: caller,
      host: yield* wait(hostNamed(caller)),
      how: `named ${flag}, recognised as ${caller}`,
    };
  }
  const found = recognise(payload);
  if (found !== undefined)
    return { id: found, host: yield* wait(hostNamed(found)), how: `recognised as ${found}` };
  return { id: standIn, host: usualHost, how: `not recognised, treated as ${standIn}` };
}

/** The named host, else one that knows the event, else the usual one. */
export async function hostFor(id: string | undefined, native?: string): Promise<Host> {
  if (id !== undefined && Object.hasOwn(hostIndex, id)) return hostNamed(id);
  if (native === undefined || knows(usualHost, native)) return usualHost;
  const all = await Promise.all(Object.keys(hostIndex).map(async (each) => hostNamed(each)));
  return all.find((host) => knows(host, native)) ?? usualHost;
}

const knows = ({ can }: Host, native: string): boolean =>
  Object.values(can).some((events) => Object.hasOwn(events, native));

function hostNamed(id: string): Host | Promise<Host> {
  const entry = Object.hasOwn(hostIndex, id) ? hostIndex[id] : undefined;
  if (!entry) throw new UnknownHost(id);
  return entry.load();
}

class UnknownHost extends Error {
  override readonly name = "UnknownHost";
  constructor(id: string) {
    super(`unknown host "${id}"; expected one of ${Object.keys(hostIndex).join(", ")}`);
  }
}

/** Whose payload it is, as far as anybody is at least so sure. */
export function recognise(payload: Json, least = 1): string | undefined {
  let found: string | undefined;
  let best = least - 1;
  for (const id in hostIndex) {
    const sure = hostIndex[id]?.recognises(payload) ?? 0;
    if (sure > best) [found, best] = [id, sure];
    if (best === 2) break;
  }
  return found;
}
