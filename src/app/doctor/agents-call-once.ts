import { isObject } from "../../core/json.ts";
import { isOurHandler, linesOf } from "../../core/command-lines.ts";
import { survey, type Surveyed } from "../agents/survey.ts";
import type { Ailment, DoctorCheck } from "../doctor-check.ts";
import { handlersOf } from "../install/json-edit.ts";

export default {
  title: "No agent calls Hookline twice",
  run: async (patient) => survey(patient).flatMap((agent) => [...inScopes(agent), ...inWrappers(agent)]),
} satisfies DoctorCheck;

/** Configurations of several scopes add up. */
function inScopes({ id, title, plugin, installed }: Surveyed): Ailment[] {
  const own = installed.map(({ scope }) => scope);
  const scopes = [...own, ...(plugin === undefined ? [] : ["plugin"])];
  if (scopes.length < 2) return [];
  return [
    {
      text: `${title} is configured in ${scopes.join(" and ")}, so every event is judged and recorded ${scopes.length} times`,
      ...(plugin === undefined ? {} : { place: plugin }),
      instead: `Leave one: hookline uninstall --host ${id} --scope ${own[0]}`,
    },
  ];
}

/** A line somebody has written around ours. */
function inWrappers({ title, installed }: Surveyed): Ailment[] {
  return installed.flatMap(({ config, file }) =>
    Object.entries(isObject(config["hooks"]) ? config["hooks"] : {}).flatMap(([event, list]) =>
      (Array.isArray(list) ? (list as unknown[]) : [])
        .filter(isObject)
        .flatMap(handlersOf)
        .filter(
          (handler) =>
            !isOurHandler(handler) &&
            linesOf(handler).some((line) => /\bhookline(?:\.exe|\.mjs)?["']?\s+run\b/.test(line)),
        )
        .map(() => ({
          text: `${title}: another entry at ${event} calls Hookline too`,
          place: file.path,
          instead: "Take it out; what it does besides can stand in an entry of its own.",
        })),
    ),
  );
}
