import { dlopen, ptr } from "bun:ffi";
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
  const untie = tie(leader);
  let dismiss = (): void => undefined;
  const late = setTimeout(() => (dismiss = standBy(leader)), soonMs);
  return () => {
    clearTimeout(late);
    dismiss();
    untie();
    running.delete(leader);
  };
}

/**
 * A pipe that only we hold both ends of, and of whose end the kernel tells the group by SIGKILL: it costs no process. That it tells
 * so although the other end goes with us rests on the order in which Linux closes files, so somebody stands by all the same.
 */
function tie(leader: number): () => void {
  const ends = new Int32Array(2);
  if (!c || c.pipe2(ptr(ends), closeOnExec) !== 0) return () => undefined;
  const [read = -1, write = -1] = ends;
  c.fcntl(read, setOwner, -leader);
  c.fcntl(read, setSignal, 9);
  c.fcntl(read, setFlags, asynchronous);
  return () => {
    c?.close(read);
    c?.close(write);
  };
}

// O_CLOEXEC, F_SETOWN, F_SETSIG, F_SETFL and O_ASYNC of Linux on x64 and arm64.
const [closeOnExec, setOwner, setSignal, setFlags, asynchronous] = [0o2000000, 8, 10, 4, 0o20000];

/** Most hooks have ended by then, and need nobody to stand by. */
const soonMs = 200;

/**
 * Agents end a hook that takes too long by SIGKILL, of which we hear nothing. A shell beside us does, by the end of its input, and
 * ends the group in our place.
 */
function standBy(leader: number): () => void {
  if (process.platform === "win32") return () => undefined;
  const wait = 'read -r _; kill -s KILL -- "-$1"';
  const child = Bun.spawn(["/bin/sh", "-c", wait, "sh", String(leader)], {
    env: {},
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  });
  spare(child.pid);
  child.unref();
  return () => child.kill("SIGKILL");
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
  c = connect();
  c?.prctl(subreaper, 1n, 0n, 0n, 0n);
}

let c: ReturnType<typeof connect>;

function connect() {
  try {
    return dlopen("libc.so.6", {
      prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
      waitid: { args: ["i32", "u32", "ptr", "i32"], returns: "i32" },
      pipe2: { args: ["ptr", "i32"], returns: "i32" },
      // Its last argument is variadic, which makes no difference to Linux.
      fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
      close: { args: ["i32"], returns: "i32" },
    } as const).symbols;
  } catch {
    // Another C library: strays are the system's.
    return undefined;
  }
}

/** Whether there is a child at all, without taking its end away from whoever waits for it. */
function hasChildren(): boolean {
  const [all, ended, now, leave] = [0, 4, 1, 0x01000000]; // P_ALL, WEXITED, WNOHANG, WNOWAIT
  return c?.waitid(all, 0, ptr(new Uint8Array(128)), ended | now | leave) === 0;
}

/** Ends every process that was left to us, once none of our own is running. */
export function endStrays(): void {
  // Most often there is nobody, and to look closer costs more than the hook.
  if (process.platform !== "linux" || running.size > 0 || !hasChildren()) return;
  for (const pid of ourChildren()) {
    if (spared.has(pid)) continue;
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
