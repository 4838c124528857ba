import { isObject } from "../core/json.ts";

/** What an evaluator says. */
export interface Verdict {
  readonly ok: boolean;
  readonly reason?: string;
}

const longestReason = 2000;

/** The answer in a model's text, which may stand in a code block; nothing else may stand beside it. */
export function answerIn(text: string): Verdict | undefined {
  const bare = text
    .trim()
    .replace(/^```(?:json)?\s*\n([\s\S]*?)\n?```$/i, "$1")
    .trim();
  try {
    const value: unknown = JSON.parse(bare);
    if (!isObject(value) || typeof value["ok"] !== "boolean") return undefined;
    const { ok, reason } = value;
    return typeof reason === "string" && reason.trim() !== ""
      ? { ok, reason: reason.trim().slice(0, longestReason) }
      : { ok };
  } catch {
    return undefined;
  }
}
