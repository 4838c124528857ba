import vm from "node:vm";
import { plainLimits, TimeoutError, type Limits } from "../core/engine.ts";

/**
 * Limits that hold even for a rule that never returns: `node:vm` is the one way to interrupt
 * synchronous code in this thread, and it costs nothing measurable.
 */
export const watchedLimits: Limits = {
  ...plainLimits,
  within(ms, work) {
    const key = `hookline ${Math.random()}`;
    const global = globalThis as unknown as Record<string, unknown>;
    global[key] = work;
    try {
      return vm.runInThisContext(`globalThis[${JSON.stringify(key)}]()`, { timeout: ms }) as ReturnType<
        typeof work
      >;
    } catch (error) {
      if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new TimeoutError();
      throw error;
    } finally {
      delete global[key];
    }
  },
};
