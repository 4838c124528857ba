import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { replaceFile } from "../../platform/replace-file.ts";
import { UsageError, type Given } from "./_command.ts";

const mark = "# Written by `hookline pipeline scripts`:";

/** The four scripts of the original, each with what it calls instead. */
const calls: Readonly<Record<string, string>> = {
  "pre-tool-hook.sh": "run --as pipeline --event PreToolUse",
  "post-agent-hook.sh": "run --as pipeline --event PostToolUse",
  "post-bash-hook.sh": "pipeline finalize --hook",
  "stop-hook.sh": "run --as pipeline --event Stop",
};

/** Writes the scripts; what another hand has written is kept beside them. */
export function writeScripts(given: Given): number {
  const [, to] = given.words;
  if (to === undefined) throw new UsageError("name the folder: hookline pipeline scripts DIR");
  const folder = resolve(to);
  mkdirSync(folder, { recursive: true });
  const written = Object.entries(calls).map(([name, call]) => {
    const path = join(folder, name);
    const kept = keep(path);
    replaceFile(path, script(call));
    chmodSync(path, 0o755);
    return { path, ...(kept === undefined ? {} : { kept }) };
  });
  if (given.flags["json"] === true) console.log(JSON.stringify({ written }));
  else
    for (const { path, kept } of written)
      console.log(kept === undefined ? path : `${path} (what was there is ${kept})`);
  return 0;
}

function keep(path: string): string | undefined {
  if (!existsSync(path) || readFileSync(path, "utf8").includes(mark)) return undefined;
  const kept = `${path}.original`;
  if (existsSync(kept)) throw new UsageError(`${kept} is there already; move it away first`);
  renameSync(path, kept);
  return kept;
}

/** Where the executable is gone, nothing is guarded and nobody is held: the contract fails open, and says so. */
function script(call: string): string {
  const quoted = `'${process.execPath.replaceAll("'", `'\\''`)}'`;
  const missing = `{ echo "hookline is not installed: this pipeline is not guarded" >&2; exit 0; }`;
  return `#!/usr/bin/env bash
${mark} exit 0 allows, exit 2 blocks with the reason on stderr.
h=${quoted}; [ -x "$h" ] || h=$(command -v hookline) || ${missing}; exec "$h" ${call}
`;
}
