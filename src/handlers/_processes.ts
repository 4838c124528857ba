import { dlopen } from "bun:ffi";
import { nodeFs } from "../platform/files.ts";

/** Groups that are running, for whoever has to end us. */
const running = new Set<number>();

/** Children that are meant to outlive us. */
const spared = new Set<number>();

export const spare = (pid: number): void => void spared.add(pid);

/** Sends a signal to everybody in a process group; nobody there is fine. */
export function endGroup(leader: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    // Windows has no groups; its handler knows the process alone.
    process.kill(process.platform === "win32" ? leader : -leader, signal);
  } catch {
    // All of them are gone.
  }
}

/** Ends a group with us, should somebody end us. */
export function watchGroup(leader: number): () => void {
  running.add(leader);
  return () => void running.delete(leader);
}

const subreaper = 36; // PR_SET_CHILD_SUBREAPER

let keeping = false;

/**
 * A process that leaves its group (`setsid`, a daemon's double fork) becomes a child of ours when its parent ends, so that
 * it can be found. Linux only; elsewhere such a process gets away.
 */
export function keepStrays(): void {
  if (keeping) return;
  keeping = true;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.once(signal, () => {
      for (const leader of running) endGroup(leader, "SIGKILL");
      process.exit(128 + { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 }[signal]);
    });
  }
  if (process.platform !== "linux") return;
  try {
    const { symbols } = dlopen("libc.so.6", {
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    } as const);
    symbols.prctl(subreaper, 1n, 0n, 0n, 0n);
  } catch {
    // Another C library: strays are the system's.
  }
}

/** Ends every process that was left to us and belongs to no group that is still running. */
export function endStrays(): void {
  if (process.platform !== "linux") return;
  for (const pid of ourChildren()) {
    if (running.has(pid) || spared.has(pid)) continue;
    endGroup(pid, "SIGKILL");
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone with its group.
    }
  }
}

function ourChildren(): number[] {
  const fs = nodeFs();
  try {
    const threads = fs.readdirSync("/proc/self/task");
    const lists = threads.map((thread) => childrenOf(fs, thread));
    return lists.flat();
  } catch {
    return [];
  }
}

function childrenOf(fs: ReturnType<typeof nodeFs>, thread: string): number[] {
  try {
    const text = fs.readFileSync(`/proc/self/task/${thread}/children`, "utf8");
    return text.split(" ").filter(Boolean).map(Number);
  } catch {
    // A thread that has just ended.
    return [];
  }
}
