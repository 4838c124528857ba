import type { Json } from "../../src/core/json.ts";

/** A call of a tool as a host announces it before the tool runs. */
export interface Tools {
  readonly shell: (command: string, cwd: string) => Json;
  /** Every tool of the host that can put a text into a file, and one of an MCP server's. */
  readonly writes: (path: string, text: string, cwd: string) => readonly Json[];
}

const time = "2026-11-16T02:13:20.000Z";
const patch = (path: string, text: string): string =>
  [
    "*** Begin Patch",
    `*** Add File: ${path}`,
    ...text.split("\n").map((line) => `+${line}`),
    "*** End Patch",
  ].join("\n");

/** Hosts that speak like Claude Code, each with tools and fields of its own. */
function like(
  shell: string,
  writes: (path: string, text: string) => readonly (readonly [tool: string, input: unknown])[],
  more: Json = {},
): Tools {
  const call = (cwd: string, tool_name: string, tool_input: unknown): Json => ({
    session_id: "s1",
    transcript_path: "/nowhere/s1.jsonl",
    cwd,
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
    tool_use_id: "t1",
    ...more,
  });
  return {
    shell: (command, cwd) => call(cwd, shell, { command }),
    writes: (path, text, cwd) => writes(path, text).map(([tool, input]) => call(cwd, tool, input)),
  };
}

const claude = like("Bash", (file_path, content) => [
  ["Write", { file_path, content }],
  ["Edit", { file_path, old_string: "", new_string: content }],
  ["mcp__files__write_file", { path: file_path, content }],
]);

/** How each host announces a command and the writing of a file. */
export const tools: Readonly<Record<string, Tools>> = {
  "claude-code": claude,
  harness: claude,
  plugin: claude,
  codex: like("Bash", (path, text) => [
    ["apply_patch", { command: patch(path, text) }],
    ["mcp__files__write_file", { path, content: text }],
  ]),
  "gemini-cli": like(
    "run_shell_command",
    (file_path, content) => [
      ["write_file", { file_path, content }],
      ["replace", { file_path, instruction: "i", old_string: "", new_string: content }],
      ["mcp_files_write", { path: file_path, content }],
    ],
    { hook_event_name: "BeforeTool", timestamp: time },
  ),
  "qwen-code": like(
    "run_shell_command",
    (file_path, content) => [
      ["write_file", { file_path, content }],
      ["edit", { file_path, old_string: "", new_string: content }],
      ["tool_call", { name: "write_file", arguments: { file_path, content } }],
      ["mcp__files__write", { path: file_path, content }],
    ],
    { timestamp: time, permission_mode: "default" },
  ),
  copilot: {
    shell: (command, cwd) => copilot(cwd, "bash", { command, description: "x" }),
    writes: (path, text, cwd) => [
      copilot(cwd, "create", { path, file_text: text }),
      copilot(cwd, "edit", { path, old_str: "", new_str: text }),
      copilot(cwd, "str_replace_editor", { command: "create", path, file_text: text }),
      copilot(cwd, "apply_patch", patch(path, text)),
      copilot(cwd, "files-write_file", { path, content: text }),
    ],
  },
  cursor: {
    shell: (command, cwd) => cursor(cwd, "Shell", { command, working_directory: cwd }),
    writes: (path, text, cwd) => [
      cursor(cwd, "Write", { file_path: path, content: text }),
      cursor(cwd, "Write", { path, contents: text }),
      cursor(cwd, "MCP:write_file", { path, content: text }),
    ],
  },
  opencode: {
    shell: (command, cwd) => opencode(cwd, "bash", { command, description: "x" }),
    writes: (path, text, cwd) => [
      opencode(cwd, "write", { filePath: path, content: text }),
      opencode(cwd, "edit", { filePath: path, oldString: "", newString: text }),
      opencode(cwd, "apply_patch", { patchText: patch(path, text) }),
      opencode(cwd, "files_write_file", { path, content: text }),
    ],
  },
  windsurf: {
    shell: (command, cwd) => windsurf("pre_run_command", { command_line: command, cwd }),
    writes: (path, text) => [
      windsurf("pre_write_code", { file_path: path, edits: [{ old_string: "", new_string: text }] }),
      windsurf("pre_mcp_tool_use", {
        mcp_server_name: "files",
        mcp_tool_name: "write_file",
        mcp_tool_arguments: { path, content: text },
      }),
    ],
  },
};

const copilot = (cwd: string, toolName: string, toolArgs: unknown): Json => ({
  sessionId: "s1",
  timestamp: 0,
  cwd,
  toolName,
  toolArgs,
});

const cursor = (cwd: string, tool_name: string, tool_input: Json): Json => ({
  conversation_id: "s1",
  generation_id: "g1",
  model: "m",
  hook_event_name: "preToolUse",
  cursor_version: "3.21.0",
  workspace_roots: [cwd],
  user_email: null,
  transcript_path: null,
  tool_name,
  tool_input,
  tool_use_id: "t1",
  cwd,
});

const opencode = (cwd: string, tool: string, args: Json): Json => ({
  hook: "tool.execute.before",
  directory: cwd,
  worktree: cwd,
  sessionID: "s1",
  tool,
  callID: "c1",
  args,
});

const windsurf = (agent_action_name: string, tool_info: Json): Json => ({
  agent_action_name,
  trajectory_id: "s1",
  execution_id: "e1",
  timestamp: time,
  tool_info,
});
