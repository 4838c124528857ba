import type { Evaluator, RawResult } from "../core/hook.ts";
import type { Frame } from "./_frame.ts";
import { askAnthropic, askOpenai, AskFailed, type Ask } from "./_models.ts";

/** A question to whoever evaluates. */
export interface Question {
  readonly evaluator: Evaluator;
  readonly frame: Frame;
  readonly model: string;
  readonly timeoutMs: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cancel?: AbortSignal;
  /** Runs the command that evaluates, where one does. */
  readonly command: (
    argv: readonly string[],
    input: string,
    timeoutMs: number,
    cancel: AbortSignal,
  ) => Promise<RawResult>;
}

/** What it said, or why it said nothing. */
export type Told =
  | { readonly text: string }
  | { readonly late: true; readonly detail?: string }
  | { readonly detail: string };

export async function askModel(question: Question): Promise<Told> {
  const { evaluator, frame, model, timeoutMs, env, cancel, command } = question;
  const started = performance.now();
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = cancel ? AbortSignal.any([limit, cancel]) : limit;
  try {
    const text =
      evaluator.kind === "command"
        ? await byCommand(evaluator, frame, timeoutMs, signal, command)
        : await (evaluator.kind === "anthropic" ? askAnthropic : askOpenai)(
            toAsk(evaluator, frame, model, env, signal, started + timeoutMs),
          );
    return { text };
  } catch (error) {
    if (limit.aborted) return { late: true };
    if (error instanceof AskFailed && error.late) return { late: true, detail: error.message };
    return { detail: error instanceof AskFailed ? error.message : "the evaluator could not be reached" };
  }
}

function toAsk(
  { url, keyFrom }: Evaluator,
  frame: Frame,
  model: string,
  env: Question["env"],
  signal: AbortSignal,
  until: number,
): Ask {
  if (url === undefined) throw new AskFailed("the policy names no address for the evaluator");
  if (model === "") throw new AskFailed("the policy names no model for the evaluator");
  const key = keyFrom === undefined ? undefined : env[keyFrom];
  if (keyFrom !== undefined && !key) throw new AskFailed(`the environment has no ${keyFrom}`);
  return { url, model, frame, signal, until, ...(key === undefined ? {} : { key }) };
}

async function byCommand(
  { command: argv = [] }: Evaluator,
  frame: Frame,
  timeoutMs: number,
  signal: AbortSignal,
  run: Question["command"],
): Promise<string> {
  const raw = await run(argv, `${JSON.stringify(frame)}\n`, timeoutMs, signal);
  if (raw.ended === "timeout") throw new AskFailed("no answer in time", true);
  if (raw.ended !== "exit" || raw.exitCode !== 0)
    throw new AskFailed(
      `the evaluator's command failed (${raw.detail ?? `exit ${raw.exitCode ?? raw.signal}`})`,
    );
  return raw.stdout;
}
