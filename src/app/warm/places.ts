import { join } from "node:path";
import { stateFolder, type Env } from "../../platform/places.ts";

/** What a server and its callers share lies in a folder that is the user's alone. */
export function warmPlaces(env: Env) {
  const folder = join(stateFolder(env), "warm");
  return {
    folder,
    /** `client/hookline-warm.c` looks for it by the same rule. */
    socket: join(folder, "hooks.sock"),
    /** Locked for as long as a server runs. */
    lock: join(folder, "lock"),
    /** Who runs, for people. */
    status: join(folder, "server.json"),
    /** What a caller by http has to know. */
    token: join(folder, "token"),
    /** The port for http, where one is wanted. */
    settings: join(folder, "settings.json"),
  };
}
