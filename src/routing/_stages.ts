import { isStage, stages, type Stage } from "../core/hook.ts";
import type { Json } from "../core/json.ts";
import { nearest } from "../core/nearest.ts";
import type { Path } from "../core/yaml-place.ts";
import { textsAt, type Reports } from "./_reports.ts";

/** Stages by name; an illegal one is reported and left out. */
export function stagesAt(value: Json, key: string, path: Path, reports: Reports): readonly Stage[] {
  return textsAt(value, key, path, reports).flatMap((name, at) => {
    if (isStage(name)) return [name];
    const near = nearest(name, stages);
    reports.error(
      Array.isArray(value[key]) ? [...path, key, at] : [...path, key],
      "HL_ROUTING_STAGE",
      `${JSON.stringify(name)} is no stage`,
      `${near === undefined ? "" : `Did you mean "${near}"? `}Expected ${stages.join(", ")}.`,
    );
    return [];
  });
}
