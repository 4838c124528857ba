import { asText, defined } from "../../core/json.ts";
import type { ToolTable } from "../../core/operation.ts";

const text = (value: unknown): string => asText(value) ?? "";
const place = (value: unknown): string => text(value) || ".";

/** OpenCode's own tools and argument names. Everything else is guessed at. */
export const tools: ToolTable = {
  bash: (input) => [
    {
      do: "exec",
      command: text(input["command"]),
      ...defined({ cwd: asText(input["workdir"]) || undefined }),
    },
  ],
  write: (input) => [{ do: "write", path: text(input["filePath"]), text: text(input["content"]) }],
  edit: (input) => [
    {
      do: "edit",
      path: text(input["filePath"]),
      edits: [
        {
          old: text(input["oldString"]),
          new: text(input["newString"]),
          ...(input["replaceAll"] === true ? { all: true } : {}),
        },
      ],
    },
  ],
  // For GPT models, instead of edit and write.
  apply_patch: (input) => [{ do: "patch", text: text(input["patchText"]) }],
  read: (input) => [{ do: "read", path: text(input["filePath"]) }],
  glob: (input) => [{ do: "read", path: place(input["path"]) }],
  grep: (input) => [{ do: "read", path: place(input["path"]) }],
  webfetch: (input) => [{ do: "fetch", url: text(input["url"]) }],
  task: (input) => [
    { do: "delegate", prompt: text(input["prompt"]), ...defined({ agent: asText(input["subagent_type"]) }) },
  ],
};
