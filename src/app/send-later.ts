import type { EventName } from "../core/event.ts";
import type { Env } from "../platform/places.ts";

/** When an agent pauses anyway. */
export const isPause = (name: EventName): boolean =>
  name === "SessionStart" || name === "Stop" || name === "SessionStop" || name === "SessionEnd";

/** Starts the sending of records and does not wait for it: it goes on when we are gone, and nobody listens to it. */
export function sendLater(root: string, env: Env): void {
  Bun.spawn([process.execPath, "export", "--patience", "120"], {
    cwd: root,
    env,
    stdio: ["ignore", "ignore", "ignore"],
    // In a group of its own, so that it does not end with the hook.
    detached: true,
  }).unref();
}
