import { isObject } from "../../core/json.ts";
import { openLocked, readText } from "../../platform/files.ts";
import type { Env } from "../../platform/places.ts";
import { warmPlaces } from "./places.ts";

/** Ends the user's server, if there is one: whether there was. */
export async function stopServer(env: Env): Promise<boolean> {
  const { lock, status } = warmPlaces(env);
  const pid = isRunning(lock) ? pidIn(status) : undefined;
  if (pid === undefined) return false;
  process.kill(pid, "SIGTERM");
  for (let waited = 0; waited < 100 && isRunning(lock); waited++) await Bun.sleep(50);
  return true;
}

/** Only who runs can hold the lock. */
function isRunning(lock: string): boolean {
  const found = openLocked(lock);
  if (typeof found === "object") found.close();
  return found === "busy";
}

function pidIn(path: string): number | undefined {
  try {
    const status: unknown = JSON.parse(readText(path, 10_000) ?? "{}");
    const pid = isObject(status) ? status["pid"] : undefined;
    return typeof pid === "number" && Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}
