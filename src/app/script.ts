import { resolve } from "node:path";
import { sha256 } from "../platform/digest.ts";
import { errorCode, followLinks, nodeFs } from "../platform/files.ts";
import type { Env } from "../platform/places.ts";
import { isPinned } from "../sources/trust.ts";

/**
 * Runs a hook's script in this process, which is a child made for it, as if it had been started by itself. Only a file
 * that was trusted as it is now: whoever could call this with any file had an interpreter nobody judges.
 */
export async function runScript(file: string, args: readonly string[], env: Env): Promise<number> {
  const path = resolve(file);
  const bytes = contentOf(path);
  // Not 2: of a hook that would be a refusal.
  if (!bytes) return 1;
  const root = env["CLAUDE_PROJECT_DIR"] ?? process.cwd();
  if (!isPinned(path, sha256(bytes), root, env["HOOKLINE_PIN"] ?? "", env)) {
    console.error(`hookline: ${path} is not trusted as it is now (hookline trust)`);
    return 1;
  }
  process.argv.splice(1, process.argv.length, path, ...args);
  serve(followLinks(path), bytes);
  try {
    await import(path);
  } catch (error) {
    console.error(error);
    return 1;
  }
  return byItself;
}

function contentOf(path: string): Buffer | undefined {
  try {
    return nodeFs().readFileSync(path);
  } catch (error) {
    console.error(`hookline: ${path} cannot be read (${errorCode(error)})`);
    return undefined;
  }
}

/** No exit code: the process ends when it has nothing more to do, with the code the script has set. */
const byItself = -1;

/** The bytes that were looked at are the ones that run, and the script finds itself to be the main one. */
function serve(path: string, bytes: Buffer): void {
  const filter = new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
  const loader = /x$/.test(path) ? "tsx" : "ts";
  const contents = bytes.toString("utf8").replace(/\bimport\.meta\.main\b/g, "true");
  Bun.plugin({
    name: "trusted script",
    setup(build) {
      build.onLoad({ filter }, () => ({ contents, loader }));
    },
  });
}
