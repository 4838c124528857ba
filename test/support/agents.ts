import type { Workspace } from "./hookline.ts";

/** A command that has ended. */
export interface Ended {
  readonly code: number;
  readonly text?: string;
}

export type Todo = readonly [text: string, isDone: boolean];

/** An agent that works and wants to stop, in the words of its host and with the events that host was seen to send. */
export interface Agent {
  prompt(text: string): Promise<void>;
  /** Tells that a command has ended, or a file was written. */
  ran(command: string, ended?: Ended): Promise<void>;
  wrote(file: string): Promise<void>;
  /** The agent writes its list of what is to do; nothing where its host has none that hooks are told of. */
  todos?(list: readonly Todo[]): Promise<void>;
  /** Wants to stop: "yes", or the reason why not, after which the host makes it go on. `notice` is what the person is told. */
  stop(): Promise<Stopped>;
}

export interface Stopped {
  readonly answer: string;
  readonly notice: string;
}

type Words = Readonly<Record<string, any>>;

interface Dialect {
  /** What is said at each point, besides what every payload of the host has. */
  readonly prompt: (text: string) => Said;
  readonly ran: (command: string, ended: Ended) => Said;
  readonly wrote: (path: string) => Said;
  readonly todos?: (list: readonly Todo[]) => Said;
  readonly stop: (isAgain: boolean) => Said;
  /** The refusal in an answer to a stop. */
  readonly refusal: (answer: Words) => string | undefined;
  /** What the host sends when it goes on after a refusal, and after each tool call then. */
  readonly goesOn?: (reason: string) => readonly Said[];
  readonly afterTool?: readonly Said[];
}

type Said = readonly [event: string, payload: Words];

const decided = ({ decision, reason }: Words): string | undefined =>
  decision === "block" || decision === "deny" ? reason : undefined;

const status = (isDone: boolean): string => (isDone ? "completed" : "pending");

const claudeLike = {
  prompt: (prompt: string): Said => ["UserPromptSubmit", { prompt }],
  wrote: (file_path: string): Said => [
    "PostToolUse",
    { tool_name: "Write", tool_input: { file_path, content: "" }, tool_response: {}, tool_use_id: "t2" },
  ],
  stop: (stop_hook_active: boolean): Said => ["Stop", { stop_hook_active, last_assistant_message: "Done." }],
  refusal: decided,
};

const dialects = {
  "claude-code": {
    ...claudeLike,
    ran: (command, { code, text = "" }) => {
      const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "t1" };
      return code === 0
        ? ["PostToolUse", { ...call, tool_response: { stdout: text, stderr: "" } }]
        : ["PostToolUseFailure", { ...call, error: `Exit code ${code}\n${text}` }];
    },
    todos: (list) => {
      const todos = list.map(([content, isDone]) => ({
        content,
        status: status(isDone),
        activeForm: content,
      }));
      return [
        "PostToolUse",
        {
          tool_name: "TodoWrite",
          tool_input: { todos },
          tool_response: { oldTodos: [], newTodos: todos },
          tool_use_id: "t3",
        },
      ];
    },
  },
  codex: {
    ...claudeLike,
    // Nothing tells how a command ended but what it printed.
    ran: (command, { text = "" }) => [
      "PostToolUse",
      { tool_name: "Bash", tool_input: { command }, tool_response: text, tool_use_id: "t1" },
    ],
    wrote: (path) => [
      "PostToolUse",
      {
        tool_name: "apply_patch",
        tool_input: { command: `*** Begin Patch\n*** Add File: ${path}\n+\n*** End Patch\n` },
        tool_response: "Exit code: 0\nWall time: 0.1 seconds\n",
        tool_use_id: "t2",
      },
    ],
  },
  // A refusal to stop comes back as a prompt (seen with 1.0.102).
  copilot: {
    prompt: (prompt) => ["userPromptSubmitted", { prompt }],
    ran: (command, { code, text = "" }) => [
      "postToolUse",
      {
        toolName: "bash",
        toolArgs: { command, mode: "sync" },
        toolResult: {
          resultType: "success",
          textResultForLlm: `${text}\n<shellId: 0 completed with exit code ${code}>`,
        },
      },
    ],
    wrote: (path) => [
      "postToolUse",
      {
        toolName: "create",
        toolArgs: { path, file_text: "" },
        toolResult: { resultType: "success", textResultForLlm: "done" },
      },
    ],
    stop: (stop_hook_active) => [
      "agentStop",
      { transcriptPath: "/nowhere/events.jsonl", stopReason: "end_turn", stop_hook_active },
    ],
    refusal: decided,
    goesOn: (prompt) => [["userPromptSubmitted", { prompt }]],
  },
  // The same, and after every tool call an empty prompt (seen with 0.24.4).
  "qwen-code": {
    ...claudeLike,
    ran: (command, { code, text = "" }) => [
      "PostToolUse",
      {
        tool_name: "run_shell_command",
        tool_input: { command, is_background: false },
        tool_response: { llmContent: `Output: ${text}\nExit Code: ${code}\n` },
        tool_use_id: "t1",
      },
    ],
    wrote: (file_path) => [
      "PostToolUse",
      {
        tool_name: "write_file",
        tool_input: { file_path, content: "" },
        tool_response: { llmContent: "done" },
        tool_use_id: "t2",
      },
    ],
    todos: (list) => [
      "PostToolUse",
      {
        tool_name: "todo_write",
        tool_input: {
          todos: list.map(([content, isDone], at) => ({ id: `${at}`, content, status: status(isDone) })),
        },
        tool_response: { llmContent: "done" },
        tool_use_id: "t3",
      },
    ],
    goesOn: (prompt) => [["UserPromptSubmit", { prompt }]],
    afterTool: [["UserPromptSubmit", { prompt: "" }]],
  },
  // The same, and nothing says that it goes on because it had to (seen with 0.61.0).
  "gemini-cli": {
    prompt: (prompt) => ["BeforeAgent", { prompt }],
    ran: (command, { code, text = "" }) => [
      "AfterTool",
      {
        tool_name: "run_shell_command",
        tool_input: { command },
        tool_response: { llmContent: `Output: ${text}${code === 0 ? "" : `\nExit Code: ${code}`}` },
      },
    ],
    wrote: (file_path) => [
      "AfterTool",
      {
        tool_name: "write_file",
        tool_input: { file_path, content: "" },
        tool_response: { llmContent: "done" },
      },
    ],
    todos: (list) => [
      "AfterTool",
      {
        tool_name: "write_todos",
        tool_input: {
          todos: list.map(([description, isDone]) => ({ description, status: status(isDone) })),
        },
        tool_response: { llmContent: "done" },
      },
    ],
    stop: () => ["AfterAgent", { prompt: "do it", prompt_response: "Done.", stop_hook_active: false }],
    refusal: decided,
    goesOn: (prompt) => [["BeforeAgent", { prompt }]],
  },
  // As documented; whether the message that makes it go on is told as a prompt is not.
  cursor: {
    prompt: (prompt) => ["beforeSubmitPrompt", { prompt, attachments: [] }],
    ran: (command, { code, text = "" }) => [
      "postToolUse",
      {
        tool_name: "Shell",
        tool_input: { command },
        tool_output: JSON.stringify({ exitCode: code, stdout: text }),
        tool_use_id: "t1",
      },
    ],
    wrote: (file_path) => [
      "postToolUse",
      {
        tool_name: "Write",
        tool_input: { file_path, content: "" },
        tool_output: "{}",
        tool_use_id: "t2",
      },
    ],
    stop: (isAgain) => ["stop", { status: "completed", loop_count: isAgain ? 1 : 0 }],
    refusal: ({ followup_message }) => followup_message,
    goesOn: (prompt) => [["beforeSubmitPrompt", { prompt, attachments: [] }]],
  },
} satisfies Record<string, Dialect>;

export const agentNames = Object.keys(dialects) as (keyof typeof dialects)[];

/** An agent of some host at work in a workspace. */
export function agentIn(
  w: Workspace,
  host: keyof typeof dialects,
  session = "7d1f",
  env: Record<string, string> = {},
): Agent {
  const dialect: Dialect = dialects[host];
  let isAgain = false;
  const say = async ([event, more]: Said): Promise<Words> => {
    const payload = { ...common(host, session, w.root), ...more };
    const named = host === "copilot" ? payload : { ...payload, hook_event_name: event };
    const { stdout, exitCode, stderr } = await w.run(
      ["run", "--host", host, ...(host === "copilot" ? ["--event", event] : [])],
      named,
      env,
    );
    if (exitCode !== 0) throw new Error(`${host} ${event}: exit code ${exitCode}, ${stderr}`);
    return stdout === "" ? {} : JSON.parse(stdout);
  };
  const tool = async (said: Said): Promise<void> => {
    for (const each of [said, ...(dialect.afterTool ?? [])]) await say(each);
  };
  const { todos } = dialect;
  return {
    async prompt(text) {
      isAgain = false;
      await say(dialect.prompt(text));
    },
    ran: (command, ended = { code: 0 }) => tool(dialect.ran(command, ended)),
    wrote: (file) => tool(dialect.wrote(w.path(file))),
    ...(todos ? { todos: (list) => tool(todos(list)) } : {}),
    async stop() {
      const said = await say(dialect.stop(isAgain));
      const reason = dialect.refusal(said);
      isAgain = reason !== undefined;
      for (const each of reason === undefined ? [] : (dialect.goesOn?.(reason) ?? [])) await say(each);
      return { answer: reason ?? "yes", notice: said["systemMessage"] ?? "" };
    },
  };
}

function common(host: string, session: string, cwd: string): Words {
  if (host === "copilot") return { sessionId: session, timestamp: 1794795200000, cwd };
  if (host === "cursor")
    return {
      conversation_id: session,
      generation_id: "g1",
      model: "m",
      cursor_version: "3.21.0",
      workspace_roots: [cwd],
      transcript_path: null,
    };
  return {
    session_id: session,
    transcript_path: `/nowhere/${session}.jsonl`,
    cwd,
    ...(host === "qwen-code" || host === "gemini-cli" ? { timestamp: "2026-11-18T05:28:35.954Z" } : {}),
    ...(host === "codex" ? { turn_id: "u1", model: "gpt-5.5" } : {}),
  };
}
