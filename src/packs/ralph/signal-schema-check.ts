import { join } from "node:path";
import type { InferOutput } from "valibot";
import type { Action, WriteAction } from "../../core/action.ts";
import { beforeTool, type Event } from "../../core/event.ts";
import { imagesOf } from "../../core/images.ts";
import { defineRule, type Judged, type SchemaLibrary } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { sessionFiles } from "../../workflow/ralph-layout.ts";
import { ralphProfileNames, ralphProfiles } from "../../workflow/ralph-profiles.ts";
import { validSession } from "../../workflow/ralph-session.ts";
import type { CheckedSignal } from "../../workflow/ralph-signals.ts";
import { logHookError } from "./_hook-errors.ts";

const input = (v: SchemaLibrary) =>
  v.object({ file_path: v.string(), file_content: v.string(), session_id: v.optional(v.string()) });

const options = (v: SchemaLibrary) =>
  v.strictObject({
    profile: v.pipe(
      v.optional(v.picklist(ralphProfileNames), "v2.2.0"),
      v.description("The Ralph version whose signal types count."),
    ),
  });

type Options = InferOutput<ReturnType<typeof options>>;

export default defineRule({
  summary:
    "Lets a live signal be written only as its readers understand it, and looks at those that wait at session start.",
  why: "A signal that cannot be read is misrouted or silently ignored, and the person who sent it waits in vain.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p0": {} },
  on: { events: ["SessionStart", ...beforeTool] },
  options,
  catalogue: {
    number: 29,
    title: "Signal File Schema Check",
    tier: "P0",
    lifecycle: "PreTool",
    serves: "integrity",
    risk: "signal processing failures",
  },
  messages: {
    invalid: {
      what: "{reason}.",
      instead: 'Write it with `hookline signal send TYPE --target T "message"`, or mend the file.',
    },
    suspicious: { what: "{reason}.", instead: "Check that this is meant; the signal is processed." },
    unknown: {
      what: "what this call leaves in `{path}` cannot be told.",
      instead: "Write the signal with a plain file tool or with `hookline signal send`.",
    },
  },
  examples: {
    catches: [
      { write: inputs("signal.260215-180000.yaml"), text: "type: INVALID\nmessage: test\n" },
      { write: inputs("signal.260215-180000.yaml"), text: "type: STEER\nmessage: ''\n" },
      { shell: `printf 'type: STEER\\nmessage: go on\\n' > ${inputs("signal.260215-180000.yaml")}` },
      { files: { [inputs("signal.260215-180000.yaml")]: "type: [STEER\n" }, event: "SessionStart" },
    ],
    allows: [
      {
        write: inputs("signal.260215-180000.yaml"),
        text: "type: STEER\ntarget: ALL\nmessage: Use the new API.\n",
      },
      {
        files: { [inputs("signal.260215-180000.yaml")]: "type: INFO\ntarget: Executor\nmessage: fyi\n" },
        event: "SessionStart",
      },
      { write: "signals/notes.yaml", text: "type: INVALID\n" },
    ],
  },
  contract: { input, judge: (given, _world, set) => judgeSignal(given, set as Options) },
  onFailure: logHookError(29),
  load: (event, world) =>
    event.actions.some(isSignalWrite) || waiting(event, world).length > 0 ? signalCheck() : undefined,
  *check({ event, world, options: set, loaded }) {
    if (!loaded) return;
    const types = ralphProfiles[set.profile].signalTypes;
    for (const path of waiting(event, world)) {
      const said = verdictOf(loaded.checkSignal(path, loaded.textOf(path, world) ?? "[", types));
      const data = { reason: `${path.split("/").at(-1) ?? path}: ${said.reason ?? ""}` };
      if (said.verdict === "BLOCK") yield { message: "invalid", data };
      else if (said.verdict === "WARN") yield { message: "suspicious", outcome: "warn", data };
    }
    const images = imagesOf(event.actions, world);
    for (const action of event.actions) {
      if (!isSignalWrite(action)) continue;
      const image = images.after(action);
      // One that is still being written is judged when it is.
      if (image?.last === false) continue;
      if (!image?.whole) {
        yield { message: "unknown", outcome: "warn", data: { path: action.target?.given ?? "" } };
        continue;
      }
      const said = verdictOf(loaded.checkSignal(action.target?.real ?? "", image.text, types));
      const data = { reason: said.reason ?? "" };
      if (said.verdict === "BLOCK") yield { message: "invalid", data };
      else if (said.verdict === "WARN") yield { message: "suspicious", outcome: "warn", data };
    }
  },
});

const signalCheck = () => import("../../workflow/ralph-signals.ts");

/** The signals that wait when a session starts. */
function waiting(event: Event, world: World): string[] {
  if (event.name !== "SessionStart") return [];
  const id = validSession(event, world);
  if (id === undefined) return [];
  const { inputs: folder } = sessionFiles(event.root, id);
  return (world.list(folder) ?? [])
    .filter((name) => /^[^.].*\.ya?ml$/i.test(name))
    .map((name) => join(folder, name));
}

/** By the resolved name or by the given one; a temporary name that somebody writes first is none. */
const isSignalWrite = (action: Action): action is WriteAction =>
  action.kind === "write" &&
  action.target !== undefined &&
  [action.target.real, action.target.path].some((path) =>
    /[\\/]\.ralph-sessions[\\/][^\\/]+[\\/]signals[\\/]inputs[\\/][^\\/.][^\\/]*\.ya?ml$/i.test(path),
  );

async function judgeSignal(
  given: InferOutput<ReturnType<typeof input>>,
  { profile }: Options,
): Promise<Judged> {
  const { checkSignal } = await signalCheck();
  const checked = checkSignal(given.file_path, given.file_content, ralphProfiles[profile].signalTypes);
  const { verdict, reason } = verdictOf(checked);
  const { signal, flaws } = checked;
  return {
    output: {
      verdict,
      reason,
      validation_errors: flaws.map(({ field, expected, actual }) => ({ field, expected, actual })),
      ...(signal
        ? { parsed_signal: { type: signal.type, target: signal.target, message: signal.message } }
        : {}),
    },
  };
}

function verdictOf({ flaws }: CheckedSignal): { verdict: "PASS" | "WARN" | "BLOCK"; reason: string | null } {
  const blocks = flaws.filter(({ severity }) => severity === "block");
  const said = blocks.length > 0 ? blocks : flaws;
  return {
    verdict: blocks.length > 0 ? "BLOCK" : said.length > 0 ? "WARN" : "PASS",
    reason: said.length > 0 ? said.map(({ text }) => text).join("; ") : null,
  };
}

function inputs(name: string): string {
  return `.ralph-sessions/260215-173319/signals/inputs/${name}`;
}
