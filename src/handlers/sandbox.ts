import { isAbsolute } from "node:path";
import { isInside } from "../core/paths.ts";
import { followLinks } from "../platform/files.ts";

/** How a hook that may only read is kept to it. */
export interface Sandbox {
  /** For the record. */
  readonly says: string;
  readonly wrap?: (argv: readonly string[]) => readonly string[];
}

/** Processes of its own as well: whoever may change those outside could have them write. */
const arguments_ = [
  "--ro-bind",
  "/",
  "/",
  "--dev",
  "/dev",
  "--unshare-pid",
  "--unshare-ipc",
  "--proc",
  "/proc",
  "--die-with-parent",
  "--",
];

/**
 * Everything read-only, by bubblewrap, where that is installed and the system lets it. The network is as it was: what may be
 * read may also be told.
 */
export function readOnly(env: Readonly<Record<string, string | undefined>>, root: string): Sandbox {
  if (process.platform !== "linux")
    return { says: `not read-only: there is no bubblewrap on ${process.platform}` };
  const program = programIn((env["PATH"] ?? "").split(":"), root);
  if (program === undefined) return { says: "not read-only: bubblewrap is not installed" };
  const { exitCode } = Bun.spawnSync([program, ...arguments_, "/bin/true"], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  if (exitCode !== 0) return { says: "not read-only: bubblewrap may not do its work on this machine" };
  return { says: "read-only by bubblewrap", wrap: (argv) => [program, ...arguments_, ...argv] };
}

/** The first there is. One that came with the workspace, by whatever links, is nobody to keep others in check. */
function programIn(folders: readonly string[], root: string): string | undefined {
  for (const folder of folders) {
    const found = isAbsolute(folder) ? Bun.which("bwrap", { PATH: folder }) : null;
    const real = found === null ? undefined : realOf(found);
    if (real !== undefined && !isInside(root, real) && !isInside(root, folder)) return real;
  }
  return undefined;
}

function realOf(path: string): string | undefined {
  try {
    return followLinks(path);
  } catch {
    return undefined;
  }
}
