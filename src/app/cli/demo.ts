import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { asText, isObject, type Json } from "../../core/json.ts";
import { defineCommand } from "./_command.ts";
import { paint, table } from "./_table.ts";

export default defineCommand({
  summary: "Plays a short agent day through real `run` calls in a throw-away workspace.",
  usage: ["demo [--keep] [--json]"],
  details: "Needs no server, no key and no network. Nothing outside its own temporary folder is touched.",
  flags: {
    keep: { type: "boolean", summary: "Leave the workspace behind and say where it is." },
    json: { type: "boolean", summary: "Print the day as JSON." },
  },
  async run(given) {
    const base = mkdtempSync(join(tmpdir(), "hookline-demo-"));
    const keep = given.flags["keep"] === true;
    try {
      const played: Played[] = [];
      for (const scene of day(base)) played.push(await play(scene, base));
      if (given.flags["json"] === true) console.log(JSON.stringify(played, null, 2));
      else print(played, keep ? base : undefined);
      return played.every((scene) => scene.answer === scene.expected) ? 0 : 1;
    } finally {
      if (!keep) rmSync(base, { recursive: true, force: true });
    }
  },
});

interface Scene {
  readonly agent: string;
  readonly does: string;
  readonly payload: Json;
  readonly args?: readonly string[];
  readonly expected: string;
}

interface Played {
  readonly agent: string;
  readonly does: string;
  readonly expected: string;
  readonly answer: string;
  readonly why: string;
  readonly ms: number;
}

const session = ".ralph-sessions/260215-173319";
const progress = `${session}/iterations/1/progress.md`;

/** The workspace as a team would have it, and what its agents do on that day. */
function day(base: string): Scene[] {
  const root = join(base, "workspace");
  const files: Record<string, string> = {
    "workspace/.git/HEAD": "ref: refs/heads/main\n",
    "workspace/src/cart.ts": "export const total = 0;\n",
    "workspace/hookline.yaml": "extends: [recommended, ralph/p0]\n",
    "workspace/.claude/settings.json": "{}\n",
    [`workspace/${progress}`]: "# Progress\n\n- [ ] task-1\n- [ ] task-2\n",
    [`workspace/${session}.instructions.md`]: "## Target Files\n- src/cart.ts\n",
    "neighbour/secret.txt": "not yours\n",
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, name)), { recursive: true });
    writeFileSync(join(base, name), text);
  }
  symlinkSync(join(base, "neighbour"), join(root, "vendor"));
  mkdirSync(join(base, "home"));

  const claude = (tool_name: string, tool_input: Json): Json => ({
    session_id: "demo",
    transcript_path: join(base, "transcript.jsonl"),
    cwd: root,
    hook_event_name: "PreToolUse",
    tool_name,
    tool_input,
  });
  const copilot = (toolName: string, toolArgs: unknown): Json => ({
    sessionId: "demo",
    timestamp: 0,
    cwd: root,
    toolName,
    toolArgs,
  });
  const edit = (path: string, old_string: string, new_string: string) =>
    claude("Edit", { file_path: join(root, path), old_string, new_string });
  const patch = `*** Begin Patch\n*** Update File: ${progress}\n@@\n-- [ ] task-2\n+- [done] task-2\n*** End Patch\n`;
  return [
    {
      agent: "Claude Code",
      does: "edits the file it was asked to",
      payload: edit("src/cart.ts", "= 0", "= 1"),
      expected: "pass",
    },
    {
      agent: "Claude Code",
      does: "runs the tests",
      payload: claude("Bash", { command: "npm test" }),
      expected: "pass",
    },
    {
      agent: "Claude Code",
      does: "ticks off task-1",
      payload: edit(progress, "- [ ] task-1", "- [x] task-1"),
      expected: "pass",
    },
    {
      agent: "Claude Code",
      does: "writes next door, by way of ..",
      payload: claude("Write", { file_path: "../neighbour/secret.txt", content: "mine" }),
      expected: "deny",
    },
    {
      agent: "Copilot",
      does: "writes next door, by way of a link",
      payload: copilot("create", { path: join(root, "vendor/secret.txt"), file_text: "mine" }),
      args: ["--event", "preToolUse"],
      expected: "deny",
    },
    {
      agent: "Claude Code",
      does: 'changes "[ ]" to "[Z]" in progress.md',
      payload: edit(progress, "[ ]", "[Z]"),
      expected: "deny",
    },
    {
      agent: "Copilot",
      does: "patches progress.md with a status of its own",
      payload: copilot("apply_patch", patch),
      args: ["--event", "preToolUse"],
      expected: "deny",
    },
    {
      agent: "Claude Code",
      does: "edits a file outside its session's scope",
      payload: claude("Write", { file_path: join(root, "README.md"), content: "hi" }),
      expected: "deny",
    },
    {
      agent: "Claude Code",
      does: "switches the hooks off in its settings",
      payload: claude("Write", {
        file_path: join(root, ".claude/settings.local.json"),
        content: '{"disableAllHooks":true}',
      }),
      expected: "deny",
    },
    {
      agent: "Copilot",
      does: "does it by shell: rm -rf .claude",
      payload: copilot("bash", { command: "rm -rf .claude" }),
      args: ["--event", "preToolUse"],
      expected: "deny",
    },
    { agent: "Claude Code", does: "sends half a payload", payload: {}, expected: "deny" },
  ];
}

/** One call of this very executable, as the agent would make it. */
async function play(scene: Scene, base: string): Promise<Played> {
  const input = scene.does.includes("half a payload")
    ? '{"hook_event_name":"PreToolUse","tool_na'
    : JSON.stringify(scene.payload);
  const started = performance.now();
  const child = Bun.spawn([process.execPath, "run", ...(scene.args ?? [])], {
    cwd: join(base, "workspace"),
    env: { HOME: join(base, "home") },
    stdin: new TextEncoder().encode(input),
    stdout: "pipe",
    stderr: "pipe",
  });
  const stdout = await child.stdout.text();
  await child.exited;
  const ms = performance.now() - started;
  const { agent, does, expected } = scene;
  return { agent, does, expected, ms, ...readAnswer(stdout) };
}

function readAnswer(stdout: string): { answer: string; why: string } {
  if (stdout === "") return { answer: "pass", why: "" };
  const said: unknown = JSON.parse(stdout);
  const { permissionDecision, permissionDecisionReason } = isObject(said) ? said : {};
  const [why = ""] = (asText(permissionDecisionReason) ?? "").split("\n");
  return {
    answer: asText(permissionDecision) ?? "pass",
    why: why.replace(/^(?:Blocked|Confirmation asked) by /, ""),
  };
}

function print(played: readonly Played[], kept: string | undefined): void {
  const rows = played.map(({ agent, does, answer, why, ms }) => [
    paint(answer === "deny" ? "DENY" : "pass", answer === "deny" ? "red" : "green"),
    `${ms.toFixed(0).padStart(3)} ms`,
    agent,
    does,
    why.length > 76 ? `${why.slice(0, 75)}…` : why,
  ]);
  console.log(`A day with two agents in one workspace, each line a real \`hookline run\`:\n\n${table(rows)}`);
  const wrong = played.filter((scene) => scene.answer !== scene.expected);
  const denied = played.filter((scene) => scene.answer === "deny").length;
  console.log(
    `\n${played.length} calls, ${denied} denied; every one is a record in the workspace's .hookline/ledger/.`,
  );
  for (const scene of wrong)
    console.log(paint(`Not as expected: ${scene.does}: ${scene.answer}, expected ${scene.expected}`, "red"));
  if (kept !== undefined) console.log(`The workspace is ${join(kept, "workspace")}.`);
  console.log(
    [
      "",
      "What to do next:",
      "  hookline check 'rm -rf .claude'        ask what would happen, in your own repository",
      "  hookline rules list                    see every rule",
      "  hookline schema > hookline.schema.json completion for your hookline.yaml",
      "  hookline init                          make your agents call it",
    ].join("\n"),
  );
}
