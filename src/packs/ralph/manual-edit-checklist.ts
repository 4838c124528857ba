import type { Event } from "../../core/event.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { logFile, placeOf } from "../../workflow/ralph-layout.ts";
import { loggedSession, timeIn } from "../../workflow/ralph-logs.ts";
import { logHookError } from "./_hook-errors.ts";
import { seenEffect, seenHashes, ssotFiles, type SsotFile } from "../../workflow/ralph-seen.ts";

const session = ".ralph-sessions/260215-173319";
const progress = `${session}/iterations/1/progress.md`;
const seen = (...hashes: string[]) => ({
  [progress]: "- [ ] task-1\n",
  ".ralph-sessions/.hook-state/260215-173319/iterations__1__progress.md.jsonl": hashes
    .map((sha256) => `${JSON.stringify({ sha256 })}\n`)
    .join(""),
});
/** How the hash of what `seen` writes begins. */
const hash = "798a880fab8d";
const options = { grace_seconds: 0 };

export default defineRule({
  summary:
    "Asks for an entry in `logs/manual-edits.md` when a person has edited a session's `progress.md` or metadata.",
  why: "An agent that goes on from a change nobody wrote down cannot tell it from its own mistake.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/all": {} },
  on: {
    events: [
      "SessionStart",
      "PreToolUse",
      "PermissionRequest",
      "PostToolUse",
      "PostToolUseFailure",
      "StateTransition",
    ],
  },
  options: (v) =>
    v.strictObject({
      grace_seconds: v.pipe(
        v.optional(v.pipe(v.number(), v.minValue(0)), 10),
        v.description("How long after a change it may still be that of a tool that is not done yet."),
      ),
    }),
  catalogue: {
    number: 31,
    title: "Manual Edit Checklist Hook",
    tier: "P2",
    lifecycle: "PreTool",
    serves: "integrity",
  },
  messages: {
    unlisted: {
      what: "`{path}` was changed outside the agent's tools, and `logs/manual-edits.md` does not say why.",
      instead:
        "Ask the user to tick the line `- [ ] … {path} (sha256 {hash})` there and to add a few words to it.",
    },
  },
  examples: {
    catches: [
      { files: seen("0".repeat(64)), write: progress, text: "- [/] task-1\n", options },
      {
        files: {
          ...seen("0".repeat(64)),
          [`${session}/logs/manual-edits.md`]: `- [ ] ${hash} iterations/1/progress.md\n`,
        },
        write: progress,
        text: "- [/] task-1\n",
        options,
      },
    ],
    allows: [
      { files: { [progress]: "- [ ] task-1\n" }, write: progress, text: "- [/] task-1\n", options },
      { files: seen("0".repeat(64)), write: progress, text: "- [/] task-1\n" },
      { files: seen("0".repeat(64)), write: `${session}/iterations/1/plan.md`, text: "", options },
    ],
  },
  onFailure: logHookError(31),
  *check({ event, world, options: { grace_seconds: grace } }) {
    const id = loggedSession(event, world);
    if (id === undefined) return;
    if (event.name !== "PreToolUse" && event.name !== "PermissionRequest") {
      yield* remember(event, id, world);
      return;
    }
    const root = world.realPath(event.root);
    const written = new Set(
      event.actions.flatMap((action) => {
        const place =
          action.kind === "write" && action.target ? placeOf(root, action.target.real) : undefined;
        return place?.session === id ? [place.path] : [];
      }),
    );
    for (const file of written.size === 0 ? [] : ssotFiles(event.root, id, world)) {
      if (written.has(file.name)) yield* demand(event, id, file, grace, world);
    }
  },
});

type Said = Yield<"unlisted">;

/**
 * What the files are after a tool is what it made of them, and after a step of the orchestrator what that has made of them. A
 * start finds them as they are, and learns only new ones.
 */
function* remember(event: Event, id: string, world: World): Generator<Said> {
  for (const file of ssotFiles(event.root, id, world)) {
    const known = seenHashes(event.root, id, file.name, world);
    const digest = world.digest(file.path) ?? "";
    const isNew = {
      SessionStart: known.length === 0,
      // The step is taken when this is carried out; what was unknown before it stays so.
      StateTransition: known.includes(digest),
    }[event.name as string];
    if (isNew ?? known.at(-1) !== digest) yield { effect: seenEffect(event.root, id, file, world) };
  }
}

function* demand(event: Event, id: string, file: SsotFile, grace: number, world: World): Generator<Said> {
  const known = seenHashes(event.root, id, file.name, world);
  const digest = world.digest(file.path);
  if (known.length === 0 || digest === undefined || known.includes(digest)) return;
  if (world.now() - (world.stat(file.path)?.modified ?? 0) < grace * 1000) return;
  const log = logFile(event.root, id, "manual-edits.md");
  const hash = digest.slice(0, 12);
  const entries = (world.read(log) ?? "").split(/\r?\n/).filter((line) => line.includes(hash));
  if (entries.some((line) => /^\s*[-*+]\s+\[[xX]\]/.test(line))) {
    yield { effect: seenEffect(event.root, id, file, world) };
    return;
  }
  if (entries.length === 0) {
    const text = `- [ ] ${timeIn(world)} ${file.name} (sha256 ${hash}): \n`;
    yield { effect: { do: "append", path: log, text, heading } };
  }
  yield { message: "unlisted", data: { path: file.name, hash } };
}

const heading = `# Manual edits

Files of this session that were changed outside the agent's tools. Tick a line when you have made the change, and say why.

`;
