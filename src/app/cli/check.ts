import type { Action, DeleteAction, FetchAction, ReadAction, WriteAction } from "../../core/action.ts";
import type { Event } from "../../core/event.ts";
import type { Json } from "../../core/json.ts";
import type { Outcome } from "../../core/outcome.ts";
import { pass, troubleWith } from "../pass.ts";
import { fromPass } from "../verdict-json.ts";
import { defineCommand, textFlag, UsageError, type Given } from "./_command.ts";
import { settingOf } from "./_input.ts";
import { paint, table } from "./_table.ts";

export default defineCommand({
  summary: "A person's question: would this be blocked, and why?",
  usage: ["check '<command>'", "check --write PATH", "check --delete PATH"],
  details:
    "Judged by the policy of the workspace around the current directory. Exits 1 when the answer is ask or block,\n2 when it is not but the policy has mistakes.",
  flags: {
    write: {
      type: "string",
      value: "PATH",
      summary: "Ask about writing a file instead of running a command.",
    },
    delete: { type: "string", value: "PATH", summary: "Ask about deleting a file." },
    json: {
      type: "boolean",
      summary: "Print the verdict as `hookline eval` does, and what was understood of the command.",
    },
  },
  async run(given) {
    const passed = await pass(payloadOf(given), settingOf(given));
    const { verdict, loaded } = passed;
    if (given.flags["json"] === true)
      console.log(JSON.stringify({ ...fromPass(passed), understood: understood(passed.event) }, null, 2));
    else {
      console.log(headline(verdict.would ?? verdict.outcome));
      for (const line of understanding(passed.event)) console.log(line);
      for (const finding of verdict.findings) console.log(`\n${finding.message}`);
      if (verdict.would !== undefined)
        console.log(`\nThe policy only observes: the agent would be told "${verdict.outcome}".`);
    }
    const trouble = troubleWith(loaded);
    if (trouble !== undefined) console.error(`\n${trouble}`);
    if (verdict.outcome === "ask" || verdict.outcome === "block") return 1;
    return trouble === undefined ? 0 : 2;
  },
});

/** The same for programs: the commands that will run, what they do, and what could not be followed. */
function understood({ actions }: Event) {
  const lines = actions.filter((action) => action.kind === "exec");
  return {
    commands: lines.flatMap((action) =>
      action.commands.map(({ program, args, via, elsewhere, cwd }) => ({
        program,
        args: args.map((arg) => arg.text),
        via,
        ...(cwd === undefined ? {} : { cwd }),
        ...(elsewhere === undefined ? {} : { elsewhere }),
      })),
    ),
    effects: actions.flatMap((action): Json[] => {
      if (!reaches(action)) return [];
      if (action.kind === "fetch")
        return [{ kind: action.kind, url: action.url ?? null, sends: action.sends ?? false }];
      return [
        {
          kind: action.kind,
          path: action.target?.real ?? null,
          ...(action.kind === "delete" ? { recursive: action.recursive } : {}),
          ...(action.by ? { by: action.by.program } : {}),
        },
      ];
    }),
    troubles: lines.flatMap((action) => action.troubles),
  };
}

/** Actions on files and the network. */
const reaches = (action: Action): action is WriteAction | DeleteAction | ReadAction | FetchAction =>
  action.kind !== "exec" && action.kind !== "delegate" && action.kind !== "todo";

/** What a command line unfolds to, and what that does. */
function understanding(event: Event): string[] {
  const lines: string[] = [];
  for (const action of event.actions) {
    if (action.kind !== "exec") continue;
    const rows = action.commands.map((run) => [
      `  ${[run.program, ...run.args.map((arg) => arg.text)].join(" ").replace(/\s+/g, " ").slice(0, 90)}`,
      [...run.via, ...(run.elsewhere === undefined ? [] : [`(on ${run.elsewhere})`])].join(" > "),
    ]);
    if (rows.length > 0) lines.push("", "Runs", table(rows));
    for (const trouble of action.troubles) lines.push(`  not understood: ${trouble}`);
  }
  const effects = event.actions.flatMap((action) => {
    if (!reaches(action)) return [];
    const object =
      action.kind === "fetch"
        ? (action.url ?? "(an address nobody can tell)")
        : (action.target?.real ?? "(a path nobody can tell)");
    return [[`  ${action.kind}${action.kind === "delete" && action.recursive ? " all of" : ""}`, object]];
  });
  return effects.length === 0 ? lines : [...lines, "", "Does", table(effects)];
}

function payloadOf(given: Given): Json {
  const call = (tool_name: string, tool_input: Json): Json => ({
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
  });
  const write = textFlag(given, "write");
  const remove = textFlag(given, "delete");
  const asked = [write, remove, given.words[0]].filter((each) => each !== undefined);
  if (asked.length !== 1 || given.words.length > 1) {
    throw new UsageError("check takes one question: a quoted command, --write PATH or --delete PATH");
  }
  if (write !== undefined) return call("Write", { file_path: write, content: "" });
  if (remove !== undefined) return call("delete_file", { path: remove });
  return call("Bash", { command: given.words[0] });
}

const headlines: Record<Outcome, [string, Parameters<typeof paint>[1]]> = {
  pass: ["PASS   nothing speaks against it", "green"],
  allow: ["ALLOW  a rule approves it", "green"],
  warn: ["WARN   it goes ahead, with a warning", "yellow"],
  ask: ["ASK    the agent's user has to confirm it", "yellow"],
  block: ["BLOCK  it is stopped", "red"],
};

const headline = (outcome: Outcome): string => paint(...headlines[outcome]);
