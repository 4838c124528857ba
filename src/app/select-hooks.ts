import type { Event } from "../core/event.ts";
import type { HookDefinition, Match, Profile } from "../core/hook.ts";
import type { Json } from "../core/json.ts";
import { payloadFor } from "../handlers/payload.ts";
import { toolFor } from "../handlers/tool-names.ts";
import type { Env } from "../platform/places.ts";
import type { Policy } from "../policy/policy.ts";
import { placed } from "../sources/inline.ts";
import { hooksOf } from "../sources/hook-index.ts";
import { isWanted } from "../sources/match.ts";
import { runsItself } from "../sources/places.ts";
import { isCalled, type Active } from "./components/active.ts";
import { withForeign } from "./evaluator.ts";
import type { HookProblem } from "../sources/source.ts";

export interface Selected {
  readonly definitions: readonly HookDefinition[];
  readonly problems: readonly HookProblem[];
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
  const tool = toolFor(event)?.name;
  const payloads = new Map<Profile, Json>();
  const payloadOf = (profile: Profile): Json => {
    const known = payloads.get(profile) ?? payloadFor(profile, event);
    payloads.set(profile, known);
    return known;
  };
  const wanted = (profile: Profile, match: Match | undefined): boolean =>
    isWanted(match, { event, payload: payloadOf(profile), ...(tool === undefined ? {} : { tool }) });
  const { definitions, problems } = await hooksOf(
    name,
    event.payload["ability_id"],
    event.root,
    policy.sources,
    env,
    wanted,
  );
  const inline = placed(policy.hooks, event.root).filter(
    ({ enabled, events, profile, match }) => enabled && events.includes(name) && wanted(profile, match),
  );
  return {
    definitions: withForeign([...definitions, ...inline], policy.handlers).filter(
      (definition) =>
        isAtWork(definition, active, event) &&
        (definition.environments?.includes(environment) ?? true) &&
        !isRunByHost(definition, policy, event.host),
    ),
    problems,
  };
}

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
