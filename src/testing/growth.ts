import { dlopen } from "bun:ffi";

/** Times more than a straight line: `factor` times the text takes `factor` times as long, at the square of it `factor` squared. */
const slack = 2.5;

/**
 * Whether the time of `work` grows clearly faster than its text. Measured in CPU time of this thread, the best of a few
 * runs, because a busy machine and the collector only ever add.
 *
 * @example
 * expect(growsTooFast(parse, (kb) => "(".repeat(kb * 1024), 16)).toBe(false);
 */
export function growsTooFast(
  work: (text: string) => void,
  text: (kb: number) => string,
  kb: number,
  factor = 4,
): boolean {
  const [small, large] = [text(kb), text(kb * factor)];
  const best = { small: Infinity, large: Infinity };
  const isSlow = (): boolean => best.large > Math.max(best.small, 1) * factor * slack;
  for (let run = 0; run < 2 || (run < 40 && isSlow()); run++) {
    best.small = Math.min(best.small, cpuMs(work, small));
    best.large = Math.min(best.large, cpuMs(work, large));
  }
  return isSlow();
}

/** So many kilobytes of a text said again and again. */
export const repeated =
  (seed: string) =>
  (kb: number): string =>
    seed.repeat(Math.ceil((kb * 1024) / seed.length)).slice(0, kb * 1024);

function cpuMs(work: (text: string) => void, text: string): number {
  const start = threadMs();
  work(text);
  return threadMs() - start;
}

// By the system's clock of the thread: `process.threadCpuUsage` counts in ticks of some milliseconds.
const threadMs = ((): (() => number) => {
  const clock = { linux: 3, darwin: 16 }[process.platform as string];
  if (clock === undefined) return () => performance.now();
  const { symbols } = dlopen(process.platform === "linux" ? "libc.so.6" : "libSystem.dylib", {
    clock_gettime: { args: ["int", "ptr"], returns: "int" },
  });
  const time = new BigInt64Array(2);
  return () => {
    symbols.clock_gettime(clock, time);
    return Number(time[0]) * 1000 + Number(time[1]) / 1e6;
  };
})();
