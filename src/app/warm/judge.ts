import type { Action } from "../../core/action.ts";
import { version } from "../../platform/version.ts";
import { hookOptions, type HookOptions } from "../hook-options.ts";
import { Elsewhere, type Setting } from "../pass.ts";
import { decide, isRefusal, recordFailure, send, textOf, type Decided } from "../run.ts";
import type { Request, Response } from "./frame.ts";

export interface Judged {
  readonly response: Response;
  /** The caller could not pass the answer on; that is written down like the decision. */
  failed(trouble: string): Promise<void>;
}

/**
 * What the cold executable would answer, or nothing where it has to be asked: hooks of the workspace may be concerned, the payload
 * cannot be read, something is not as it should be. Then nothing has been done yet.
 */
export async function judgeWarm(request: Request, patienceMs: number): Promise<Judged | undefined> {
  const [caller, command, ...args] = request.words;
  const options = command === "run" ? hookOptions(args, () => {}) : undefined;
  if (Date.now() > request.time + patienceMs) return undefined;
  if (caller !== version || !options || !isPlain(options, args)) return undefined;
  // Local times are those of the process.
  if (request.env["TZ"] !== process.env["TZ"]) return undefined;
  // Without a home the machine is asked whose this is, and what it says depends on the process.
  if (!request.env["HOME"]?.startsWith("/")) return undefined;
  const setting: Setting = { ...options, env: request.env, cwd: request.cwd, hooks: "elsewhere" };
  const complaints: string[] = [];
  const started = performance.now();
  try {
    // What is looked up by way of the process (`/proc/self/cwd`) is found where the cold one would have been started.
    process.chdir(request.cwd);
    process.umask(request.umask);
    const decided = await decide(
      new TextDecoder().decode(request.payload),
      setting,
      performance.now() - started,
      (line) => complaints.push(line),
      (passed) => {
        // Who has waited too long is asking the cold executable by now.
        if (Date.now() > request.time + patienceMs) throw new Elsewhere("it took too long");
        if (passed.event.actions.some(dependsOnProcess))
          throw new Elsewhere("it is about the process itself");
      },
    );
    await send(decided.passed, setting);
    return judged(decided, setting, complaints);
  } catch {
    return undefined;
  } finally {
    process.chdir("/");
  }
}

/** Whoever asks for more than an answer, or in words we do not know, asks for the whole program. */
const isPlain = ({ host, event, verbose, warm }: HookOptions, args: readonly string[]): boolean =>
  !verbose && args.length === (host === undefined ? 0 : 2) + (event === undefined ? 0 : 2) + (warm ? 1 : 0);

/** What `/proc/self` and `/dev/fd` lead to is another thing for us than for a process that was started by the agent. */
function dependsOnProcess(action: Action): boolean {
  const target = "target" in action ? action.target : undefined;
  return (
    target !== undefined && target.path !== target.real && (own.test(target.path) || own.test(target.real))
  );
}

const own = /^(?:\/(?:proc|dev)\/|[^/])/;

function judged({ passed, decision }: Decided, { env }: Setting, complaints: readonly string[]): Judged {
  const { answer, fitted, event } = passed;
  const { outcome, reason } = fitted.reply;
  const stderr = [...complaints, ...(answer.stderr ? [answer.stderr] : [])];
  return {
    response: {
      exitCode: answer.exitCode,
      stdout: textOf(answer.stdout),
      stderr: stderr.map((line) => `${line}\n`).join(""),
      ...(isRefusal(outcome) ? { reason } : {}),
    },
    failed: (trouble) =>
      recordFailure(event.root, decision, env, {
        kind: "answer",
        detail: `standard output cannot be written (${trouble})`,
      }),
  };
}
