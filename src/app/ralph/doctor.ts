import { dirname, join, relative } from "node:path";
import type { Effect } from "../../core/effect.ts";
import { isObject } from "../../core/json.ts";
import type { World } from "../../core/world.ts";
import { rules } from "../../packs/index.generated.ts";
import { currentIteration } from "../../workflow/ralph-iteration.ts";
import { sessionFiles } from "../../workflow/ralph-layout.ts";
import { seenEffect, unedited } from "../../workflow/ralph-seen.ts";
import { carryOut } from "../effects.ts";
import type { Session } from "../signals.ts";
import { layoutFlaws } from "./doctor-layout.ts";
import { metadataFlaws } from "./doctor-metadata.ts";
import { taskFlaws } from "./doctor-tasks.ts";

/** Something a session should not have or lacks, and what mends it. */
export interface Flaw {
  /** Below the session's folder. */
  readonly file: string;
  readonly text: string;
  /** Absent: only a person can. */
  readonly fix?: readonly Effect[];
}

/** What every check looks at. */
export interface Examined extends Session {
  readonly folder: string;
  readonly iteration: number;
  /** What the schema of `progress.md` and `metadata.yaml` says to a text. */
  readonly schema: (path: string, text: string) => Promise<readonly string[]>;
}

/** Everything that is wrong with a session, by the schemas and by what its layout must not have. */
export async function examine(session: Session): Promise<Flaw[]> {
  const { folder } = sessionFiles(session.root, session.id);
  const iteration = currentIteration(folder, session.world) ?? 1;
  const examined: Examined = { ...session, folder, iteration, schema };
  return [...layoutFlaws(examined), ...(await metadataFlaws(examined)), ...(await taskFlaws(examined))];
}

/** The guard that judges every write judges what is there, too. */
async function schema(path: string, text: string): Promise<string[]> {
  const guard = rules["ralph/ssot-write-guard"];
  if (!guard?.contract) return [];
  const given = { tool_name: "create_file", file_path: path, new_content: text } as never;
  const { output } = await guard.contract.judge(given, undefined as never, { profile: "v2.2.0" });
  const errors = Array.isArray(output["validation_errors"])
    ? output["validation_errors"].filter(isObject)
    : [];
  return errors.map(
    ({ field, expected, actual }) =>
      `${String(field)}: expected ${String(expected)}, found ${String(actual)}`,
  );
}

/**
 * Mends what can be mended, as often as one repair shows the next. Whatever is changed, moved or removed is copied to `backup`
 * before. Comes back with what was tried and failed.
 */
export async function mend(session: Session, backup: string): Promise<string[]> {
  const { root, id, world } = session;
  const { folder } = sessionFiles(root, id);
  const errors: string[] = [];
  const ours = unedited(root, id, world);
  for (let round = 0; round < 3 && errors.length === 0; round++) {
    const effects = (await examine(session)).flatMap(({ fix }) => fix ?? []);
    if (effects.length === 0) break;
    for (const effect of effects) {
      // One by one: what cannot be saved is not touched.
      for (const each of [...saving(effect, folder, backup, world), effect]) {
        const [done] = carryOut([each], root, world);
        if (done?.error === undefined) continue;
        errors.push(done.error);
        break;
      }
    }
  }
  // What we mend is nobody's manual edit; what was one before stays one.
  carryOut(
    ours.filter(({ path }) => world.stat(path)).map((file) => seenEffect(root, id, file, world)),
    root,
    world,
  );
  return errors;
}

function saving(effect: Effect, folder: string, backup: string, world: World): Effect[] {
  const touched = "from" in effect ? effect.from : effect.path;
  if (effect.do === "make-directory" || world.stat(touched)?.type !== "file") return [];
  const path = join(backup, relative(dirname(folder), touched));
  return world.stat(path) ? [] : [{ do: "copy", from: touched, path }];
}
