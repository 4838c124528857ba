import { defineRule } from "../../core/rule.ts";
import { changedFiles, checksumEffects } from "./_checksums.ts";
import { logHookError } from "./_hook-errors.ts";
import { folderOption } from "./_log-folder.ts";

const files = { ".ralph-sessions/260215-173319/metadata.yaml": "iteration: 1\n", "src/a.ts": "export {};\n" };

export default defineRule({
  summary: "Adds the hash of every file a tool has changed to the session's `logs/checksums.jsonl`.",
  why: "Two runs did the same if they left the same files; and a file that changed in between was changed by somebody else.",
  since: "0.1.0",
  outcome: "warn",
  presets: { "ralph/all": {} },
  on: { events: ["PostToolUse", "PostToolUseFailure"], actions: ["write", "delete"] },
  options: (v) => v.strictObject({ folder: folderOption(v) }),
  catalogue: {
    number: 18,
    title: "Determinism Checksum",
    tier: "P2",
    lifecycle: "PostTool",
    serves: "audit",
  },
  messages: { hashed: { what: "the hashes of {count} files are in `logs/checksums.jsonl`." } },
  examples: {
    catches: [
      { event: "PostToolUse", files, write: "src/a.ts", text: "export {};\n" },
      { event: "PostToolUse", files, shell: "echo x > src/a.ts" },
      { event: "PostToolUse", files, delete: "src/gone.ts" },
    ],
    allows: [
      { event: "PostToolUse", files: { "src/a.ts": "" }, write: "src/a.ts", text: "" },
      { event: "PostToolUse", files, read: "src/a.ts" },
      { event: "PostToolUse", files, write: "../elsewhere", text: "" },
    ],
  },
  onFailure: logHookError(18),
  *check({ event, world, options }) {
    const effects = checksumEffects(event, world, changedFiles(event, world), options.folder);
    for (const effect of effects) yield { effect };
    if (effects.length > 0) yield { message: "hashed", outcome: "pass", data: { count: effects.length } };
  },
});
