import type { RawResult } from "../../core/hook.ts";
import { isObject, type Json } from "../../core/json.ts";
import { runCommand } from "../../handlers/command.ts";
import type { Env } from "../../platform/places.ts";
import { pinName } from "../../sources/trust.ts";
import { trustedAs, type Runnable } from "./implementation.ts";
import { BadSchema, schemaProblems } from "./schema.ts";
import type { Task } from "./task.ts";
import { clipped, isTooDeep } from "./words.ts";

export interface Execution {
  readonly root: string;
  readonly env: Env;
  /** Hosts that may be asked. */
  readonly httpHosts: readonly string[];
  readonly cancel?: AbortSignal;
}

/** What an implementation came to. */
export interface Executed {
  readonly status: "success" | "failure";
  readonly detail?: string;
  /** What it said: JSON where it was that, else the text. */
  readonly output: unknown;
  readonly text: string;
  readonly ms: number;
  readonly notes: readonly string[];
}

/** Carries an ability out, and makes sense of what comes back. */
export async function execute(runnable: Runnable, task: Task, execution: Execution): Promise<Executed> {
  return read(runnable, await start(runnable, task, execution), execution.cancel);
}

async function start(
  runnable: Runnable,
  task: Task,
  { root, env, httpHosts, cancel }: Execution,
): Promise<RawResult> {
  const { invocation, timeoutMs, parameters } = runnable;
  const input: Json = { ...parameters, ...(isObject(task.input) ? task.input : {}) };
  const text = `${JSON.stringify(input)}\n`;
  const stop = cancel ? { cancel } : {};
  if (invocation.kind === "api") {
    const { url, headers, allowedEnvVars, method } = invocation;
    const { runHttp } = await import("../../handlers/http.ts");
    const call = { input: text, timeoutMs, allow: httpHosts, env, method, ...stop };
    return runHttp({ kind: "http", url, headers, allowedEnvVars }, call);
  }
  const { command } = invocation;
  const variables = variablesFor(runnable, task, root, env);
  const place = { cwd: command.cwd ?? root, env: variables, timeoutMs, ...stop };
  if (invocation.kind === "script") return runCommand(command, { ...place, input: text });
  const { runMcp } = await import("../../handlers/mcp.ts");
  return runMcp(command, { ...place, tool: invocation.tool, input });
}

/** What the process finds in its environment besides what we were given ourselves. */
const variablesFor = (runnable: Runnable, task: Task, root: string, env: Env): Env => ({
  ...env,
  CLAUDE_PROJECT_DIR: root,
  HOOKS_ENV: task.environment,
  HOOKLINE_ABILITY: task.ability,
  HOOKLINE_ABILITY_KEY: task.key,
  HOOKLINE_PIN: pinName(trustedAs(runnable)),
  ...(task.session === undefined ? {} : { HOOKLINE_SESSION: task.session }),
});

function read(
  { entry, timeoutMs, invocation }: Runnable,
  raw: RawResult,
  cancel: AbortSignal | undefined,
): Executed {
  const { ms, stdout, stderr, value } = raw;
  const parsed = value ?? jsonIn(stdout);
  const output = parsed ?? stdout;
  const text = stdout.trim() === "" && value !== undefined ? JSON.stringify(value) : stdout;
  const notes = raw.cut ? ["it said more than 1 MB; what came behind was not kept"] : [];
  const base = { output, text, ms, notes };
  const failed = (detail: string): Executed => ({ ...base, status: "failure", detail });
  if (cancel?.aborted) return failed("it was cancelled");
  if (raw.ended === "timeout") return failed(`it took longer than ${timeoutMs} ms and was ended`);
  if (raw.ended === "failed") return failed(raw.detail ?? "it could not be run");
  if (raw.ended === "signal") return failed(`it was ended by ${raw.signal}${lastOf(stderr)}`);
  if (raw.exitCode !== 0) return failed(`it ended with exit code ${raw.exitCode}${lastOf(stderr)}`);
  const { outputSchema } = entry;
  if (!outputSchema) return { ...base, status: "success" };
  if (parsed === undefined)
    return failed(
      raw.cut
        ? "its output is too long to be read"
        : `its output is not the JSON that output_schema asks for: ${clipped(stdout.trim(), 100) || "(nothing)"}`,
    );
  try {
    const problems = schemaProblems(outputSchema, parsed, "output");
    return problems.length === 0
      ? { ...base, status: "success" }
      : failed(`its output does not fit output_schema: ${problems.join("; ")}`);
  } catch (error) {
    if (!(error instanceof BadSchema)) throw error;
    return failed(`its output_schema cannot be used: ${error.message} (${invocation.kind})`);
  }
}

/** The last words on stderr mostly say what was wrong. */
const lastOf = (stderr: string): string => {
  const last = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return last === "" ? "" : `: ${clipped(last, 300)}`;
};

/** An object or a list; a bare word or number is text. */
function jsonIn(text: string): unknown {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
