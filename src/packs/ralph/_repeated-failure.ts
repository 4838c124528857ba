import type { Event } from "../../core/event.ts";
import type { Yield } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { logFile } from "../../workflow/ralph-layout.ts";
import { iterationLog, logEntry, readLog, shortened } from "../../workflow/ralph-logs.ts";

const largest = 16 * 1024 * 1024;

/** Flags a tool call that has failed again and again, by what `logs/tool-usage.jsonl` says of it since it last worked. */
export function* repeatedFailure(
  event: Event,
  session: string,
  repeats: number,
  world: World,
): Iterable<Yield<"repeated">> {
  const { tool } = event;
  if (!tool) return;
  const args = JSON.stringify(shortened(tool.input));
  const own = logFile(event.root, session, "tool-usage.jsonl");
  const path = world.stat(own) ? own : (iterationLog(event.root, session, "tool-usage.jsonl", world) ?? own);
  // A log that takes longer to read than the call it is about is left to whoever reviews the session.
  if ((world.stat(path)?.size ?? 0) > largest) return;
  const same = readLog(path, world).filter(
    (line) => line["tool"] === tool.name && JSON.stringify(line["args"]) === args,
  );
  const worked = same.findLastIndex((line) => line["status"] === "success");
  // This one is not in the log yet.
  const times = same.length - (worked + 1) + 1;
  if (times % repeats !== 0) return;
  const entry = {
    key: tool.name,
    attempt: event.call ?? null,
    decision: "flagged",
    failures: times,
    tag: "recovery",
  };
  yield {
    effect: logEntry(event, world, session, "recovery.jsonl", { ...entry, args: shortened(tool.input) }),
  };
  yield { message: "repeated", outcome: "warn", data: { tool: tool.name, times } };
}
