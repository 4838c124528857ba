import type { Event } from "../core/event.ts";
import type { HookDefinition, RawResult } from "../core/hook.ts";
import type { Json } from "../core/json.ts";
import { runCommand } from "../handlers/command.ts";
import { environmentFor } from "../handlers/environment.ts";
import { payloadFor } from "../handlers/payload.ts";
import { toolFor } from "../handlers/tool-names.ts";
import type { Env } from "../platform/places.ts";
import type { Policy } from "../policy/policy.ts";
import { readPrompt } from "../results/prompt.ts";
import { readResult } from "../results/read-result.ts";
import type { Reading } from "../results/reading.ts";
import { inheritedEnvironment, inheritedPayload, onlyReads } from "./components/inherited.ts";
import { isStillTrusted, pinName, pinOwn } from "../sources/trust.ts";

/** What a hook is run with. */
export interface Circumstances {
  readonly event: Event;
  readonly input: Json | undefined;
  readonly policy: Policy;
  readonly environment: string;
  readonly env: Env;
  readonly cancel: AbortSignal;
  /** When all must have ended, by the clock that began with us. */
  readonly until: number;
  /** When it was seen that they are trusted, by the same clock. */
  readonly checked: number;
}

export interface Ran {
  readonly definition: HookDefinition;
  readonly raw: RawResult;
  readonly sandbox?: string;
}

const notWaitedFor: RawResult = { ended: "exit", stdout: "", stderr: "", detail: "not waited for", ms: 0 };

const exchanged = "a file of it was changed after it was found to be trusted";

/** Whoever starts later than that is looked at again. */
const freshMs = 20;

const due = "no answer before that to the agent was due; see handlers.deadlineMs";

/** Runs one hook. What goes wrong with it is its own trouble. */
export async function runSafely(definition: HookDefinition, circumstances: Circumstances): Promise<Ran> {
  if (definition.background) return { definition, raw: notWaitedFor };
  const { event, env } = circumstances;
  const left = circumstances.until - performance.now();
  const isDue = left < definition.timeoutMs;
  try {
    if (performance.now() - circumstances.checked > freshMs && !isStillTrusted(definition, event.root, env))
      return { definition, raw: { ended: "failed", stdout: "", stderr: "", detail: exchanged, ms: 0 } };
    if (left <= 0)
      return { definition, raw: { ended: "timeout", stdout: "", stderr: "", detail: due, ms: 0 } };
    const ran = await runOne(isDue ? { ...definition, timeoutMs: left } : definition, circumstances);
    const { raw } = ran;
    return { ...ran, definition, raw: isDue && raw.ended === "timeout" ? { detail: due, ...raw } : raw };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { definition, raw: { ended: "failed", stdout: "", stderr: "", detail, ms: 0 } };
  }
}

/** Starts a hook that nobody waits for. */
export async function startOne(
  definition: HookDefinition,
  { event, input, environment, env }: Pick<Circumstances, "event" | "input" | "environment" | "env">,
): Promise<void> {
  const { handler, timeoutMs, profile, component } = definition;
  if (handler.kind !== "command") return;
  const payload = inheritedPayload(payloadFor(profile, event, input), component, event);
  const text = `${JSON.stringify(payload)}\n`;
  const cwd = handler.cwd ?? event.root;
  const variables = variablesFor(definition, event, input, environment, env);
  const { startInBackground } = await import("../handlers/background.ts");
  startInBackground({ handler, input: text, cwd, timeoutMs }, variables, env);
}

function variablesFor(
  definition: HookDefinition,
  event: Event,
  input: Json | undefined,
  environment: string,
  env: Env,
): Env {
  pinOwn(definition, event.root, env);
  const known = toolFor(event);
  const tool = known && input ? { ...known, input } : known;
  return {
    ...environmentFor(definition, event, tool, environment, env),
    ...inheritedEnvironment(definition.component, event),
    HOOKLINE_PIN: pinName(definition),
  };
}

async function runOne(
  definition: HookDefinition,
  { event, input, policy, environment, env, cancel }: Circumstances,
): Promise<Ran> {
  const { handler, timeoutMs, profile, component } = definition;
  const payload = inheritedPayload(payloadFor(profile, event, input), component, event);
  const text = `${JSON.stringify(payload)}\n`;
  if (handler.kind === "http") {
    const allow = policy.handlers.httpHosts;
    const { runHttp } = await import("../handlers/http.ts");
    return { definition, raw: await runHttp(handler, { input: text, timeoutMs, allow, cancel, env }) };
  }
  if (handler.kind === "module") {
    const { runModule } = await import("../handlers/module.ts");
    return { definition, raw: await runModule(handler, { payload, timeoutMs, cancel }) };
  }
  if (handler.kind === "prompt") {
    const { runPromptHook } = await import("./prompt-hooks.ts");
    const raw = await runPromptHook(definition, handler, event, input, policy.handlers, env, cancel);
    return { definition, raw };
  }
  const sandbox = onlyReads(definition, event)
    ? (await import("../handlers/sandbox.ts")).readOnly(env, event.root)
    : undefined;
  const raw = await runCommand(handler, {
    input: text,
    cwd: handler.cwd ?? event.root,
    env: variablesFor(definition, event, input, environment, env),
    timeoutMs,
    cancel,
    wrap: sandbox?.wrap,
  });
  return { definition, raw, ...(sandbox ? { sandbox: sandbox.says } : {}) };
}

/** What a hook said. One that is not waited for says nothing. */
export async function readingOf(definition: HookDefinition, event: Event, raw: RawResult): Promise<Reading> {
  const { background, handler, timeoutMs, component } = definition;
  if (background) return { status: "started", findings: [], contributions: [], notes: [] };
  const read = handler.kind === "prompt" ? readPrompt : readResult;
  const reading = read(definition, event.name, raw, timeoutMs);
  if (!component) return reading;
  return (await import("./components/within-parent.ts")).withinParent(reading, component, event);
}
