import type { Event } from "../../core/event.ts";
import type { World } from "../../core/world.ts";
import { loadPolicy, type LoadedPolicy } from "../../policy/load-policy.ts";
import type { Env } from "../../platform/places.ts";
import type { Workflow } from "../../workflow/declared/model.ts";
import type { Scene } from "../../workflow/declared/scene.ts";
import { readYaml } from "../../workflow/yaml.ts";
import { registry } from "../registry.ts";

/** The workflows of a workspace, and what is wrong with its policy. */
export async function workflowsOf(
  root: string,
  env: Env,
): Promise<{ workflows: readonly Workflow[]; loaded: LoadedPolicy }> {
  const loaded = await loadPolicy(root, env, registry);
  return { workflows: loaded.policy.workflows ?? [], loaded };
}

/** A look at workflows outside any event. */
export function sceneAt(
  root: string,
  workflows: readonly Workflow[],
  world: World,
  session: string | undefined,
): Scene {
  const event: Event = {
    name: "Other",
    native: "status",
    host: "hookline",
    dialect: "",
    cwd: root,
    root,
    actions: [],
    payload: {},
    ...(session === undefined ? {} : { session }),
  };
  return { workflows, event, world, yaml: readYaml };
}
