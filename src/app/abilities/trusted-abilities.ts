import type { HookDefinition } from "../../core/hook.ts";
import { liveWorld } from "../../platform/live-world.ts";
import type { Env } from "../../platform/places.ts";
import { loadAbilities } from "../../routing/load-abilities.ts";
import { runnableOf, trustedAs, Unavailable } from "./implementation.ts";

/** What the abilities of a workspace run, for who is asked to trust it. One that could not be run needs no trust. */
export function abilitiesToTrust(root: string, env: Env): HookDefinition[] {
  const world = liveWorld(env);
  return loadAbilities(root, world).abilities.flatMap((ability) => {
    try {
      const environment = ability.entry?.environments?.[0] ?? "dev";
      return [trustedAs(runnableOf(ability, environment, root, world))];
    } catch (error) {
      if (error instanceof Unavailable) return [];
      throw error;
    }
  });
}
