import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { asText, isObject } from "../../core/json.ts";
import type { Env } from "../../platform/places.ts";
import { onPath } from "../install/executable.ts";

/** The version of the first of these programs that is installed, by the package it belongs to. Nothing is started: some take a second. */
export function programVersion(
  names: readonly string[],
  env: Env,
): { readonly path: string; readonly version?: string } | undefined {
  for (const name of names) {
    const path = onPath(name, env);
    if (path === undefined) continue;
    const version = packageVersion(path);
    return { path, ...(version === undefined ? {} : { version }) };
  }
  return undefined;
}

function packageVersion(path: string): string | undefined {
  try {
    for (let folder = dirname(realpathSync(path)), steps = 0; steps < 4; folder = dirname(folder), steps++) {
      const version = versionIn(join(folder, "package.json"));
      if (version !== undefined) return version;
    }
  } catch {
    // A link that leads nowhere has no version.
  }
  return undefined;
}

function versionIn(file: string): string | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(manifest) ? asText(manifest["version"]) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a version comes before another, part by part. */
export function isOlder(version: string, than: string): boolean {
  const [one, other] = [version, than].map((each) =>
    each.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let at = 0; at < 3; at++) {
    const difference = (one?.[at] ?? 0) - (other?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
