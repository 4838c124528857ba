import type { Event } from "../core/event.ts";
import type { HookDefinition, Profile } from "../core/hook.ts";
import type { Json } from "../core/json.ts";
import { payloadFor } from "../handlers/payload.ts";
import { toolFor } from "../handlers/tool-names.ts";
import type { Policy } from "../policy/policy.ts";
import { placed } from "../sources/inline.ts";
import { loadHooks, switchedOn } from "../sources/load-hooks.ts";
import { isWanted } from "../sources/match.ts";
import { runsItself } from "../sources/places.ts";
import { withForeign } from "./evaluator.ts";
import type { HookProblem } from "../sources/source.ts";

export interface Selected {
  readonly definitions: readonly HookDefinition[];
  readonly problems: readonly HookProblem[];
}

/** The hooks an event concerns, in the order they run, whether they are trusted or not. */
export function selectHooks(event: Event, policy: Policy, environment: string): Selected {
  const found = loadHooks(event.root, policy.sources, switchedOn(policy.sources));
  const { problems } = found;
  const definitions = withForeign(
    [...found.definitions, ...placed(policy.hooks, event.root)],
    policy.handlers,
  );
  const name = event.name === "Other" ? event.native : event.name;
  const tool = toolFor(event)?.name;
  const payloads = new Map<Profile, Json>();
  const payloadOf = (profile: Profile): Json => {
    const known = payloads.get(profile) ?? payloadFor(profile, event);
    payloads.set(profile, known);
    return known;
  };
  return {
    definitions: definitions.filter(
      (definition) =>
        definition.enabled &&
        // Only while its component is at work, which nobody tells us yet.
        definition.component === undefined &&
        definition.events.includes(name) &&
        (definition.environments?.includes(environment) ?? true) &&
        !isRunByHost(definition, policy, event.host) &&
        isWanted(definition.match, {
          event,
          payload: payloadOf(definition.profile),
          ...(tool === undefined ? {} : { tool }),
        }),
    ),
    problems: problems.filter(({ level }) => level === "error"),
  };
}

/** Some agents run such a file by themselves; once is enough. */
function isRunByHost({ source }: HookDefinition, { sources }: Policy, host: string): boolean {
  return source !== "inline" && sources[source] !== "always" && runsItself[source]?.includes(host) === true;
}
