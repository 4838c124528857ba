import vm from "node:vm";
import { plainLimits, TimeoutError, type Limits } from "../core/engine.ts";

/** The work at hand; it starts nothing else that is watched, so one place is enough. */
const place = "hookline: the work that is watched";
const script = new vm.Script(`globalThis[${JSON.stringify(place)}]()`);

/**
 * Limits that hold even for a rule that never returns: `node:vm` is the one way to interrupt
 * synchronous code in this thread. It costs about three microseconds.
 */
export const watchedLimits: Limits = {
  ...plainLimits,
  within(ms, work) {
    const global = globalThis as unknown as Record<string, unknown>;
    global[place] = work;
    try {
      return script.runInThisContext({ timeout: ms }) as ReturnType<typeof work>;
    } catch (error) {
      if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new TimeoutError();
      throw error;
    } finally {
      delete global[place];
    }
  },
};
