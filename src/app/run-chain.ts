import type { Event } from "../core/event.ts";
import type { HookDefinition, HookRun, RawResult } from "../core/hook.ts";
import type { Json } from "../core/json.ts";
import { startInBackground } from "../handlers/background.ts";
import { runCommand } from "../handlers/command.ts";
import { environmentFor } from "../handlers/environment.ts";
import { runHttp } from "../handlers/http.ts";
import { runModule } from "../handlers/module.ts";
import { payloadFor } from "../handlers/payload.ts";
import { toolFor } from "../handlers/tool-names.ts";
import type { Env } from "../platform/places.ts";
import type { Policy } from "../policy/policy.ts";
import { readPrompt } from "../results/prompt.ts";
import { readResult } from "../results/read-result.ts";
import type { Reading } from "../results/reading.ts";
import { pinName } from "../sources/trust.ts";

export interface Done {
  readonly run: HookRun;
  readonly reading?: Reading;
}

/**
 * Runs hooks side by side. When one changes the tool's input, those behind it must see the change: what they are doing is
 * broken off and they run again, so that the result is that of running them one after the other.
 */
export async function runChain(
  definitions: readonly HookDefinition[],
  event: Event,
  policy: Policy,
  environment: string,
  env: Env,
): Promise<Done[]> {
  const done: Done[] = [];
  let input: Json | undefined;
  while (done.length < definitions.length) {
    const cancel = new AbortController();
    const again = input === undefined ? {} : { again: true as const };
    const results = definitions
      .slice(done.length)
      .map((definition) =>
        runSafely(definition, { event, input, policy, environment, env, cancel: cancel.signal }),
      );
    for (const result of results) {
      const { definition, raw } = await result;
      const reading = readingOf(definition, event.name, raw);
      done.push({ run: { hook: knownBy(definition), status: reading.status, raw, ...again }, reading });
      const changed = reading.contributions.findLast((part) => part.input !== undefined)?.input;
      if (changed === undefined || done.length === definitions.length) continue;
      input = changed;
      cancel.abort();
      await Promise.all(results);
      break;
    }
  }
  // Nobody waits for these, so they see what the others have made of the input, and only once.
  for (const definition of definitions)
    if (definition.background) startOne(definition, { event, input, environment, env });
  return done;
}

const notWaitedFor: RawResult = { ended: "exit", stdout: "", stderr: "", detail: "not waited for", ms: 0 };

/** What goes wrong with one hook is that hook's trouble. */
async function runSafely(
  definition: HookDefinition,
  circumstances: Circumstances,
): Promise<{ definition: HookDefinition; raw: RawResult }> {
  if (definition.background) return { definition, raw: notWaitedFor };
  try {
    return await runOne(definition, circumstances);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { definition, raw: { ended: "failed", stdout: "", stderr: "", detail, ms: 0 } };
  }
}

function startOne(
  definition: HookDefinition,
  { event, input, environment, env }: Pick<Circumstances, "event" | "input" | "environment" | "env">,
): void {
  const { handler, timeoutMs, profile } = definition;
  if (handler.kind !== "command") return;
  const text = `${JSON.stringify(payloadFor(profile, event, input))}\n`;
  const cwd = handler.cwd ?? event.root;
  const variables = variablesFor(definition, event, input, environment, env);
  startInBackground({ handler, input: text, cwd, timeoutMs }, variables, env);
}

function variablesFor(
  definition: HookDefinition,
  event: Event,
  input: Json | undefined,
  environment: string,
  env: Env,
): Env {
  const known = toolFor(event);
  const tool = known && input ? { ...known, input } : known;
  return { ...environmentFor(definition, event, tool, environment, env), HOOKLINE_PIN: pinName(definition) };
}

interface Circumstances {
  readonly event: Event;
  readonly input: Json | undefined;
  readonly policy: Policy;
  readonly environment: string;
  readonly env: Env;
  readonly cancel: AbortSignal;
}

async function runOne(
  definition: HookDefinition,
  { event, input, policy, environment, env, cancel }: Circumstances,
): Promise<{ definition: HookDefinition; raw: RawResult }> {
  const { handler, timeoutMs, profile } = definition;
  const payload = payloadFor(profile, event, input);
  const text = `${JSON.stringify(payload)}\n`;
  if (handler.kind === "http") {
    const allow = policy.handlers.httpHosts;
    return { definition, raw: await runHttp(handler, { input: text, timeoutMs, allow, cancel }) };
  }
  if (handler.kind === "module")
    return { definition, raw: await runModule(handler, { payload, timeoutMs, cancel }) };
  if (handler.kind === "prompt") {
    const { runPromptHook } = await import("./prompt-hooks.ts");
    const raw = await runPromptHook(definition, handler, event, input, policy.handlers, env, cancel);
    return { definition, raw };
  }
  const cwd = handler.cwd ?? event.root;
  const variables = variablesFor(definition, event, input, environment, env);
  return {
    definition,
    raw: await runCommand(handler, { input: text, cwd, env: variables, timeoutMs, cancel }),
  };
}

/** A hook that is not waited for says nothing. */
const readingOf = (definition: HookDefinition, event: string, raw: RawResult): Reading =>
  definition.background
    ? { status: "started", findings: [], contributions: [], notes: [] }
    : definition.handler.kind === "prompt"
      ? readPrompt(definition, event, raw, definition.timeoutMs)
      : readResult(definition, event, raw, definition.timeoutMs);

/** What a record keeps of a definition: enough to read its result again. */
export const knownBy = ({
  id,
  source,
  profile,
  blocking,
  failMode,
  file,
  line,
}: HookDefinition): HookRun["hook"] => ({
  id,
  source,
  profile,
  blocking,
  failMode,
  file,
  line,
});
