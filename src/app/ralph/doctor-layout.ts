import { join } from "node:path";
import type { Effect } from "../../core/effect.ts";
import type { World } from "../../core/world.ts";
import { frontmatterIn } from "../../workflow/markdown.ts";
import { isSessionId, iterationFiles, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { activeSession } from "../../workflow/ralph-session.ts";
import { signalsOf } from "../../workflow/ralph-signals.ts";
import type { Examined, Flaw } from "./doctor.ts";

/** Folders that are missing, and files that lie where this version of the workflow does not look. */
export function layoutFlaws(session: Examined): Flaw[] {
  const { folder, world } = session;
  const scaffold = ralphProfiles["v2.2.0"].scaffold
    .filter((name) => !world.isDirectory(join(folder, name)))
    .map((name): Flaw => ({
      file: `${name}/`,
      text: "the folder is missing",
      fix: [{ do: "make-directory", path: join(folder, name) }],
    }));
  return [
    ...scaffold,
    ...rootArtifacts(session),
    ...remnants(session),
    ...carriedTooFar(session),
    ...signalFlaws(session),
    ...markerFlaws(session),
  ];
}

/** Plan, progress, tasks and reports belong to an iteration since v2.2.0. */
function rootArtifacts({ folder, iteration, world }: Examined): Flaw[] {
  const own = iterationFiles(folder, iteration).folder;
  const flaws: Flaw[] = [];
  for (const name of ["plan.md", "progress.md", "tasks", "reports", "questions", "review.md"]) {
    const from = join(folder, name);
    const stat = world.stat(from);
    if (!stat) continue;
    const files =
      stat.type === "directory" ? (world.list(from) ?? []).map((each) => `${name}/${each}`) : [name];
    if (files.length === 0) continue;
    const moves = files.map((each): Effect => ({
      do: "move",
      from: join(folder, each),
      path: join(own, each),
    }));
    const isFree = files.every((each) => !world.stat(join(own, each)));
    flaws.push({
      file: name,
      text: isFree
        ? `lies at the root of the session; it belongs into iterations/${iteration}/`
        : `lies at the root of the session, and iterations/${iteration}/ has one, too: two places for one truth`,
      ...(isFree ? { fix: moves } : {}),
    });
  }
  return flaws;
}

/** What earlier versions left, and what writers that died left. */
function remnants({ folder, iteration, world }: Examined): Flaw[] {
  const own = iterationFiles(folder, iteration).folder;
  const old = [folder, own].flatMap((place) =>
    (world.list(place) ?? [])
      .filter((name) => /^(?:plan\.iteration-\d+\.md|delta\.md|replanning)$/.test(name))
      .map((name): Flaw => ({
        file: below(folder, join(place, name)),
        text: "is a form this version has given up; put what is still wanted into plan.md",
      })),
  );
  const unfinished = [folder, own, join(folder, "signals/inputs"), join(folder, "signals/processed")].flatMap(
    (place) =>
      (world.list(place) ?? [])
        .filter((name) => /\.(?:part|lock)$/.test(name) && isOld(join(place, name), world))
        .map((name): Flaw => ({
          file: below(folder, join(place, name)),
          text: "was left by a writer that did not come to its end",
          fix: [{ do: "remove", path: join(place, name) }],
        })),
  );
  return [...old, ...unfinished];
}

const isOld = (path: string, world: World): boolean =>
  world.now() - (world.stat(path)?.modified ?? world.now()) > 60_000;

function carriedTooFar({ folder, iteration, world }: Examined): Flaw[] {
  const knowledge = iterationFiles(folder, iteration).knowledge;
  return ["tutorials", "how-to", "reference", "explanation"].flatMap((category) =>
    (world.list(join(knowledge, category)) ?? []).flatMap((name): Flaw[] => {
      const path = join(knowledge, category, name);
      const yaml = name.endsWith(".md") ? frontmatterIn(world.read(path) ?? "").yaml : undefined;
      const from = /^carried_from_iteration:\s*(\d+)/m.exec(yaml ?? "")?.[1];
      return from !== undefined && Number(from) > iteration
        ? [
            {
              file: below(folder, path),
              text: `carried_from_iteration is ${from}, but the session is in iteration ${iteration}`,
            },
          ]
        : [];
    }),
  );
}

function signalFlaws({ folder, world }: Examined): Flaw[] {
  const { all, broken } = signalsOf(folder, ralphProfiles["v2.2.0"].signalTypes, world);
  return [
    ...broken.map(({ path, flaws }): Flaw => ({
      file: below(folder, path),
      text: `nobody can follow it: ${flaws
        .filter(({ severity }) => severity === "block")
        .map(({ text }) => text)
        .join("; ")}`,
    })),
    ...all
      .filter(({ state, text }) => state === "processed" && !text.includes("handling_metadata:"))
      .map(({ path }): Flaw => ({
        file: below(folder, path),
        text: "was taken, but nothing says who handled it",
      })),
  ];
}

/** The marker of the active session may name one that is not there. */
function markerFlaws({ root, world }: Examined): Flaw[] {
  const folder = join(root, sessionsFolder);
  const active = activeSession(folder, world);
  if (active === undefined || (isSessionId(active) && world.isDirectory(join(folder, active)))) return [];
  return [
    {
      file: "../.active-session",
      text: `names '${active.slice(0, 60)}', which is no session here`,
      fix: [{ do: "remove", path: join(folder, ".active-session") }],
    },
  ];
}

const below = (folder: string, path: string): string => path.slice(folder.length + 1);
