import type { Event } from "../core/event.ts";
import type { HookDefinition, Match, Profile } from "../core/hook.ts";
import type { Json } from "../core/json.ts";
import { payloadFor } from "../handlers/payload.ts";
import { callsIn, toolFor } from "../handlers/tool-names.ts";
import type { Env } from "../platform/places.ts";
import type { Policy } from "../policy/policy.ts";
import { placed } from "../sources/inline.ts";
import { hooksOf, type Indexed } from "../sources/hook-index.ts";
import { isWanted } from "../sources/match.ts";
import { runsItself } from "../sources/places.ts";
import { isCalled, type Active } from "./components/active.ts";
import { withForeign } from "./evaluator.ts";
import type { HookProblem } from "../sources/source.ts";

export interface Selected {
  readonly wanted: readonly Wanted[];
  readonly problems: readonly HookProblem[];
}

/** A hook, and the calls of the event it wants to see. */
export interface Wanted {
  readonly definition: HookDefinition;
  readonly calls: readonly Event[];
}

/** The hooks an event concerns, in the order they run, whether they are trusted or not. */
export async function selectHooks(
  event: Event,
  policy: Policy,
  environment: string,
  env: Env,
  active: readonly Active[],
): Promise<Selected> {
  const name = event.name === "Other" ? event.native : event.name;
  const calls = callsIn(event).map((call) => ({ call, isWantedBy: matching(call) }));
  const wanted = (profile: Profile, match: Match | undefined): boolean =>
    calls.some(({ isWantedBy }) => isWantedBy(profile, match));
  const find = (at: string): Promise<Indexed> =>
    hooksOf(at, event.payload["ability_id"], event.root, policy.sources, env, wanted);
  const { definitions: own, problems } = await find(name);
  const also = isStopOfSession(event) ? (await find("SessionStop")).definitions.filter(isOfRegistry) : [];
  const definitions = [...own, ...also];
  const inline = placed(policy.hooks, event.root).filter(
    (definition) =>
      definition.enabled &&
      (definition.events.includes(name) ||
        (isStopOfSession(event) && isOfRegistry(definition) && definition.events.includes("SessionStop"))) &&
      wanted(definition.profile, definition.match),
  );
  const selected = withForeign([...definitions, ...inline], policy.handlers).filter(
    (definition) =>
      isAtWork(definition, active, event) &&
      (definition.environments?.includes(environment) ?? true) &&
      !isRunByHost(definition, policy, event.host),
  );
  return {
    wanted: selected.map((definition) => ({
      definition,
      calls: calls
        .filter(({ isWantedBy }) => calls.length === 1 || isWantedBy(definition.profile, definition.match))
        .map(({ call }) => call),
    })),
    problems,
  };
}

/** Whether hooks with these conditions want to see a call. */
function matching(call: Event): (profile: Profile, match: Match | undefined) => boolean {
  const tool = toolFor(call)?.name;
  const payloads = new Map<Profile, Json>();
  const payloadOf = (profile: Profile): Json => {
    const known = payloads.get(profile) ?? payloadFor(profile, call);
    payloads.set(profile, known);
    return known;
  };
  return (profile, match) =>
    isWanted(match, { event: call, payload: payloadOf(profile), ...(tool === undefined ? {} : { tool }) });
}

/**
 * An agent that stops is what the registry calls the stop of a session. A subagent's is not, by whatever name the agent tells
 * of it.
 */
const isStopOfSession = ({ name, agent }: Event): boolean => name === "Stop" && agent?.id === undefined;

const isOfRegistry = ({ profile }: HookDefinition): boolean => profile === "ability";

/** A component's own hooks run only while it is at work. */
const isAtWork = (
  { component }: HookDefinition,
  active: readonly Active[],
  { name, agent }: Event,
): boolean => {
  if (component === undefined) return true;
  // Copilot tells of a subagent's stop twice; the second time it is named.
  if (name === "Stop" && agent?.id !== undefined) return false;
  return active.some((each) => isCalled(component, each));
};

/** Some agents run such a file by themselves; once is enough. */
function isRunByHost({ source }: HookDefinition, { sources }: Policy, host: string): boolean {
  return source !== "inline" && sources[source] !== "always" && runsItself[source]?.includes(host) === true;
}
