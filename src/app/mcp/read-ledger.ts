import { eventNames } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import { isOutcome, outcomes } from "../../core/outcome.ts";
import { fallbackFolder, workspaceFolder } from "../../ledger/places.ts";
import type { Filter } from "../../ledger/query/filter.ts";
import { find } from "../../ledger/query/find.ts";
import { ask } from "../../ledger/query/index-ledger.ts";
import { viewOf } from "../../ledger/query/view.ts";
import { segmentsOf, type LedgerRecord } from "../../ledger/read.ts";
import { redact } from "../../secrets/redact.ts";
import { clipped } from "../abilities/words.ts";
import { defineTool, given, objectOf, oneOf, text, textIn, ToolTrouble, type ToolCall } from "./tool.ts";

const usual = 20;
const most = 100;

export default defineTool({
  title: "Read the ledger",
  description:
    "Decisions on record in this workspace, the latest last, in a few words each and with secrets masked. Every filter given must hold.",
  input: objectOf({
    session: text("Of this session.", 200),
    event: text(`At this event, such as ${eventNames.slice(0, 3).join(", ")}.`, 100),
    tool: text("About this tool.", 200),
    rule: text("With a finding of this rule; safety/* for a pack.", 200),
    outcome: oneOf(outcomes, "What was decided."),
    path: text("About this file or anything below this folder, as an absolute path.", 4096),
    text: text("With words that begin like these.", 500),
    since: text("Not before this time, such as 2026-05-01T12:00:00Z.", 100),
    until: text("Before this time.", 100),
    id: text("The record of this id.", 100),
    limit: {
      type: "integer",
      minimum: 1,
      maximum: most,
      description: `At most so many; ${usual} when not given.`,
    },
  }),
  reads: true,
  run(input, call) {
    const limit = typeof input["limit"] === "number" ? input["limit"] : usual;
    const filter = filterOf(input);
    const found = folders(call).flatMap((folder) =>
      ask(folder, call.env, (index) => find(index, filter, limit)),
    );
    const latest = found.toSorted((a, b) => a.time.localeCompare(b.time)).slice(-limit);
    return { records: latest.map(inShort) };
  },
});

function folders({ root, env }: ToolCall): string[] {
  return [workspaceFolder(root), fallbackFolder(root, env)].filter((folder) => segmentsOf(folder).length > 0);
}

function filterOf(input: Json): Filter {
  const outcome = textIn(input, "outcome");
  const id = textIn(input, "id");
  return {
    ...given(input, {
      session: "session",
      event: "event",
      tool: "tool",
      rule: "rule",
      path: "path",
      text: "text",
    }),
    ...timeIn(input, "since"),
    ...timeIn(input, "until"),
    ...(isOutcome(outcome) ? { outcomes: [outcome] } : {}),
    ...(id === undefined ? {} : { ids: [id] }),
  };
}

function timeIn(input: Json, name: "since" | "until"): Filter {
  const value = textIn(input, name);
  if (value === undefined) return {};
  const time = Date.parse(value);
  if (Number.isNaN(time))
    throw new ToolTrouble(
      `${name}: ${JSON.stringify(value)} is no time; expected one such as 2026-05-01T12:00:00Z`,
    );
  return { [name]: time };
}

function inShort(record: LedgerRecord): Json {
  const { id, host, event, session, tool, outcome, would, told, subject, findings } = viewOf(record);
  const shown = {
    id,
    time: record.time,
    host,
    event,
    session,
    tool,
    outcome,
    would,
    told,
    about: clipped(subject, 300),
    findings: findings.slice(0, 10).map((each) => ({ ...each, message: clipped(each.message, 500) })),
  };
  return redact(shown).value as Json; // an object stays one
}
