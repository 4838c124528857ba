import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host } from "../../src/core/host.ts";
import { isObject, type Json } from "../../src/core/json.ts";
import { hosts } from "../../src/hosts/index.generated.ts";
import { nameOf as usualName } from "../generate/hosts-page.ts";
import { root as project } from "../runtime.ts";
import { versionOf, type Agent } from "./agent.ts";
import { movesOf } from "./run.ts";
import { scrub } from "./scrub.ts";
import { perform, type Seen } from "./stage.ts";
import type { Tour, Tours } from "./tour.ts";

/** Lets an agent make its tours, and puts the payloads it sends into the fixtures of its host. Says what it could not. */
export async function record(agent: Agent, { session, tours, also = [] }: Tours): Promise<string[]> {
  const host = hosts[agent.id];
  if (!host) throw new Error(`${agent.id} is no host.`);
  const found = new Map<string, { event: string; stdin: Json }>();
  const troubles: string[] = [];
  for (const tour of tours) {
    const seen = await take(agent, tour);
    if (seen.left() > 0) troubles.push(`${seen.left()} turns of a tour were not asked for`);
    troubles.push(...seen.troubles);
    for (const { event } of seen.decisions) {
      const name = `${tour.prefix ?? ""}${nameOf(host, event.native, event.payload)}`;
      if (found.has(name)) continue;
      found.set(name, { event: event.native, stdin: scrub(event.payload, seen.stage, session) });
    }
  }
  const written = [...found].filter(([name, payload]) =>
    isWritten(agent, name, payload, also.includes(name)),
  );
  const names = written.map(([name]) => name);
  console.log(`recorded  ${agent.id}  ${names.toSorted().join(", ")}`);
  const others = [...found.keys()].filter((name) => !names.includes(name)).toSorted();
  if (others.length > 0) console.log(`          seen, and no fixture: ${others.join(", ")}`);
  return troubles;
}

async function take(agent: Agent, tour: Tour): Promise<Seen> {
  const { prompt = "Make ready to sail.", turns, ...rest } = tour;
  let seen: Seen | undefined;
  await perform(
    agent,
    { ...rest, prompt, policy: { mode: "observe" }, turns: (stage) => turns(movesOf(agent), stage) },
    (each) => {
      seen = each;
      return each.left() > 0;
    },
  );
  if (!seen) throw new Error("A tour came to no end.");
  return seen;
}

/** What a payload is about, as the names of fixtures say it: the event, and the tool unless it is a command line. */
function nameOf(host: Host, native: string, payload: Json): string {
  const { name, dialect, agent, tool, operations } = host.decode(payload, native);
  if (/^preMcp/i.test(native)) return native;
  if (agent && !/^(?:subagent|teammate)/i.test(native)) return `${native}.subagent`;
  if (tool?.server !== undefined || tool?.name.startsWith("mcp__")) return `${native}.mcp`;
  if (tool && operations[0]?.do !== "exec") return `${native}.${tool.name}`;
  if (name === "Other" && usualName(host, dialect, native) !== name) return `${native}.continuation`;
  return payload["source"] === "resume" ? `${native}.resume` : native;
}

/** Replaces the payload of a fixture, whatever version it was of; what its host understands as an answer stays. */
function isWritten(
  { id, ...agent }: Agent,
  name: string,
  { event, stdin }: { event: string; stdin: Json },
  isWanted: boolean,
): boolean {
  const folder = join(project, "src/hosts", id, "fixtures");
  const old = readdirSync(folder).find((file) => file.replace(/(?:@[\d.]+)?\.json$/, "") === name);
  if (old === undefined && !isWanted) return false;
  const text = old === undefined ? JSON.stringify({ host: id }) : readFileSync(join(folder, old), "utf8");
  const before: unknown = JSON.parse(text);
  if (!isObject(before)) throw new Error(`${old} is no fixture.`);
  const { verified: _, verifiedBy: _by, byHand: _why, responses = [], ...kept } = before;
  const hostVersion = versionOf(agent);
  if (old !== undefined) rmSync(join(folder, old));
  const fixture = { ...kept, hostVersion, event, stdin, responses };
  writeFileSync(join(folder, `${name}@${hostVersion}.json`), `${JSON.stringify(fixture, null, 2)}\n`);
  return true;
}
