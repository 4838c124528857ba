import type { Host } from "../core/host.ts";
import type { Json } from "../core/json.ts";
import { hosts } from "../hosts/index.generated.ts";

export interface ChosenHost {
  readonly id: string;
  readonly host: Host;
  readonly how: string;
  /** Its contract says that what cannot be read goes ahead. */
  readonly failMode?: "open";
}

const standIn = "claude-code";

/** Who is calling: what the command line says, unless the payload plainly comes from somebody else. */
export function chooseHost(payload: Json, flag: string | undefined): ChosenHost {
  if (flag !== undefined) {
    const host = hostNamed(flag);
    // Copilot runs hooks of `.claude/settings.json` too, where the command line says Claude Code.
    const caller = host.recognises(payload) === 0 ? recognise(payload) : undefined;
    if (caller && flag === standIn) return { ...caller, how: `named ${flag}, recognised as ${caller.id}` };
    return { id: flag, host, how: `named ${flag}` };
  }
  const found = recognise(payload);
  if (found) return { ...found, how: `recognised as ${found.id}` };
  return { id: standIn, host: hostNamed(standIn), how: `not recognised, treated as ${standIn}` };
}

/** The named host, else one that knows the event, else the one whose language most agents understand. */
export function hostFor(id: string | undefined, native?: string): Host {
  if (id !== undefined && Object.hasOwn(hosts, id)) return hostNamed(id);
  const knows = ({ can }: Host): boolean =>
    Object.values(can).some((events) => native !== undefined && native in events);
  const fallback = hostNamed(standIn);
  return knows(fallback) ? fallback : (Object.values(hosts).find(knows) ?? fallback);
}

function hostNamed(id: string): Host {
  const host = Object.hasOwn(hosts, id) ? hosts[id] : undefined;
  if (!host) throw new UnknownHost(id);
  return host;
}

class UnknownHost extends Error {
  override readonly name = "UnknownHost";
  constructor(id: string) {
    super(`unknown host "${id}"; expected one of ${Object.keys(hosts).join(", ")}`);
  }
}

function recognise(payload: Json): { id: string; host: Host } | undefined {
  const sure = Object.entries(hosts).map(([id, host]) => ({ id, host, sure: host.recognises(payload) }));
  const best = sure.reduce((a, b) => (b.sure > a.sure ? b : a));
  return best.sure === 0 ? undefined : { id: best.id, host: best.host };
}
