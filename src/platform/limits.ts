import vm from "node:vm";
import { plainLimits, TimeoutError, type Limits } from "../core/engine.ts";

/** The work at hand; it starts nothing else that is watched, so one place is enough. */
const desk: { work?: (() => unknown) | undefined } = {};
const name = "hookline: what is watched";
// Set once: a global that comes and goes makes every other global slow.
Object.defineProperty(globalThis, name, { value: desk });
const script = new vm.Script(`globalThis[${JSON.stringify(name)}].work()`);

/**
 * Limits that hold even for a rule that never returns: `node:vm` is the one way to interrupt
 * synchronous code in this thread. It costs some microseconds.
 */
export const watchedLimits: Limits = {
  ...plainLimits,
  within(ms, work) {
    desk.work = work;
    try {
      return script.runInThisContext({ timeout: Math.max(1, Math.ceil(ms)) }) as ReturnType<typeof work>;
    } catch (error) {
      if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT")
        throw new TimeoutError("it took too long");
      throw error;
    } finally {
      desk.work = undefined;
    }
  },
};
