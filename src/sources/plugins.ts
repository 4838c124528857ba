import { join } from "node:path";
import { plainName } from "../core/plain-name.ts";
import { loadNested } from "./_nested.ts";
import type { Source } from "./source.ts";

/** The eleven events of this format. */
const names = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "Notification",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "PreCompact",
  "SessionEnd",
];

/** `plugins/<plugin>/hooks/hooks.json`. */
export const plugins: Source = {
  name: "plugins",
  files: ["plugins/*/hooks/hooks.json"],
  load(file) {
    const plugin = file.file.split("/")[1] ?? "";
    return loadNested(file, {
      source: "plugins",
      events: Object.fromEntries(names.map((name) => [name, name])),
      prefix: `${plainName(plugin)}/`,
      usualTimeout: 30_000,
      pluginRoot: join(file.root, "plugins", plugin),
      folder: file.root,
      profileOf: () => "plugin",
      // Tested unanchored: `Write` is also in `TodoWrite`.
      matcherOf: (matcher) => matcher,
    });
  },
};
