import { join } from "node:path";
import type { Handler } from "../core/hook.ts";
import { sha256 } from "../platform/digest.ts";
import { lookAt, nodeFs } from "../platform/files.ts";
import { cacheFolder, type Env } from "../platform/places.ts";

type Command = Extract<Handler, { kind: "command" }>;

const names = ["bun", "node"];

/** A command line that names one of them, or a file whose first line might. */
const wanting = /(?:^|[\s;&|(/"'])(?:bun|node)(?=[\s"']|$)|\.[cm]?[jt]sx?(?=["'\s;&|)]|$)/;

/**
 * The environment of a command line with `bun` and `node` in it where they are not installed: behind these names is the runtime we
 * are made of, and it runs no file but those the hook was trusted with.
 */
export function withRuntime({ shell, args = [] }: Command, env: Env): Env {
  const text = shell ?? args[0];
  if (process.platform === "win32" || text === undefined || !wanting.test(text)) return env;
  const path = env["PATH"] ?? "";
  if (names.every((name) => Bun.which(name, { PATH: path }) !== null)) return env;
  const folder = join(cacheFolder(env), "runtime", sha256(process.execPath).slice(0, 16));
  try {
    for (const name of names) if (lookAt(join(folder, name)) === "missing") writeProgram(folder, name);
  } catch {
    // The shell says what is missing.
    return env;
  }
  // Last: one that is installed comes first.
  return { ...env, PATH: path === "" ? folder : `${path}:${folder}` };
}

function writeProgram(folder: string, name: string): void {
  const fs = nodeFs();
  const part = join(folder, `.${name}.${process.pid}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  fs.writeFileSync(part, programFor(process.execPath), { mode: 0o755 });
  fs.renameSync(part, join(folder, name));
}

/** Options are for an interpreter that takes them; code on the command line is nothing anybody was trusted with. */
const programFor = (executable: string): string => `#!/bin/sh
while :; do
  case "$1" in
    -e | -p | -pe | --eval | --print | -) echo "hookline: only a file can be run here" >&2; exit 127 ;;
    run | -*) shift ;;
    *) break ;;
  esac
done
exec '${executable.replaceAll("'", String.raw`'\''`)}' script "$@"
`;
