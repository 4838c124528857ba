import type { Handler, RawResult } from "../core/hook.ts";
import { answerIn, type Verdict } from "./_answer.ts";
import { frameOf } from "./_frame.ts";
import { askModel, type Question } from "./ask-model.ts";

export interface PromptCall extends Omit<Question, "frame" | "model"> {
  /** What the model is asked about: data, whoever it came from. */
  readonly evidence: Readonly<Record<string, unknown>>;
  /** Answers that were given before, by the digest of the question. */
  readonly cache?: {
    read(question: string): Verdict | undefined;
    write(question: string, verdict: Verdict): void;
  };
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
  const told = await askModel({
    evaluator,
    frame,
    model: asked,
    timeoutMs,
    env,
    command,
    ...(cancel ? { cancel } : {}),
  });
  if ("late" in told)
    return done({ ended: "timeout", ...(told.detail === undefined ? {} : { detail: told.detail }) });
  if ("detail" in told) return done({ detail: told.detail });
  const verdict = answerIn(told.text);
  if (!verdict) return done({ detail: 'its answer is not {"ok": true} or {"ok": false, "reason": …}' });
  cache?.write(question, verdict);
  return done({ ended: "exit", exitCode: 0, stdout: JSON.stringify(verdict) });
}
