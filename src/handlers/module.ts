import type { Handler, RawResult } from "../core/hook.ts";

export interface ModuleCall {
  readonly payload: unknown;
  readonly timeoutMs: number;
  readonly cancel?: AbortSignal;
}

/** What a module runs in: a thread of its own, the one thing that can be ended when it never returns. */
const bridge = `
// Standard output is the answer to the agent.
for (const name of ["log", "info", "debug", "table", "dir"]) console[name] = console.error;
process.stdout.write = process.stderr.write.bind(process.stderr);
self.onmessage = async ({ data }) => {
  try {
    const module = await import(data.path);
    const call = module.default ?? module.handler;
    if (typeof call !== "function") throw new Error("it has no default function");
    self.postMessage({ value: (await call(data.payload)) ?? {} });
  } catch (error) {
    self.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
};`;

/** Calls the default function of a TypeScript file with the payload, in this process. */
export async function runModule(
  { path }: Extract<Handler, { kind: "module" }>,
  { payload, timeoutMs, cancel }: ModuleCall,
): Promise<RawResult> {
  const started = performance.now();
  const address = URL.createObjectURL(new Blob([bridge], { type: "application/typescript" }));
  const worker = new Worker(address);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<RawResult>((settle) => {
      const end = (rest: Pick<RawResult, "ended"> & Partial<RawResult>): void =>
        settle({ stdout: "", stderr: "", ms: performance.now() - started, ...rest });
      timer = setTimeout(() => end({ ended: "timeout" }), timeoutMs);
      const dismiss = (): void => end({ ended: "failed", detail: "not wanted any more" });
      cancel?.addEventListener("abort", dismiss);
      // Who comes late to a signal hears nothing of it.
      if (cancel?.aborted) dismiss();
      worker.addEventListener("message", ({ data }: MessageEvent<{ value?: unknown; error?: string }>) =>
        end(
          data.error === undefined
            ? { ended: "exit", exitCode: 0, value: data.value }
            : { ended: "failed", detail: data.error },
        ),
      );
      worker.addEventListener("close", () => end({ ended: "failed", detail: "it ended without an answer" }));
      worker.addEventListener("error", ({ message }) => end({ ended: "failed", detail: message }));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage({ path, payload });
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
    URL.revokeObjectURL(address);
  }
}
