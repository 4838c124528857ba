import type { Evaluator, HookDefinition } from "../core/hook.ts";
import type { HandlerSettings } from "../policy/policy.ts";

/**
 * Who answers a prompt hook. What a repository says about it is foreign like its hooks, and is trusted together with them; a hook of
 * the user's own never goes that way.
 */
export const evaluatorOf = (
  { own, handler }: HookDefinition,
  settings: HandlerSettings,
): Evaluator | undefined =>
  own || handler.kind !== "prompt" ? settings.evaluator : (handler.evaluator ?? settings.evaluator);

/** Definitions with the repository's evaluator in those it would answer, so that whoever trusts one trusts both. */
export const withForeign = (
  definitions: readonly HookDefinition[],
  { foreignEvaluator }: HandlerSettings,
): HookDefinition[] =>
  definitions.map((definition) =>
    definition.handler.kind === "prompt" && foreignEvaluator && !definition.own
      ? { ...definition, handler: { ...definition.handler, evaluator: foreignEvaluator } }
      : definition,
  );

/** A prompt hook fails and is waited for as its evaluator says, where that says anything. */
export function asEvaluated(definition: HookDefinition, settings: HandlerSettings): HookDefinition {
  const evaluator = definition.handler.kind === "prompt" ? evaluatorOf(definition, settings) : undefined;
  if (!evaluator) return definition;
  const { failMode = definition.failMode, timeoutMs = definition.timeoutMs } = evaluator;
  return { ...definition, failMode, timeoutMs: Math.min(timeoutMs, definition.timeoutMs) };
}
