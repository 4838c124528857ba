import { join } from "node:path";
import { asText, isObject, type Json } from "../core/json.ts";
import type { World } from "../core/world.ts";

/** Where pipelines keep their workspaces, below the workspace of the agent. */
export const specsFolder = ".specs";

/** A pipeline as the `state.json` of its workspace has it. What is not said there is empty. */
export interface Pipeline {
  /** Absolute, as found: `<root>/.specs/<name>`. */
  readonly folder: string;
  readonly phase: string;
  readonly status: string;
  readonly updated: string;
  readonly state: Json;
  /** The file as it was read. */
  readonly text: string;
}

/**
 * Every pipeline that can be read, by name. What cannot be read is no pipeline: a broken state file must not stand in
 * an agent's way.
 */
export function pipelinesIn(root: string, world: World): Pipeline[] {
  const folder = join(root, specsFolder);
  if (!world.isDirectory(folder)) return [];
  return namesIn(folder, world).flatMap((name) => readPipeline(join(folder, name), world) ?? []);
}

function namesIn(folder: string, world: World): string[] {
  try {
    // As a shell's `*` has them: in order, and none that is hidden.
    return (world.list(folder) ?? []).filter((name) => !name.startsWith(".")).sort();
  } catch {
    return [];
  }
}

export function readPipeline(folder: string, world: World): Pipeline | undefined {
  try {
    const text = world.read(join(folder, "state.json"));
    if (text === undefined) return undefined;
    // Some editors put a mark in front that no parser of JSON takes.
    const state: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (!isObject(state)) return undefined;
    const times = isObject(state["timestamps"]) ? state["timestamps"] : {};
    return {
      folder,
      phase: asText(state["currentPhase"]) ?? "",
      status: asText(state["currentPhaseStatus"]) ?? "",
      updated: asText(times["lastUpdated"]) ?? "",
      state,
      text,
    };
  } catch {
    return undefined;
  }
}

/** Also one that has failed or waits for somebody; one without a status is none. */
export const isActive = ({ status }: Pipeline): boolean =>
  status !== "" && status !== "completed" && status !== "abandoned";

/** The active pipeline; of several the one that was written last, by comparing the times as texts. */
export const activePipeline = (root: string, world: World): Pipeline | undefined =>
  newest(pipelinesIn(root, world).filter(isActive));

/** The pipeline at work, which is what an agent's answer is about: nothing else counts. */
export const runningPipeline = (root: string, world: World): Pipeline | undefined =>
  newest(pipelinesIn(root, world).filter(({ status }) => status === "in_progress"));

/** The first one stays where two are equally new. */
export const newest = (pipelines: readonly Pipeline[]): Pipeline | undefined =>
  pipelines.reduce<Pipeline | undefined>(
    (best, each) => (best === undefined || each.updated > best.updated ? each : best),
    undefined,
  );

/** The names of a list such as `completedPhases`. */
export const namesOf = ({ state }: Pipeline, key: string): readonly string[] => {
  const list = state[key];
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
};

/** The tasks by number; what is none is left out. */
export function tasksOf({ state }: Pipeline): readonly (readonly [number: string, task: Json])[] {
  const tasks = state["tasks"];
  return isObject(tasks)
    ? Object.entries(tasks).flatMap(([number, task]) => (isObject(task) ? [[number, task] as const] : []))
    : [];
}
