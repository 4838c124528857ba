import { nearest } from "../../core/nearest.ts";
import { readStdin } from "../../platform/stdin.ts";
import { orchestrator, orchestratorEvents } from "../orchestrator.ts";
import { parsePayload, PayloadTrouble } from "../pass.ts";
import { run } from "../run.ts";
import { defineCommand, textFlag, UsageError } from "./_command.ts";
import { environmentFlag } from "./_input.ts";

export default defineCommand({
  summary: "Fire an event through rules and hooks: context on stdin, one merged HookResult out.",
  usage: ["emit EVENT [--env ENV] [--ask deny|allow] < context.json"],
  details:
    "For whoever runs abilities and sessions without an agent that calls hooks. The context is a JSON object, or nothing.\n" +
    "Exits 0 when it may go on, 1 when a session's stop was objected to but not held up, 2 when it is blocked.",
  flags: {
    env: environmentFlag,
    ask: {
      type: "string",
      value: "deny|allow",
      summary: "What a question comes to when nobody can answer it; deny unless said otherwise.",
      values: () => ["deny", "allow"],
    },
  },
  async run(given) {
    const event = eventNamed(given.words[0]);
    const ask = textFlag(given, "ask") ?? "deny";
    if (ask !== "deny" && ask !== "allow")
      throw new UsageError(`--ask takes deny or allow, not ${JSON.stringify(ask)}`);
    const text = new TextDecoder().decode(await readStdin());
    const context = text.trim() === "" ? "{}" : text;
    try {
      parsePayload(context);
    } catch (error) {
      if (error instanceof PayloadTrouble)
        throw new UsageError(`${error.message}; expected the event's context as one JSON object on stdin`);
      throw error;
    }
    const environment = textFlag(given, "env");
    return run({
      event,
      text: context,
      patient: true,
      caller: orchestrator(ask),
      ...(environment === undefined ? {} : { environment }),
    });
  },
});

function eventNamed(word: string | undefined): string {
  const names = Object.keys(orchestratorEvents);
  if (word !== undefined && names.includes(word)) return word;
  const near = word === undefined ? undefined : nearest(word, names);
  const problem = word === undefined ? "hookline emit needs an event" : `unknown event "${word}"`;
  throw new UsageError(
    `${problem}; expected one of ${names.join(", ")}${near === undefined ? "" : `; did you mean "${near}"?`}`,
  );
}
