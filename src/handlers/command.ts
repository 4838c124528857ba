import type { Handler, RawResult } from "../core/hook.ts";
import { errorCode } from "../platform/files.ts";
import { argvOf, CannotStart } from "./_interpreter.ts";
import { withRuntime } from "./_runtime.ts";
import { endGroup, endStrays, keepStrays, watchGroup } from "./_processes.ts";

export interface CommandCall {
  /** What stands on standard input, all of it at once. */
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  /** Puts a program around the one that is to run. */
  readonly wrap?: ((argv: readonly string[]) => readonly string[]) | undefined;
  /** Given when the result is not wanted any more. */
  readonly cancel?: AbortSignal;
}

/** How much of each stream is listened to. What comes behind is read and thrown away, so that the exit code still counts. */
const outputCap = 1024 * 1024;

/** What a process that was asked to end gets before it is ended. */
const graceMs = 1000;
/** The same for one whose answer nobody waits for any more, but everybody for its end. */
const dismissedMs = 100;
/** What output a process has left behind gets to arrive; only who still holds the pipe open makes us wait. */
const drainMs = 50;

/** Runs a command in a process group of its own, and leaves nothing of it behind. */
export async function runCommand(
  handler: Extract<Handler, { kind: "command" }>,
  { input, cwd, env, timeoutMs, cancel, wrap = (argv) => argv }: CommandCall,
): Promise<RawResult> {
  const started = performance.now();
  const failed = (detail: string): RawResult => ({
    ended: "failed",
    stdout: "",
    stderr: "",
    detail,
    ms: performance.now() - started,
  });
  let child;
  try {
    keepStrays();
    child = Bun.spawn([...wrap(argvOf(handler))], {
      cwd,
      env: { ...withRuntime(handler, env), ...handler.env },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
      detached: true,
    });
  } catch (error) {
    return failed(
      error instanceof CannotStart ? error.message : `it could not be started (${errorCode(error)})`,
    );
  }
  const { pid } = child;
  const forget = watchGroup(pid);
  let timedOut = false;
  let last: ReturnType<typeof setTimeout> | undefined;
  const end = (grace: number): void => {
    endGroup(pid, "SIGTERM");
    clearTimeout(last);
    last = setTimeout(() => endGroup(pid, "SIGKILL"), grace);
  };
  const limit = setTimeout(() => {
    timedOut = true;
    end(graceMs);
  }, timeoutMs);
  const dismiss = (): void => end(dismissedMs);
  cancel?.addEventListener("abort", dismiss, { once: true });
  // Who comes late to a signal hears nothing of it.
  if (cancel?.aborted) dismiss();
  const out = collect(child.stdout);
  const err = collect(child.stderr);
  await child.exited;
  clearTimeout(limit);
  await Promise.race([Promise.all([out.done, err.done]), Bun.sleep(drainMs)]);
  clearTimeout(last);
  // Whoever is left of its group would outlive the answer.
  endGroup(pid, "SIGKILL");
  forget();
  endStrays();
  cancel?.removeEventListener("abort", dismiss);
  const signal = child.signalCode;
  const cut = out.isCut() || err.isCut();
  return {
    ended: timedOut ? "timeout" : signal === null ? "exit" : "signal",
    ...(child.exitCode === null ? {} : { exitCode: child.exitCode }),
    ...(signal === null ? {} : { signal: String(signal) }),
    stdout: out.text(),
    stderr: err.text(),
    ...(cut ? { cut } : {}),
    ms: performance.now() - started,
  };
}

/** Why a script could not be started, by what can be told without doing so. */
export function startTrouble(handler: Extract<Handler, { kind: "command" }>): string | undefined {
  try {
    argvOf(handler);
    return undefined;
  } catch (error) {
    return error instanceof CannotStart ? error.message : `it cannot be read (${errorCode(error)})`;
  }
}

interface Collected {
  readonly done: Promise<void>;
  text(): string;
  isCut(): boolean;
}

/** Reads a stream to its end and keeps its beginning. */
function collect(stream: ReadableStream<Uint8Array>): Collected {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const read = async (): Promise<void> => {
    try {
      for await (const chunk of stream) {
        if (size < outputCap) chunks.push(chunk.subarray(0, outputCap - size));
        size += chunk.length;
      }
    } catch {
      // The pipe broke; what came until then counts.
    }
  };
  return {
    done: read(),
    text: () => new TextDecoder().decode(Buffer.concat(chunks)),
    isCut: () => size > outputCap,
  };
}
