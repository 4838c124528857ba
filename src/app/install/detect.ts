import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Install, Machine } from "../../core/install.ts";
import type { Env } from "../../platform/places.ts";
import { onPath } from "./executable.ts";

/** Why an agent is believed to be in use; nothing when nothing tells of it. */
export function signOf({ signs }: Install, machine: Machine, env: Env): string | undefined {
  const inRepo = signs.repo.find((path) => existsSync(join(machine.root, path)));
  if (inRepo !== undefined) return `${inRepo} in the repository`;
  const inHome = signs.home(machine).find((path) => existsSync(path));
  if (inHome !== undefined) return inHome;
  const program = signs.programs.find((name) => onPath(name, env) !== undefined);
  return program === undefined ? undefined : `\`${program}\` on the PATH`;
}
