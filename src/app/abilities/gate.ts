import type { Json } from "../../core/json.ts";
import type { EventName } from "../../core/event.ts";
import type { Reply } from "../../core/host.ts";
import type { Env } from "../../platform/places.ts";
import { orchestrator } from "../orchestrator.ts";
import { pass, type Passed, type Setting } from "../pass.ts";
import { conclude, take } from "../run.ts";

/** Where and for whom an event is fired. */
export interface Occasion {
  readonly root: string;
  readonly env: Env;
  readonly environment: string;
  /** `allow`: somebody is there who answers a question, so it stays one. Otherwise it is a refusal. */
  readonly ask: "allow" | "deny";
}

/** What an event came to. */
export interface Fired {
  readonly reply: Reply;
  /** What people shall be told. */
  readonly messages: readonly string[];
  /** A hook says that it has put the call on record. */
  readonly usageRecorded: boolean;
  /** Hooks that had a say, by their ids. */
  readonly heard: readonly string[];
}

/** Fires an event through policy, hooks and ledger, as `hookline emit` does, for whoever called us. */
export async function fire(name: EventName, context: Json, occasion: Occasion): Promise<Fired> {
  const { root, env, environment, ask } = occasion;
  const setting: Setting = {
    event: name,
    env,
    cwd: root,
    caller: orchestrator(ask),
    hooks: { environment, patient: true },
  };
  const { passed, taken } = await take(await pass(context, setting), setting);
  await conclude(passed, taken, setting, 0);
  return {
    reply: passed.fitted.reply,
    messages: messagesOf(passed),
    usageRecorded: passed.fitted.reply.native["usage_recorded"] === true,
    heard: (passed.called?.runs ?? []).flatMap(({ hook, status }) => (isHeard(status) ? [hook.id] : [])),
  };
}

const isHeard = (status: string): boolean =>
  status !== "inert" && status !== "failed" && status !== "not-run";

function messagesOf({ answer, fitted }: Passed): string[] {
  const { stdout } = answer;
  const told = typeof stdout === "object" && stdout !== null ? stdout["messages_to_user"] : [];
  const messages = Array.isArray(told) ? told.filter((each) => typeof each === "string") : [];
  return [...messages, ...fitted.reply.context.filter((text) => !messages.includes(text))];
}

/**
 * The rules that judge a tool call judge what an ability runs as well: nobody gets by an ability what the policy would not let
 * an agent do. Hooks are not asked again, and what nothing speaks against leaves no second record.
 */
export async function judgeCommand(
  tool: "Bash" | "WebFetch",
  input: Json,
  { root, env, ask }: Occasion,
): Promise<Reply> {
  const setting: Setting = { event: "PreToolUse", env, cwd: root, caller: orchestrator(ask) };
  const passed = await pass({ tool_name: tool, tool_input: input, cwd: root }, setting);
  if (passed.fitted.reply.outcome !== "pass") await conclude(passed, [], setting, 0);
  return passed.fitted.reply;
}
