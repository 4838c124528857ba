// Payloads of Claude Code's PreToolUse, as a hook finds them on its stdin.

export function payload(
  workspace: string,
  tool: string,
  input: Record<string, unknown>,
  id = "toolu_01A09q90qw90lq917835lq9",
): string {
  return JSON.stringify({
    session_id: "3f0c6f0e-6a3c-4b6e-9d55-0c1f7f0d2b11",
    transcript_path: `${workspace}/transcript.jsonl`,
    cwd: workspace,
    permission_mode: "default",
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: input,
    tool_use_id: id,
  });
}

export const benign = (workspace: string) =>
  payload(workspace, "Bash", { command: "cd src && ls -la | head -20", description: "List the sources" });

export const outside = (workspace: string) =>
  payload(workspace, "Write", { file_path: "/etc/motd", content: "hello\n" });

export const large = (workspace: string) =>
  payload(workspace, "Write", { file_path: `${workspace}/src/large.ts`, content: source(200_000) });

/** The longest command line anybody has a use for: a here-document of 100 KB. */
export const longCommand = (workspace: string) =>
  payload(workspace, "Bash", { command: `cat > src/large.ts <<'EOF'\n${source(100_000)}\nEOF` });

export const bash = (workspace: string, command: string, id?: string) =>
  payload(workspace, "Bash", { command }, id);

/** A working day of an agent, one payload a line, the same every time. */
export function day(workspace: string, lines: number): string {
  const calls: [string, (i: number) => Record<string, unknown>][] = [
    ["Bash", (i) => ({ command: `git log --oneline -${(i % 40) + 1} -- src/part-${i}.ts` })],
    ["Read", (i) => ({ file_path: `${workspace}/src/part-${i % 500}.ts` })],
    [
      "Edit",
      (i) => ({ file_path: `${workspace}/src/part-${i % 500}.ts`, old_string: `a${i}`, new_string: `b${i}` }),
    ],
    [
      "Bash",
      (i) => ({ command: `npm test -- --grep 'case ${i}' 2>&1 | tail -${(i % 30) + 5} > out-${i % 9}.log` }),
    ],
    ["Write", (i) => ({ file_path: `${workspace}/docs/page-${i % 200}.md`, content: source(400) })],
    ["Grep", (i) => ({ pattern: `part-${i}`, path: workspace })],
  ];
  const text: string[] = [];
  for (let i = 0; i < lines; i++) {
    const [tool, input] = calls[i % calls.length] ?? ["Read", () => ({})];
    text.push(payload(workspace, tool, input(i), callId(i)));
  }
  return `${text.join("\n")}\n`;
}

/** No two calls of an agent have the same. */
export const callId = (at: number) => `toolu_01A09q90qw90lq${String(at).padStart(8, "0")}`;

function source(size: number): string {
  const lines: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const line = `export const value${i} = compute(${i}, "part ${i % 97}"); // ${i % 13} of 13`;
    lines.push(line);
    length += line.length + 1;
  }
  return lines.join("\n").slice(0, size);
}
