import { join } from "node:path";
import type { Event } from "../core/event.ts";
import type { Handler, HookDefinition, RawResult } from "../core/hook.ts";
import { isObject, type Json } from "../core/json.ts";
import { runCommand } from "../handlers/command.ts";
import { payloadFor } from "../handlers/payload.ts";
import { runPrompt, type PromptCall } from "../handlers/prompt.ts";
import { sha256 } from "../platform/digest.ts";
import { readText } from "../platform/files.ts";
import { cacheFolder, type Env } from "../platform/places.ts";
import { writeNew } from "../platform/write-new.ts";
import type { HandlerSettings } from "../policy/policy.ts";
import { evaluatorOf } from "./evaluator.ts";
import { injected } from "../results/prompt.ts";
import { redact } from "../secrets/redact.ts";

type Prompt = Extract<Handler, { kind: "prompt" }>;

/** Puts the question, or without anybody to answer it hands the prompt on to the model. */
export async function runPromptHook(
  definition: HookDefinition,
  handler: Prompt,
  event: Event,
  input: Json | undefined,
  settings: HandlerSettings,
  env: Env,
  cancel: AbortSignal,
): Promise<RawResult> {
  const evaluator = evaluatorOf(definition, settings);
  if (!evaluator)
    return { ended: "exit", exitCode: 0, stdout: handler.prompt, stderr: "", detail: injected, ms: 0 };
  const { timeoutMs } = definition;
  return runPrompt(handler, {
    evaluator,
    evidence: evidenceOf(payloadFor("plugin", event, input)),
    timeoutMs,
    env,
    cancel,
    cache: cacheIn(env),
    command: (args, text, limit, signal) =>
      runCommand(
        { kind: "command", args },
        { input: text, cwd: event.root, env, timeoutMs: limit, cancel: signal },
      ),
  });
}

/** What tells one call from another, and nothing about what it does. */
const passing = new Set([
  "session_id",
  "transcript_path",
  "agent_transcript_path",
  "tool_use_id",
  "prompt_id",
  "agent_id",
  "timestamp",
  "duration_ms",
  "effort",
  "scratchpad_dir",
  "traceparent",
  "tracestate",
]);

/** What a model is shown of a payload: without secrets, without what changes from call to call, and not endless. */
function evidenceOf(payload: Json): Json {
  const kept = Object.fromEntries(Object.entries(payload).filter(([key]) => !passing.has(key)));
  return shortened(redact(kept).value, 0) as Json;
}

const longest = 20_000;
const most = 200;
const deepest = 12;

/** What is left out is said, so that nobody hides behind it unnoticed. */
function shortened(value: unknown, depth: number): unknown {
  if (typeof value === "string")
    return value.length > longest
      ? `${value.slice(0, longest)} [${value.length - longest} characters left out]`
      : value;
  if (Array.isArray(value)) {
    const kept = value.slice(0, most).map((each) => shortened(each, depth + 1));
    return value.length > most ? [...kept, `[${value.length - most} more left out]`] : kept;
  }
  if (!isObject(value)) return value;
  if (depth > deepest) return "[too deep]";
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, depth + 1)]));
}

const mostBytes = 64 * 1024;

/** In the user's cache: an answer in the repository could come with the repository. */
function cacheIn(env: Env): NonNullable<PromptCall["cache"]> {
  const fileOf = (question: string): string => join(cacheFolder(env), "prompts", `${sha256(question)}.json`);
  return {
    read(question) {
      try {
        const known: unknown = JSON.parse(readText(fileOf(question), mostBytes) ?? "");
        return isObject(known) && typeof known["ok"] === "boolean" ? (known as { ok: boolean }) : undefined;
      } catch {
        return undefined;
      }
    },
    write(question, verdict) {
      try {
        writeNew(fileOf(question), JSON.stringify(verdict));
      } catch {
        // Without a cache the question is asked again.
      }
    },
  };
}
