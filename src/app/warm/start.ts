import type { Env } from "../../platform/places.ts";

/** What tells where the user's files are; nothing else of who happened to be first is kept. */
const needed = [
  "HOME",
  "PATH",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "LOCALAPPDATA",
  "APPDATA",
  "TMPDIR",
  "TZ",
];

/** Starts a server and does not wait for it. Where one is running already, it ends at once. */
export function startServer(env: Env): void {
  if (process.platform === "win32") return;
  try {
    Bun.spawn([process.execPath, "serve", "--hooks"], {
      cwd: "/",
      env: Object.fromEntries(needed.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
      stdio: ["ignore", "ignore", "ignore"],
      // In a group of its own, so that it does not end with the hook.
      detached: true,
    }).unref();
  } catch {
    // Without a server the next call is as slow as this one, and nothing else.
  }
}
