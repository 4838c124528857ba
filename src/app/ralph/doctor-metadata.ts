import type { Effect } from "../../core/effect.ts";
import type { Json } from "../../core/json.ts";
import { isoTime } from "../../workflow/iso-time.ts";
import { iterationsIn } from "../../workflow/ralph-iteration.ts";
import { iterationFiles, sessionFiles } from "../../workflow/ralph-layout.ts";
import {
  changeMetadata,
  iterationKeys,
  newIterationMetadata,
  newSessionMetadata,
  readMetadata,
  sessionKeys,
  stateIn,
  valueAt,
} from "../../workflow/ralph-metadata.ts";
import { ralphMachines } from "../../workflow/ralph-machine.ts";
import { ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { currentStatuses, progressOf } from "../../workflow/ralph-progress.ts";
import { localIso } from "../signals.ts";
import type { Examined, Flaw } from "./doctor.ts";

const { states } = ralphMachines["v2.2.0"];
const statuses: readonly string[] = ralphProfiles["v2.2.0"].statuses;

export async function metadataFlaws(session: Examined): Promise<Flaw[]> {
  return [...(await sessionMetadata(session)), ...(await iterationMetadata(session))];
}

async function sessionMetadata(session: Examined): Promise<Flaw[]> {
  const { root, id, world, schema } = session;
  const path = sessionFiles(root, id).metadata;
  const file = "metadata.yaml";
  const text = world.read(path);
  const fresh = (): Effect[] => {
    const made = changeMetadata(newSessionMetadata(id, localIso(world.now())), inferred(session), {
      now: localIso(world.now()),
    });
    return "text" in made ? [{ do: "replace", path, text: made.text, was: text ?? null }] : [];
  };
  if (text === undefined) return [{ file, text: "is missing", fix: fresh() }];
  const read = readMetadata(text);
  if ("error" in read) return [{ file, text: `cannot be read: ${read.error}`, fix: fresh() }];
  const { data } = read;
  const right = inferred(session);
  const wrong: [string, string, unknown][] = sessionKeys
    .filter((key) => valueAt(data, key) === undefined)
    .map((key) => [key, `lacks '${key}'`, right[key]]);
  const add = (key: string, text: string, value: unknown): number => wrong.push([key, text, value]);
  const state = stateIn(data);
  if (state !== undefined && !states.includes(state))
    add("orchestrator.state", `has the unknown state '${state}'`, right["orchestrator.state"]);
  if (data["session_id"] !== undefined && data["session_id"] !== id)
    add("session_id", `says it is session ${JSON.stringify(data["session_id"])}`, id);
  if (data["status"] !== undefined && !statuses.includes(data["status"] as string))
    add("status", `has the unknown status ${JSON.stringify(data["status"])}`, "in_progress");
  for (const key of ["tasks.total", "tasks.completed", "tasks.failed", "tasks.pending"])
    if (valueAt(data, key) !== undefined && valueAt(data, key) !== right[key])
      add(
        key,
        `says ${String(valueAt(data, key))} for '${key}', progress.md has ${String(right[key])}`,
        right[key],
      );
  const said = (await schema(path, text)).filter(
    (each) => !wrong.some(([key]) => each.startsWith(`${key}:`)),
  );
  if (wrong.length === 0) return said.map((each) => ({ file, text: each }));
  const changes = Object.fromEntries(wrong.map(([key, , value]) => [key, value]));
  const changed = changeMetadata(text, changes, { now: localIso(world.now()) });
  const fix: Effect[] = "text" in changed ? [{ do: "replace", path, text: changed.text, was: text }] : [];
  const [first, ...rest] = wrong.map(([, what]): Flaw => ({ file, text: what }));
  return [
    ...(first ? [{ ...first, fix }] : []),
    ...rest.map((flaw) => ({ ...flaw, fix: [] })),
    ...said.map((each) => ({ file, text: each })),
  ];
}

/** What the other files say the metadata should. */
function inferred({ id, folder, iteration, world }: Examined): Record<string, unknown> {
  const tasks = [...currentStatuses(progressOf(folder, iteration, world)?.tasks ?? []).values()].map(
    ({ status }) => status,
  );
  const count = (...which: string[]): number => tasks.filter((status) => which.includes(status)).length;
  const state =
    count("/") > 0
      ? "EXECUTING_BATCH"
      : count("P") > 0
        ? "REVIEWING_BATCH"
        : tasks.length > 0
          ? "BATCHING"
          : "PLANNING";
  const day = /^(\d\d)(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)$/.exec(id)?.slice(1) ?? [];
  const created = `20${day.slice(0, 3).join("-")}T${day.slice(3).join(":")}`;
  return {
    version: 1,
    session_id: id,
    created_at: isoTime(created) === undefined ? localIso(world.now()) : created,
    updated_at: localIso(world.now()),
    iteration,
    "orchestrator.state": state,
    "tasks.total": tasks.length,
    "tasks.completed": count("x"),
    "tasks.failed": count("F"),
    "tasks.pending": count(" ", "/", "P"),
  };
}

async function iterationMetadata({ folder, iteration, world, schema }: Examined): Promise<Flaw[]> {
  const all = new Set([...iterationsIn(folder, world), iteration]);
  const flaws: Flaw[] = [];
  for (const each of all) {
    const path = iterationFiles(folder, each).metadata;
    const file = `iterations/${each}/metadata.yaml`;
    const text = world.read(path);
    const fresh: Effect = {
      do: "replace",
      path,
      text: newIterationMetadata(each, localIso(world.now())),
      was: text ?? null,
    };
    // Feedback comes before its iteration begins.
    if (text === undefined && each > iteration) continue;
    if (text === undefined) {
      flaws.push({ file, text: "is missing", fix: [fresh] });
      continue;
    }
    const read = readMetadata(text);
    if ("error" in read) {
      flaws.push({ file, text: `cannot be read: ${read.error}`, fix: [fresh] });
      continue;
    }
    flaws.push(...missingKeys(read.data, file, path, text, each), ...outOfOrder(read.data, file));
    flaws.push(
      ...(await schema(path, text))
        .filter((said) => !said.includes("missing"))
        .map((said) => ({ file, text: said })),
    );
  }
  return flaws;
}

function missingKeys(data: Json, file: string, path: string, text: string, iteration: number): Flaw[] {
  const missing = iterationKeys.filter((key) => data[key] === undefined);
  if (missing.length === 0) return [];
  const usual: Json = { version: 1, iteration, planning_complete: false, tasks_defined: 0 };
  const changes = Object.fromEntries(missing.map((key) => [key, usual[key] ?? null]));
  const changed = changeMetadata(text, changes, { now: "" });
  return [
    {
      file,
      text: `lacks ${missing.map((key) => `'${key}'`).join(", ")}`,
      ...("text" in changed ? { fix: [{ do: "replace", path, text: changed.text, was: text }] } : {}),
    },
  ];
}

function outOfOrder(data: Json, file: string): Flaw[] {
  const times = ["started_at", "planning_completed_at", "completed_at"]
    .map((key) => ({ key, at: isoTime(data[key]) }))
    .filter((each): each is { key: string; at: number } => each.at !== undefined);
  return times.flatMap(({ key, at }, index): Flaw[] => {
    const before = times[index - 1];
    return before && at < before.at ? [{ file, text: `'${key}' is before '${before.key}'` }] : [];
  });
}
