import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { logFile, sessionFolder } from "../../workflow/ralph-layout.ts";
import { logEntry, readLog } from "../../workflow/ralph-logs.ts";
import {
  nextStates,
  ralphMachines,
  transitionBetween,
  type RalphMachine,
} from "../../workflow/ralph-machine.ts";
import { ralphProfileNames } from "../../workflow/ralph-profiles.ts";
import type { StateChange } from "../../workflow/ralph-state-change.ts";
import { logHookError } from "./_hook-errors.ts";
import { stateChanges } from "./_state-changes.ts";
import { session, writesMetadata } from "./_state-examples.ts";

const log = ".ralph-sessions/260215-173319/logs/state-transitions.jsonl";

export default defineRule({
  summary: "Keeps `logs/state-transitions.jsonl`: every state of the orchestrator with the one before it.",
  why: "How a session came to where it is can be told only if every step is on record.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["StateTransition", ...beforeTool, "PostToolUse"], actions: ["write"] },
  options: (v) =>
    v.strictObject({
      profile: v.pipe(
        v.optional(v.picklist(ralphProfileNames), "v2.2.0"),
        v.description("The Ralph version whose steps between states are expected."),
      ),
    }),
  catalogue: {
    number: 24,
    title: "State Transition Ledger",
    tier: "P2",
    lifecycle: "StateTransition",
    serves: "audit",
  },
  messages: {
    logged: { what: "the step from {from} to {to} is in `logs/state-transitions.jsonl`." },
    unusual: {
      what: "{from} to {to} is no step of the orchestrator.",
      instead:
        "From {from} it goes to {next}. `hookline ralph transition --to STATE` checks a step and takes it.",
    },
  },
  examples: {
    catches: [
      { files: session("PLANNING"), ...writesMetadata("PLANNING", "EXECUTING_BATCH") },
      {
        files: {
          ...session("BATCHING"),
          [log]: '{"previous_state":"INITIALIZING","next_state":"PLANNING"}\n',
        },
        event: "PostToolUse",
        ...writesMetadata("PLANNING", "BATCHING"),
      },
    ],
    allows: [
      { files: session("PLANNING"), ...writesMetadata("PLANNING", "BATCHING") },
      {
        files: {
          ...session("PLANNING"),
          [log]: '{"previous_state":"INITIALIZING","next_state":"PLANNING"}\n',
        },
        event: "PostToolUse",
        ...writesMetadata("PLANNING", "BATCHING"),
      },
    ],
  },
  onFailure: logHookError(24),
  load: (event, world) => modules(stateChanges(event, world)),
  *check({ event, world, options, loaded }) {
    if (!loaded) return;
    const entry = (id: string, previous: string | undefined, next: string, source: string) =>
      logEntry(event, world, id, "state-transitions.jsonl", {
        previous_state: previous ?? null,
        next_state: next,
        source,
      });
    if (event.name === "PostToolUse") {
      for (const id of new Set(
        event.actions.flatMap((action) => loaded.metadataOf(event, action, world) ?? []),
      )) {
        const now = loaded.stateOf(sessionFolder(event.root, id), world);
        const last = lastLogged(event.root, id, world);
        if (now === undefined || now === last) continue;
        yield { effect: entry(id, last, now, "edit") };
        yield { message: "logged", outcome: "pass", data: { from: last ?? "nothing", to: now } };
      }
      return;
    }
    for (const change of loaded.stateChangesIn(event, world)) {
      const { id, from, to } = change;
      // Whatever happened outside our sight comes first, so that each entry goes on where the last one ended.
      if (from !== undefined && from !== lastLogged(event.root, id, world))
        yield { effect: entry(id, lastLogged(event.root, id, world), from, "seen") };
      if (event.name === "StateTransition") yield { effect: entry(id, from, to, "transition") };
      const machine = ralphMachines[options.profile];
      if (from === undefined || isStep(machine, change)) continue;
      yield {
        message: "unusual",
        data: { from, to, next: nextStates(machine, from).join(" or ") || "nowhere" },
      };
    }
  },
});

const modules = async (changes: ReturnType<typeof stateChanges>) =>
  changes && { ...(await changes), ...(await import("../../workflow/ralph-metadata.ts")) };

/** An abort and a stop end in COMPLETE from wherever the session is. */
const isStep = (machine: RalphMachine, { from = "", to, after }: StateChange): boolean =>
  transitionBetween(machine, from, to) !== undefined ||
  (to === "COMPLETE" && (after["status"] === "aborted" || after["status"] === "blocked"));

function lastLogged(root: string, id: string, world: World): string | undefined {
  const last = readLog(logFile(root, id, "state-transitions.jsonl"), world).at(-1)?.["next_state"];
  return typeof last === "string" ? last : undefined;
}
