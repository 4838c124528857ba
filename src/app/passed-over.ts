import type { HookRun } from "../core/hook.ts";

/** For the record: a hook that was to decide what somebody before it had refused. */
export const passedOver = (hook: HookRun["hook"], refusedBy: string, wasStarted = false): HookRun => ({
  hook,
  status: wasStarted ? "stopped" : "not-run",
  why: `${refusedBy} refused before it`,
});
