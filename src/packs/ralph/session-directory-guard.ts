import { join, resolve } from "node:path";
import type { InferOutput } from "valibot";
import type { Effect } from "../../core/effect.ts";
import { isInside } from "../../core/paths.ts";
import { defineRule, type Judged, type SchemaLibrary } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { isSessionId, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { ralphProfileNames, ralphProfiles, type RalphProfileName } from "../../workflow/ralph-profiles.ts";
import { activeSession, bindingEffects, ralphSession } from "../../workflow/ralph-session.ts";
import { logHookError } from "./_hook-errors.ts";

const options = (v: SchemaLibrary) =>
  v.strictObject({
    profile: v.pipe(
      v.optional(v.picklist(ralphProfileNames), "v2.2.0"),
      v.description("The Ralph version whose folders a session starts with."),
    ),
  });

const input = (v: SchemaLibrary) =>
  v.object({ session_id: v.string(), session_path: v.string(), workspace_root: v.string() });

export default defineRule({
  summary: "Makes sure the Ralph session's folder exists and is well named before work begins.",
  why: "Session files in a wrong or unexpected place are lost to every later step.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p0": {} },
  // A prompt only says which session it is about.
  on: { events: ["SessionStart", "UserPromptSubmit"] },
  options,
  catalogue: {
    number: 1,
    title: "Session Directory Guard",
    tier: "P0",
    lifecycle: "SessionStart",
    serves: "integrity",
    risk: "session integrity",
  },
  messages: {
    invalid: { what: "{reason}.", instead: "Name the session by its start, for example 260215-173319." },
    incomplete: { what: "{reason}.", instead: "Create the missing folders before you go on." },
  },
  examples: {
    catches: [
      { files: { ".ralph-sessions/.active-session": "my-session" }, event: "SessionStart" },
      { files: { ".ralph-sessions/.active-session": "../260215-173319" }, event: "SessionStart" },
      { files: { ".ralph-sessions/260215-173319/logs/session.log": "" }, event: "SessionStart" },
    ],
    allows: [
      { event: "SessionStart" },
      { files: { ".ralph-sessions/.active-session": "260215-173319\n" }, event: "SessionStart" },
    ],
  },
  contract: {
    input,
    judge: (given, world, set) =>
      judgeSession(given, world, (set as InferOutput<ReturnType<typeof options>>).profile),
  },
  onFailure: logHookError(1),
  *check({ event, world, options: set }) {
    for (const effect of bindingEffects(event, world)) yield { effect };
    if (event.name !== "SessionStart") return;
    const folder = join(event.root, sessionsFolder);
    const id = ralphSession(event, world) ?? activeSession(folder, world);
    if (id === undefined) return;
    const { output, effects } = judgeSession(
      { session_id: id, session_path: `${sessionsFolder}/${id}/`, workspace_root: event.root },
      world,
      set.profile,
    );
    for (const effect of effects ?? []) yield { effect };
    const data = { reason: output.reason ?? "" };
    if (output.verdict === "BLOCK") yield { message: "invalid", data };
    else if (output.verdict === "WARN") yield { message: "incomplete", outcome: "warn", data };
  },
});

function judgeSession(
  given: InferOutput<ReturnType<typeof input>>,
  world: World,
  profile: RalphProfileName,
): Judged {
  const scaffold: readonly string[] = ralphProfiles[profile].scaffold;
  const { session_id: id, session_path: path, workspace_root: root } = given;
  const block = (reason: string): Judged => ({ output: { verdict: "BLOCK", reason } });
  if (!isSessionId(id)) {
    const separators = /[\\/]/.test(id) ? " and contains path separators" : "";
    return block(`Session ID '${id}' does not match required format YYMMDD-HHmmss${separators}`);
  }
  const folder = world.realPath(resolve(root, path));
  if (!isInside(world.realPath(root), folder))
    return block("Session path resolves outside workspace root after normalization");
  const stat = world.stat(folder);
  if (!stat) {
    const effects: Effect[] = ["", ...scaffold].map((name) => ({
      do: "make-directory",
      path: join(folder, name),
    }));
    const shown = path.endsWith("/") ? path : `${path}/`;
    const actions_taken = [
      `Created directory: ${shown}`,
      `Created scaffold: ${scaffold.map((name) => `${name}/`).join(", ")}`,
    ];
    return { output: { verdict: "PASS", reason: null, actions_taken }, effects };
  }
  if (stat.type !== "directory") return block(`Session path '${path}' is not a directory`);
  const missing = scaffold.filter((name) => world.stat(join(folder, name))?.type !== "directory");
  if (missing.length === 0) return { output: { verdict: "PASS", reason: null } };
  const list = missing.map((name) => `${name}/`).join(", ");
  return {
    output: { verdict: "WARN", reason: `Session directory '${path}' lacks scaffold directories: ${list}` },
  };
}
