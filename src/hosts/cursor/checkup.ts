import { defineCheckup, objectIn } from "../../core/checkup.ts";
import { isObject } from "../../core/json.ts";
import { eventNamed } from "./events.ts";

export default defineCheckup({
  canary: {
    event: "preToolUse",
    payload: (command, cwd) => ({
      conversation_id: "hookline-canary",
      generation_id: "1",
      model: "canary",
      hook_event_name: "preToolUse",
      cursor_version: "3.21.0",
      workspace_roots: [cwd],
      user_email: null,
      transcript_path: null,
      tool_name: "Shell",
      tool_input: { command, working_directory: cwd },
      tool_use_id: "hookline_canary",
      cwd,
    }),
    refuses: ({ exitCode, stdout }) =>
      exitCode === 2 || (exitCode === 0 && objectIn(stdout)["permission"] === "deny"),
  },
  // It has no setting of its own for that, but 2.6 rejects a file for one name it does not know.
  switchedOff: (_look, installed) =>
    installed.flatMap(({ file, config }) =>
      Object.keys(isObject(config["hooks"]) ? config["hooks"] : {})
        .filter((event) => !eventNamed(event))
        .map((event) => ({
          place: file.path,
          text: `\`${event}\` is no event of Cursor's, and a version that does not know one rejects the whole file`,
          instead: "Take it out, or see whether it is spelt right.",
        })),
    ),
});
