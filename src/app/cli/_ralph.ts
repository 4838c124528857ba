import type { World } from "../../core/world.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { usualHost } from "../choose-host.ts";
import { chooseSession, NoSession, type Chosen } from "../ralph/choose-session.ts";
import { workspaceRoot } from "../workspace.ts";
import { textFlag, UsageError, type Flag, type Given } from "./_command.ts";

export const sessionFlag: Flag = {
  type: "string",
  value: "ID",
  summary: "The Ralph session; by default the active one, or the only one there is.",
};

export const rootHere = (world: World): string =>
  world.realPath(workspaceRoot(process.cwd(), usualHost, world));

export function chosenSession(given: Given): Chosen {
  const world = liveWorld(process.env);
  try {
    return chooseSession(rootHere(world), textFlag(given, "session"), world);
  } catch (error) {
    if (error instanceof NoSession) throw new UsageError(error.message);
    throw error;
  }
}
