import type { HookResult } from "../core/hook.ts";
import { isObject } from "../core/json.ts";

/** Several results as one, in the order their hooks are configured in, whichever finished first. */
export function mergeResults(results: readonly HookResult[]): HookResult {
  const merged: Record<string, unknown> = {};
  for (const result of results) {
    for (const [key, value] of Object.entries(result)) merged[key] = together(key, merged[key], value);
  }
  const [intent, ...others] = results.flatMap(({ new_intent }) => (new_intent ? [new_intent] : []));
  // One trigger is what routing takes; the others are not lost.
  return intent && others.length > 0
    ? {
        ...merged,
        new_intent: intent,
        extra: { ...(merged["extra"] as object), new_intents: [intent, ...others] },
      }
    : merged;
}

function together(key: string, before: unknown, value: unknown): unknown {
  if (before === undefined) return value;
  if (Array.isArray(before) && Array.isArray(value))
    return [...(before as unknown[]), ...(value as unknown[])];
  if (key === "usage_recorded") return before === true || value === true;
  // The first error is the one that counts; each hook's own is in the record.
  if (key === "error") return before;
  if (isObject(before) && isObject(value)) {
    const both: Record<string, unknown> = { ...before };
    for (const [name, each] of Object.entries(value)) both[name] = together(name, both[name], each);
    return both;
  }
  return value;
}
