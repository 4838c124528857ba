import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Workspace } from "./hookline.ts";

export type Dialect = "claude-code" | "copilot";

/** What the guard said to one step of an agent. */
export interface Said {
  readonly denied?: string;
  readonly context: string;
}

/** An agent that works on a real folder, and asks the built executable before and after each of its tools, in one host's words. */
export interface RalphAgent {
  readonly ws: Workspace;
  /** Everything that was said, in order. */
  readonly said: Said[];
  start(): Promise<Said>;
  prompt(text: string): Promise<Said>;
  write(path: string, text: string): Promise<Said>;
  edit(path: string, old: string, text: string): Promise<Said>;
  shell(command: string): Promise<Said>;
  /** Calls a subagent; what it does is done in its name, and its last word is its answer. */
  call(agent: string, prompt: string, work?: (as: RalphAgent) => Promise<string | Error>): Promise<Said>;
  /** The agent itself fails. */
  error(name: string, message: string): Promise<Said>;
  end(): Promise<Said>;
}

export function ralphAgent(ws: Workspace, dialect: Dialect): RalphAgent {
  return make(ws, dialect, [], undefined, { calls: 0 });
}

interface Doing {
  readonly tool: keyof typeof tools;
  readonly input: Record<string, unknown>;
  /** Really does it. */
  readonly run: () => Promise<string | Error>;
}

const tools = {
  write: { "claude-code": "Write", copilot: "create" },
  edit: { "claude-code": "Edit", copilot: "edit" },
  shell: { "claude-code": "Bash", copilot: "bash" },
  call: { "claude-code": "Task", copilot: "task" },
} as const;

const events = {
  start: { "claude-code": "SessionStart", copilot: "sessionStart" },
  prompt: { "claude-code": "UserPromptSubmit", copilot: "userPromptSubmitted" },
  before: { "claude-code": "PreToolUse", copilot: "preToolUse" },
  after: { "claude-code": "PostToolUse", copilot: "postToolUse" },
  failed: { "claude-code": "PostToolUseFailure", copilot: "postToolUseFailure" },
  began: { "claude-code": "SubagentStart", copilot: "subagentStart" },
  ended: { "claude-code": "SubagentStop", copilot: "subagentStop" },
  error: { "claude-code": "StopFailure", copilot: "errorOccurred" },
  end: { "claude-code": "SessionEnd", copilot: "sessionEnd" },
} as const;

function make(
  ws: Workspace,
  dialect: Dialect,
  said: Said[],
  agent: { id: string; type: string } | undefined,
  counter: { calls: number },
): RalphAgent {
  const isClaude = dialect === "claude-code";
  const tell = async (event: keyof typeof events, fields: Record<string, unknown>): Promise<Said> => {
    const native = events[event][dialect];
    const payload = isClaude
      ? {
          session_id: "5f0c-main",
          transcript_path: "/nowhere/5f0c-main.jsonl",
          cwd: ws.root,
          hook_event_name: native,
          ...(agent ? { agent_id: agent.id, agent_type: agent.type } : {}),
          ...fields,
        }
      : { sessionId: "c0de-main", timestamp: Date.now(), cwd: ws.root, ...fields };
    const ran = await ws.run(["run", "--host", dialect, "--event", native], payload);
    if (ran.exitCode !== 0) throw new Error(`${native}: exit ${ran.exitCode}, ${ran.stderr}`);
    const answer = ran.stdout === "" ? {} : ran.json();
    const nested = answer.hookSpecificOutput ?? {};
    const isDenied =
      [answer.permissionDecision, nested.permissionDecision].includes("deny") || answer.decision === "block";
    const heard: Said = {
      ...(isDenied ? { denied: answer.permissionDecisionReason ?? answer.reason } : {}),
      context: nested.additionalContext ?? answer.additionalContext ?? "",
    };
    said.push(heard);
    return heard;
  };
  const use = async ({ tool, input, run }: Doing): Promise<Said> => {
    const id = `toolu_${++counter.calls}`;
    const name = tools[tool][dialect];
    const call = isClaude
      ? { tool_name: name, tool_input: input, tool_use_id: id }
      : { toolName: name, toolArgs: JSON.stringify(input) };
    const before = await tell("before", call);
    if (before.denied !== undefined) return before;
    const result = await run();
    if (result instanceof Error) return tell("failed", { ...call, error: result.message });
    const after = await tell(
      "after",
      isClaude
        ? { ...call, tool_response: result }
        : { ...call, toolResult: { resultType: "success", textResultForLlm: result } },
    );
    return { context: [before.context, after.context].filter(Boolean).join("\n") };
  };
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(ws.path(path)), { recursive: true });
    writeFileSync(ws.path(path), text);
    return "ok";
  };
  return {
    ws,
    said,
    start: () => tell("start", isClaude ? { source: "startup" } : { source: "new", initialPrompt: "work" }),
    prompt: (prompt) => tell("prompt", { prompt }),
    end: () => tell("end", { reason: isClaude ? "other" : "complete" }),
    error: (name, message) =>
      tell(
        "error",
        isClaude
          ? { error: "server_error", error_details: `${name}: ${message}` }
          : { error: { name, message }, errorContext: "model_call", recoverable: true },
      ),
    write: (path, text) =>
      use({
        tool: "write",
        input: isClaude
          ? { file_path: ws.path(path), content: text }
          : { path: ws.path(path), file_text: text },
        run: async () => put(path, text),
      }),
    edit: (path, old, text) =>
      use({
        tool: "edit",
        input: isClaude
          ? { file_path: ws.path(path), old_string: old, new_string: text }
          : { path: ws.path(path), old_str: old, new_str: text },
        async run() {
          const before = readFileSync(ws.path(path), "utf8");
          if (!before.includes(old)) throw new Error(`${path} does not have ${old}`);
          return put(
            path,
            before.replace(old, () => text),
          );
        },
      }),
    shell: (command) =>
      use({
        tool: "shell",
        input: { command, description: "x" },
        async run() {
          const child = Bun.spawn(["bash", "-c", command], { cwd: ws.root, stdout: "pipe", stderr: "pipe" });
          const [out, err, code] = await Promise.all([
            child.stdout.text(),
            child.stderr.text(),
            child.exited,
          ]);
          if (code === 0) return isClaude ? out : `${out}\n<command completed with exit code 0>`;
          return isClaude
            ? new Error(`Exit code ${code}\n${err}`)
            : `${err}\n<command completed with exit code ${code}>`;
        },
      }),
    call: (type, prompt, work) =>
      use({
        tool: "call",
        input: isClaude
          ? { description: "x", subagent_type: type, prompt }
          : { description: "x", agent_type: type, prompt },
        async run() {
          const id = `agent_${++counter.calls}`;
          const as = make(ws, dialect, said, { id, type }, counter);
          const names = isClaude ? { agent_id: id, agent_type: type } : { agentName: type };
          await tell("began", names);
          const answer = (await work?.(as)) ?? "status: completed";
          if (!(answer instanceof Error))
            await tell(
              "ended",
              isClaude
                ? { ...names, stop_hook_active: false, last_assistant_message: answer }
                : { ...names, response: answer, stopReason: "end_turn" },
            );
          return answer;
        },
      }),
  };
}
