import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readFileSync,
  realpathSync,
  statSync,
  type Stats,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { isInside } from "../../core/paths.ts";
import { errorCode } from "../../platform/files.ts";
import { ConfigTrouble } from "./trouble.ts";

const largest = 32 * 1024 * 1024;

/** A file as it is now, and where it really lies. */
export interface ConfigText {
  readonly path: string;
  readonly text: string | undefined;
  /** Why it must not be written: whatever speaks against it is known before anything is. */
  readonly hindrance?: string;
}

/** Reads a configuration file that may be about to be changed. A link must not lead out of `bounds`. */
export function readConfigText(path: string, bounds: string): ConfigText {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() && !existsSync(path))
    return { path, text: undefined, hindrance: "is a link that leads nowhere" };
  const real = realOf(path);
  const stat = statSync(real, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) throw new ConfigTrouble("is not a plain file");
  if (stat && stat.size > largest) throw new ConfigTrouble(`is larger than ${largest / 1024 / 1024} MB`);
  const text = stat ? decoded(real) : undefined;
  const hindrance =
    leadsOut(real, bounds) ?? (stat ? fixed(stat) : undefined) ?? shut(existingAbove(dirname(real)));
  return { path: real, text, ...(hindrance === undefined ? {} : { hindrance }) };
}

function leadsOut(real: string, bounds: string): string | undefined {
  const within = realOf(bounds);
  if (real === within || isInside(within, real)) return undefined;
  return `is reached by a link that leads out of ${bounds}, to ${real}; change that file yourself`;
}

/** The path with links followed; what does not exist yet is taken as written. */
export function realOf(path: string): string {
  const above = existingAbove(path);
  return join(realpathSync(above), relative(above, path));
}

function existingAbove(path: string): string {
  let above = path;
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above);
  return above;
}

function decoded(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    throw new ConfigTrouble(
      error instanceof TypeError ? "is not UTF-8 text" : `cannot be read (${errorCode(error)})`,
    );
  }
}

/** A file that is put in the place of another belongs to whoever puts it there; only root can give it back. */
function fixed({ uid, mode }: Stats): string | undefined {
  const self = process.getuid?.();
  if (self !== undefined && self !== 0 && uid !== self)
    return `belongs to another user (${uid}); run this as that user`;
  return (mode & 0o222) === 0 ? "is read-only; make it writable first (chmod u+w)" : undefined;
}

function shut(folder: string): string | undefined {
  const stat = statSync(folder);
  if (!stat.isDirectory()) return `cannot be made: ${folder} is not a folder`;
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    return `cannot be written: the folder ${folder} is read-only for you`;
  }
  // The system lets root write anywhere; who took the right away meant everybody.
  return process.platform !== "win32" && (stat.mode & 0o222) === 0
    ? `cannot be written: the folder ${folder} is read-only`
    : undefined;
}
