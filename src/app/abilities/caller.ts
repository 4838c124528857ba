import type { Env } from "../../platform/places.ts";
import type { Caller, CallerSource } from "./task.ts";

/** What agents set for the commands they run. */
const ofAgents = [
  "CLAUDECODE",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "QWEN_CODE",
  "OPENCODE",
  "COPILOT_CLI",
  "CODEX_THREAD_ID",
];

/** Who is calling, as far as the environment tells; a caller may say it better. */
export function callerOf(env: Env, said: Partial<Caller> = {}): Caller {
  return { ...said, source: said.source ?? guessed(env) };
}

function guessed(env: Env): CallerSource {
  if (isAgent(env)) return "ai_session";
  return env["CI"] && env["CI"] !== "false" ? "ci_pipeline" : "manual_cli";
}

/** An agent cannot answer for the person it asks on behalf of, whoever it says it is. */
export const isAgent = (env: Env): boolean => ofAgents.some((name) => Boolean(env[name]));
