import { chmodSync } from "node:fs";
import { workspace, type Workspace } from "./hookline.ts";

/** A workspace with hook scripts that may be executed, and all of its hooks trusted unless said otherwise. */
export async function hooked(
  files: Readonly<Record<string, string>>,
  { trust = true }: { trust?: boolean } = {},
): Promise<Workspace> {
  const made = workspace(files);
  for (const name of Object.keys(files)) if (files[name]?.startsWith("#!")) chmodSync(made.path(name), 0o755);
  if (trust) {
    const { exitCode, stderr } = await made.run(["trust", "--yes"]);
    if (exitCode !== 0) throw new Error(`hookline trust failed: ${stderr}`);
  }
  return made;
}

/** A definition of the registry, for one script. */
export const definition = (
  id: string,
  event: string,
  more = "",
  script = `./scripts/hooks/${id}.sh`,
): string =>
  `id: ${id}\nevent_type: ${event}\nenabled: true\nhandler:\n  kind: script\n  command: ${script}\n${more}`;

/** Files of a registry hook: its definition and a shell script. */
export const registryHook = (
  id: string,
  event: string,
  body: string,
  more = "",
): Readonly<Record<string, string>> => ({
  [`.system/hooks/${id}.yaml`]: definition(id, event, more),
  [`scripts/hooks/${id}.sh`]: `#!/bin/sh\n${body}\n`,
});
/** The Harness's settings for scripts at one event. */
export const harnessSettings = (event: string, ...hooks: readonly object[]): string =>
  JSON.stringify({ hooks: { [event]: hooks } }, null, 2);
