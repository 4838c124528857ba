import type { Event } from "../core/event.ts";
import type { HookDefinition } from "../core/hook.ts";
import type { Env } from "../platform/places.ts";
import { filePathIn } from "./payload.ts";

/** Linux takes no longer variable; what does not fit is on standard input all the same. */
const longest = 100_000;

/** What a command hook finds in its environment besides what we were given ourselves. */
export function environmentFor(
  { id, pluginRoot }: HookDefinition,
  event: Event,
  tool: { readonly name: string; readonly input: unknown } | undefined,
  environment: string,
  env: Env,
): Record<string, string | undefined> {
  const input = tool && JSON.stringify(tool.input);
  const fits = input !== undefined && Buffer.byteLength(input) <= longest;
  return {
    ...env,
    CLAUDE_PROJECT_DIR: event.root,
    HOOKLINE_EVENT: event.name === "Other" ? event.native : event.name,
    HOOKLINE_HOOK: id,
    HOOKLINE_HOST: event.host,
    HOOKS_ENV: environment,
    ...(event.session === undefined ? {} : { HOOKLINE_SESSION: event.session }),
    ...(pluginRoot === undefined ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot, PLUGIN_ROOT: pluginRoot }),
    // Also when there is no tool: a value we inherited would be another call's.
    TOOL_NAME: tool?.name,
    TOOL_INPUT: fits ? input : undefined,
    TOOL_INPUT_OMITTED: input !== undefined && !fits ? "1" : undefined,
    FILE_PATH: filePathIn(tool?.input),
  };
}
