import { accessSync, constants, existsSync, lstatSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDirectory } from "../../platform/files.ts";
import { stateFolder } from "../../platform/places.ts";
import type { Ailment, DoctorCheck, Patient } from "../doctor-check.ts";

export default {
  title: "Records can be written",
  run: async ({ root, env, ledgers }) => [
    ...unwritable(
      ledgers[0]?.folder ?? "",
      "The records of this workspace go to your state folder until it is.",
    ),
    ...linked(root),
    ...unwritable(
      stateFolder(env),
      "Without it nobody remembers how far a ledger had come, and there is no fallback.",
    ),
    ...elsewhere(ledgers),
  ],
} satisfies DoctorCheck;

function unwritable(folder: string, meaning: string): Ailment[] {
  const trouble = existsSync(folder) ? triedOut(folder) : triedAbove(folder);
  if (trouble === undefined) return [];
  return [
    {
      text: `nothing can be written there (${trouble})`,
      place: folder,
      instead: `${meaning} Make it writable.`,
    },
  ];
}

/** A file is really written: a full disk lets everything else through. */
function triedOut(folder: string): string | undefined {
  if (!isDirectory(folder)) return "not a folder";
  try {
    const trial = mkdtempSync(join(folder, ".trial-"));
    try {
      writeFileSync(join(trial, "x"), "x".repeat(8192));
    } finally {
      rmSync(trial, { recursive: true, force: true });
    }
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

/** What is not there yet is made with the first record. */
function triedAbove(folder: string): string | undefined {
  let above = folder;
  while (!existsSync(above)) above = dirname(above);
  if (!isDirectory(above)) return `${above} is no folder`;
  try {
    accessSync(above, constants.W_OK);
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? String(error);

/** A link in its place is never written through. */
const linked = (root: string): Ailment[] =>
  [".hookline", ".hookline/ledger"]
    .map((name) => join(root, name))
    .filter((path) => isDirectory(dirname(path)))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    .map((place) => ({
      text: "this is a link, and no record is written through one",
      place,
      instead: "Remove the link.",
    }));

function elsewhere([, spare]: Patient["ledgers"]): Ailment[] {
  if (!spare) return [];
  const text = "records of this workspace went here, because it could not take them";
  return [
    { text, place: spare.folder, instead: "`hookline log --json` shows them; each says why (`trouble`)." },
  ];
}
