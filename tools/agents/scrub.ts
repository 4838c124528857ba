import { dirname } from "node:path";
import { isObject, type Json } from "../../src/core/json.ts";
import type { Stage } from "./agent.ts";

const anId =
  /\b(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:ses|msg|prt|per)_[0-9A-Za-z]{26})\b/;
const ids = new RegExp(anId, "g");
const time = 1_763_285_400_000;

/** A payload as it would be in a repository of Ada's: without anything of the run it came from. */
export function scrub(payload: Json, stage: Stage, session: string): Json {
  const { root, home } = stage;
  const base = dirname(root);
  // Agents make names of folders from paths.
  const flat = (path: string): string => path.replace(/[^A-Za-z0-9]/g, "-");
  const ada = "/Users/ada/code/acme-shop";
  const named = payload["session_id"] ?? payload["sessionId"] ?? payload["sessionID"];
  const parent = payload["parent_agent_id"] ?? payload["parentAgentId"] ?? payload["parentID"];
  const agent =
    payload["agent_id"] ?? payload["agentId"] ?? (payload["parentID"] === parent ? named : undefined);
  // A session that a subagent has to itself is not the one it belongs to.
  const own = named === agent && parent !== undefined ? parent : named;
  const places: readonly (readonly [string, string])[] = [
    [root, ada],
    [flat(root), flat(ada)],
    [home, "/Users/ada"],
    [base, "/Users/ada/elsewhere"],
    ...(typeof agent === "string" && !anId.test(agent) ? [[agent, "a4d2c8f1e0b3a297"] as const] : []),
  ];
  const known = new Map<string, string>(typeof own === "string" ? [[own, session]] : []);
  const idFor = (id: string): string => {
    const number = String(known.size).padStart(12, "0");
    const kind = /^[a-z]{3}_/.exec(id)?.[0];
    const fresh = kind ? `${kind}${number.padStart(26, "0")}` : `00000000-0000-7000-8000-${number}`;
    const made = known.get(id) ?? fresh;
    known.set(id, made);
    return made;
  };
  // Of some a file is named after the beginning.
  const short = typeof own === "string" && anId.test(own) ? own.slice(0, 8) : undefined;
  const text = (value: string): string =>
    places
      .reduce((done, [from, to]) => done.replaceAll(from, to), value)
      .replace(ids, idFor)
      .replaceAll(short ?? session, short === undefined ? session : session.slice(0, 8))
      .replace(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?=Z|\+)/g, "2025-11-16T09:30:00.000")
      .replace(/\b20\d\d-\d\d-\d\dT\d\d([-_])\d\d(\1\d\d\b)?/g, (_all, between: string, seconds?: string) =>
        ["2025-11-16T09", "30", ...(seconds === undefined ? [] : ["00"])].join(between),
      )
      .replace(/\b\w+day, \w+ \d+, 20\d\d\b/g, "Sunday, November 16, 2025")
      .replace(/\b\w{3}, \d\d \w{3} 20\d\d \d\d:\d\d:\d\d GMT\b/g, "Sun, 16 Nov 2025 09:30:00 GMT")
      .replace(/\btoolu_\d+_\w+/g, "toolu_1763285400000_a1b2c3d4e")
      .replace(/\b(Process Group PGID:) \d+/g, "$1 4242")
      .replace(/\b127\.0\.0\.1:\d+/g, "127.0.0.1:8080")
      .replace(/\/20\d\d\/\d\d\/\d\d\//g, "/2025/11/16/");
  const clean = (value: unknown, key: string): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number" && /timestamp|time$|At$|^(?:created|updated)$/i.test(key) && value > 1e12)
      return time;
    if (typeof value === "number" && /duration|seconds|elapsed/i.test(key)) return 1;
    if (Array.isArray(value)) return value.map((each) => clean(each, key));
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clean(each, name)]))
      : value;
  };
  return clean(payload, "") as Json;
}
