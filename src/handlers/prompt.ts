import type { Evaluator, Handler, RawResult } from "../core/hook.ts";
import { answerIn, type Verdict } from "./_answer.ts";
import { frameOf, type Frame } from "./_frame.ts";
import { askAnthropic, askOpenai, AskFailed, type Ask } from "./_models.ts";

export interface PromptCall {
  /** What the model is asked about: data, whoever it came from. */
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly evaluator: Evaluator;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cancel?: AbortSignal;
  /** Answers that were given before, by the digest of the question. */
  readonly cache?: {
    read(question: string): Verdict | undefined;
    write(question: string, verdict: Verdict): void;
  };
  /** Runs the command that evaluates, where one does. */
  readonly command: (
    argv: readonly string[],
    input: string,
    timeoutMs: number,
    cancel: AbortSignal,
  ) => Promise<RawResult>;
}

/** Puts a prompt hook's question to whoever evaluates it; the answer is `{ok, reason}`, as a hook would print it. */
export async function runPrompt(
  { prompt, model }: Extract<Handler, { kind: "prompt" }>,
  { evaluator, evidence, timeoutMs, env, cancel, cache, command }: PromptCall,
): Promise<RawResult> {
  const started = performance.now();
  const done = (rest: Partial<RawResult>): RawResult => ({
    ended: "failed",
    stdout: "",
    stderr: "",
    ...rest,
    ms: performance.now() - started,
  });
  const frame = frameOf(prompt, evidence);
  const asked = model ?? evaluator.model ?? "";
  const question = JSON.stringify([evaluator.kind, evaluator.url, evaluator.command, asked, frame]);
  const known = cache?.read(question);
  if (known)
    return done({ ended: "exit", exitCode: 0, stdout: JSON.stringify(known), detail: "answered before" });
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = cancel ? AbortSignal.any([limit, cancel]) : limit;
  try {
    const text =
      evaluator.kind === "command"
        ? await byCommand(evaluator, frame, timeoutMs, signal, command)
        : await (evaluator.kind === "anthropic" ? askAnthropic : askOpenai)(
            toAsk(evaluator, frame, asked, env, signal, started + timeoutMs),
          );
    const verdict = answerIn(text);
    if (!verdict) return done({ detail: 'its answer is not {"ok": true} or {"ok": false, "reason": …}' });
    cache?.write(question, verdict);
    return done({ ended: "exit", exitCode: 0, stdout: JSON.stringify(verdict) });
  } catch (error) {
    if (limit.aborted || (error instanceof AskFailed && error.late)) return done({ ended: "timeout" });
    return done({
      detail: error instanceof AskFailed ? error.message : "the evaluator could not be reached",
    });
  }
}

function toAsk(
  { url, keyFrom }: Evaluator,
  frame: Frame,
  model: string,
  env: PromptCall["env"],
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
  run: PromptCall["command"],
): Promise<string> {
  const raw = await run(argv, `${JSON.stringify(frame)}\n`, timeoutMs, signal);
  if (raw.ended === "timeout") throw new AskFailed("no answer in time", true);
  if (raw.ended !== "exit" || raw.exitCode !== 0)
    throw new AskFailed(
      `the evaluator's command failed (${raw.detail ?? `exit ${raw.exitCode ?? raw.signal}`})`,
    );
  return raw.stdout;
}
