import { accessSync, constants, statSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join } from "node:path";
import { executableOf } from "../../core/command-lines.ts";
import type { Scope } from "../../core/install.ts";
import type { Env } from "../../platform/places.ts";
import { ConfigTrouble } from "./trouble.ts";

/** What the configuration calls, and what the user should know about it. */
export interface Executable {
  readonly word: string;
  readonly note?: string;
}

/** What can be called by its bare name: the executable, and the client that asks a server which is up already (docs/warm.md). */
const [cold, warm] = ["hookline", "hookline-warm"] as const;

export const isBareName = (word: string): boolean => word === cold || word === warm;

/**
 * A repository's configuration is shared, so there it is the bare name, found on everybody's PATH; elsewhere the file itself, which nothing
 * on the PATH can stand in for. A bare name that a team-mate has written stays, also where it is not found here, and what was warm stays warm.
 */
export function chooseExecutable(
  scope: Scope,
  env: Env,
  { given, isWarm }: { readonly given: string | undefined; readonly isWarm: boolean },
  before: readonly string[],
): Executable {
  if (given !== undefined) return { word: checked(given) };
  const words = before.map(executableOf);
  const isShared = scope === "repo";
  const wasWarm = words.some((word) => word !== undefined && basename(word) === warm);
  const name = isWarm || wasWarm ? warm : cold;
  if (isShared && onPath(name, env) !== undefined) return { word: name };
  if (isShared && words.includes(name))
    return {
      word: name,
      note: `\`${name}\` is not on your PATH, so your agents will not find it: put it there.`,
    };
  const own = ownPath();
  const client = join(dirname(own), warm);
  if (isWarm && !isProgram(client))
    throw new ConfigTrouble(`there is no ${warm} beside ${own}; see docs/warm.md, or leave out --warm`);
  const word = name === warm && isProgram(client) ? client : own;
  return {
    word,
    ...(isShared
      ? {
          note: `the configuration names ${word}, which is this machine's. To share it, put \`${name}\` on everybody's PATH and run \`hookline update\`.`,
        }
      : {}),
  };
}

function checked(word: string): string {
  if (isBareName(word)) return word;
  if (!isAbsolute(word))
    throw new ConfigTrouble(`--executable: "${word}" is neither \`hookline\` nor an absolute path`);
  return named(word);
}

/** The file we run from. One that npx keeps for a while is none to rely on. */
function ownPath(): string {
  const path = named(process.execPath);
  if (/[\\/]_npx[\\/]/.test(path))
    throw new ConfigTrouble(
      `${path} is in npx's cache, which is emptied now and then. Install Hookline (npm install --global hookline), or name it with --executable`,
    );
  return path;
}

/** Our entries are known by the name in them. */
function named(path: string): string {
  if (!/^hookline(?:-warm|\.exe)?$/.test(basename(path.replaceAll("\\", "/"))))
    throw new ConfigTrouble(`the executable must be called hookline, and ${path} is not`);
  if (/\p{Cc}/u.test(path))
    throw new ConfigTrouble("the executable's path holds a control character, which no command line can");
  return path;
}

/** A program on the PATH. What npm puts there for the time of a script does not count, nor do folders that depend on where one is. */
export function onPath(name: string, env: Env): string | undefined {
  const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(delimiter)) {
    if (!isAbsolute(folder) || /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)) continue;
    for (const each of names) if (isProgram(join(folder, each))) return join(folder, each);
  }
  return undefined;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
