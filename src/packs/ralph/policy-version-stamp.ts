import type { Event } from "../../core/event.ts";
import { isObject } from "../../core/json.ts";
import { lazily } from "../../core/lazily.ts";
import { defineRule } from "../../core/rule.ts";
import { placeOf, sessionFiles } from "../../workflow/ralph-layout.ts";
import { loggedSession } from "../../workflow/ralph-logs.ts";
import { logHookError } from "./_hook-errors.ts";
import { seenEffect } from "../../workflow/ralph-seen.ts";

const file = ".ralph-sessions/260215-173319/metadata.yaml";
const text = "version: 1\niteration: 1\norchestrator:\n  state: PLANNING\n";

export default defineRule({
  summary: "Keeps the version of the hook policy in force in the session's `metadata.yaml`.",
  why: "Which guards a session was held to matters as much as what it did.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["SessionStart", "PostToolUse"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 32,
    title: "Policy Version Stamp",
    tier: "P2",
    lifecycle: "SessionStart",
    serves: "audit",
  },
  messages: { stamped: { what: "`metadata.yaml` has the policy version {version}." } },
  examples: {
    catches: [
      { event: "SessionStart", files: { [file]: text } },
      { event: "SessionStart", files: { [file]: `${text}hook_policy_version: "0.0.1+old"\n` } },
      { event: "PostToolUse", files: { [file]: text }, write: file, text },
    ],
    allows: [
      { event: "SessionStart", files: { ".ralph-sessions/.active-session": "260215-173319" } },
      { event: "SessionStart", files: { [file]: "version: [\n" } },
      { event: "PostToolUse", files: { [file]: text }, write: "src/a.ts", text: "" },
    ],
  },
  onFailure: logHookError(32),
  load: (event) => (event.name === "SessionStart" || mayWriteMetadata(event) ? yaml() : undefined),
  *check({ event, world, loaded }) {
    const id = loggedSession(event, world);
    if (!loaded || id === undefined) return;
    const { metadata: path } = sessionFiles(event.root, id);
    const root = world.realPath(event.root);
    const isUpdate = event.actions.some(
      (action) =>
        action.kind === "write" &&
        action.target &&
        placeOf(root, action.target.real)?.kind === "session-metadata",
    );
    const was = event.name === "SessionStart" || isUpdate ? world.read(path) : undefined;
    if (was === undefined) return;
    const { engine, digest } = world.policy();
    const version = `${engine}+${digest.slice(0, 12)}`;
    const changed = stamped(was, version, loaded.readYaml);
    if (changed === undefined) return;
    yield { effect: { do: "replace", path, text: changed, was } };
    yield { effect: seenEffect(event.root, id, { path, name: "metadata.yaml" }, world) };
    yield { message: "stamped", outcome: "pass", data: { version } };
  },
});

const yaml = lazily(() => import("../../workflow/yaml.ts"));

const mayWriteMetadata = ({ actions }: Event): boolean =>
  actions.some((action) => action.kind === "write" && action.target?.real.endsWith("metadata.yaml") === true);

const line = /^hook_policy_version:.*$/m;

/**
 * The text with the version in a line of its own; nothing else changes, not even the file's own `version`: it is no change of
 * the session. Nothing when the version is there already, or the file is not sound.
 */
function stamped(
  was: string,
  version: string,
  readYaml: typeof import("../../workflow/yaml.ts").readYaml,
): string | undefined {
  const stamp = `hook_policy_version: ${JSON.stringify(version)}`;
  const changed = line.test(was) ? was.replace(line, () => stamp) : `${was.replace(/\n?$/, "\n")}${stamp}\n`;
  if (changed === was) return undefined;
  const [before, after] = [readYaml(was), readYaml(changed)];
  if ("error" in before || "error" in after || !isObject(before.value)) return undefined;
  // The line must have come to stand where it is meant to.
  const expected = { ...before.value, hook_policy_version: version };
  return JSON.stringify(after.value) === JSON.stringify(expected) ? changed : undefined;
}
