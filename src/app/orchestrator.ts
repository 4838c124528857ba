import { eventNames, type EventName } from "../core/event.ts";
import { defineHost, type Ability, type Answer, type Call, type Reply } from "../core/host.ts";
import { asText, defined } from "../core/json.ts";
import claude from "../hosts/claude-code/host.ts";
import { followUpMark, hintMark, routingMark } from "../results/ability.ts";
import type { ChosenHost } from "./choose-host.ts";

const dialect = "context";

const say = ["warn", "notice", "context"] as const;
const refuse = [...say, "allow", "block", "input", "output", "stop"] as const;

/** What is over cannot be stopped; it can only be remarked upon. */
const over: readonly EventName[] = [
  "SessionStart",
  "SessionEnd",
  "PostAbilityCall",
  "PostToolUse",
  "PostToolUseFailure",
  "Notification",
  "SubagentStart",
  "ErrorOccurred",
];

/** The names an orchestrator may use, with those of its successor. */
export const orchestratorEvents: Readonly<Record<string, EventName>> = {
  ...Object.fromEntries(eventNames.map((name) => [name, name])),
  PromptSubmit: "UserPromptSubmit",
};

/** Whoever runs abilities and fires events itself: a context in, one merged HookResult out. */
export function orchestrator(ask: "allow" | "deny"): ChosenHost {
  const abilities = (name: EventName): readonly Ability[] => {
    if (over.includes(name)) return [...say, "input", "output"];
    // Nobody is there to answer: without leave a question is a refusal.
    return ask === "allow" ? [...refuse, "ask"] : refuse;
  };
  const host = defineHost({
    title: "Orchestrator",
    reference: "docs/hooks.md",
    can: { [dialect]: Object.fromEntries(eventNames.map((name) => [name, abilities(name)])) },
    recognises: () => 0,
    projectDirectory: (env) => env("CLAUDE_PROJECT_DIR"),
    decode(payload, event) {
      const name = orchestratorEvents[event ?? ""] ?? "Other";
      const known = claude.decode(payload, name);
      const prompt = asText(payload["user_message"]) ?? known.prompt;
      return { ...known, name, native: name, dialect, ...defined({ prompt }) };
    },
    encode,
  });
  return { id: "orchestrator", host, how: "fired by hookline emit" };
}

/** The merged HookResult first, then what was decided. */
function encode(reply: Reply, call: Call): Answer {
  const blocked = reply.outcome === "block";
  const { native, notices, input, output, stop } = reply;
  // An orchestrator reads hints where they are structured.
  const context = reply.context.filter((text) => !text.startsWith(hintMark) && !text.startsWith(routingMark));
  const asked = blocked && reply.reason.startsWith("Confirmation asked by");
  const reason = asked ? `confirmation required: ${reply.reason}` : reply.reason;
  const error = asText(native["error"]) ?? (blocked ? "blocked_by_policy" : undefined);
  const messages = texts(native["messages_to_user"]);
  // What hooks have told the user stands there already; what only we have to say, such as a hook that did not run, does not.
  const said = new Set(messages.flatMap((message) => message.split("\n")));
  const isNew = (line: string): boolean => !said.has(line) && !line.startsWith(followUpMark);
  for (const notice of notices) {
    const rest = notice.split("\n").filter(isNew).join("\n");
    if (rest !== "") messages.push(rest);
  }
  const stdout = {
    ...native,
    ...(messages.length === 0 ? {} : { messages_to_user: messages }),
    ...defined({ error }),
    ...(reply.outcome === "pass" ? {} : { outcome: reply.outcome }),
    ...(blocked ? { blocked } : {}),
    ...(reason === "" ? {} : { reason }),
    ...(context.length === 0 ? {} : { context }),
    ...defined({ updated_input: input, updated_output: output, stop }),
  };
  // A stop that a hook objects to without being marked as blocking happens, and is told all the same.
  const objected = call.name === "SessionStop" && error === "blocked_by_policy";
  return { exitCode: blocked ? 2 : objected ? 1 : 0, stdout };
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
