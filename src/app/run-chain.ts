import type { Event } from "../core/event.ts";
import type { HookDefinition, HookRun, RawResult } from "../core/hook.ts";
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
import { pinName } from "../sources/trust.ts";
import { knownBy } from "./known-by.ts";

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
  occasion: Omit<Circumstances, "input" | "cancel">,
): Promise<Done[]> {
  const { event, environment, env } = occasion;
  const done: Done[] = [];
  let input: Json | undefined;
  while (done.length < definitions.length) {
    const cancel = new AbortController();
    const inTurn = atMost(sideBySide);
    const again = input === undefined ? {} : { again: true as const };
    const results = definitions
      .slice(done.length)
      .map((definition) =>
        inTurn(() => runSafely(definition, { ...occasion, input, cancel: cancel.signal })),
      );
    for (const result of results) {
      const { definition, raw, sandbox } = await result;
      const reading = await readingOf(definition, event, raw);
      const how = { ...(sandbox === undefined ? {} : { sandbox }), ...again };
      done.push({ run: { hook: knownBy(definition), status: reading.status, raw, ...how }, reading });
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
    if (definition.background) await startOne(definition, { event, input, environment, env });
  return done;
}

interface Ran {
  readonly definition: HookDefinition;
  readonly raw: RawResult;
  readonly sandbox?: string;
}

/** More at once would only be in each other's way. */
const sideBySide = 16;

/** Lets so many pieces of work run at once, the others in the order they came. */
function atMost(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = limit;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

const notWaitedFor: RawResult = { ended: "exit", stdout: "", stderr: "", detail: "not waited for", ms: 0 };

const due = "no answer before that to the agent was due; see handlers.deadlineMs";

/** What goes wrong with one hook is that hook's trouble. */
async function runSafely(definition: HookDefinition, circumstances: Circumstances): Promise<Ran> {
  if (definition.background || circumstances.cancel.aborted) return { definition, raw: notWaitedFor };
  const left = circumstances.until - performance.now();
  const isDue = left < definition.timeoutMs;
  try {
    if (left <= 0)
      return { definition, raw: { ended: "timeout", stdout: "", stderr: "", detail: due, ms: 0 } };
    const ran = await runOne(isDue ? { ...definition, timeoutMs: left } : definition, circumstances);
    const { raw } = ran;
    return { ...ran, definition, raw: isDue && raw.ended === "timeout" ? { ...raw, detail: due } : raw };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { definition, raw: { ended: "failed", stdout: "", stderr: "", detail, ms: 0 } };
  }
}

async function startOne(
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
  const known = toolFor(event);
  const tool = known && input ? { ...known, input } : known;
  return {
    ...environmentFor(definition, event, tool, environment, env),
    ...inheritedEnvironment(definition.component, event),
    HOOKLINE_PIN: pinName(definition),
  };
}

interface Circumstances {
  readonly event: Event;
  readonly input: Json | undefined;
  readonly policy: Policy;
  readonly environment: string;
  readonly env: Env;
  readonly cancel: AbortSignal;
  /** When all must have ended, by the clock that began with us. */
  readonly until: number;
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
  const sandbox = onlyReads(definition) ? (await import("../handlers/sandbox.ts")).readOnly(env) : undefined;
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

/** A hook that is not waited for says nothing. */
async function readingOf(definition: HookDefinition, event: Event, raw: RawResult): Promise<Reading> {
  const { background, handler, timeoutMs, component } = definition;
  if (background) return { status: "started", findings: [], contributions: [], notes: [] };
  const read = handler.kind === "prompt" ? readPrompt : readResult;
  const reading = read(definition, event.name, raw, timeoutMs);
  if (!component) return reading;
  return (await import("./components/within-parent.ts")).withinParent(reading, component, event);
}
