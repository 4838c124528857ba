import { join, matchesGlob, resolve } from "node:path";
import type { InferOutput } from "valibot";
import { beforeTool } from "../../core/event.ts";
import { isSink, pathBelow } from "../../core/paths.ts";
import { defineRule, type Judged, type SchemaLibrary } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { targetFiles } from "../../workflow/ralph-instructions.ts";
import { isSessionId, sessionsFolder } from "../../workflow/ralph-layout.ts";
import { bindingEffects, currentSession } from "../../workflow/ralph-session.ts";
import { logHookError } from "./_hook-errors.ts";

const input = (v: SchemaLibrary) =>
  v.object({
    tool_name: v.string(),
    file_path: v.string(),
    session_id: v.string(),
    workspace_root: v.string(),
    allowlist_overrides: v.optional(v.array(v.string()), []),
  });

const readOnlyTools = new Set([
  "read_file",
  "grep_search",
  "list_dir",
  "file_search",
  "semantic_search",
  "Read",
  "Glob",
  "Grep",
  "view",
  "grep",
  "glob",
]);

export default defineRule({
  summary:
    "Lets a Ralph session edit only its own files, the agent definitions and what the session was told to edit.",
  why: "Without it an agent can silently change any file of the workspace.",
  since: "0.1.0",
  outcome: "block",
  failMode: "closed",
  presets: { "ralph/p0": {} },
  on: { events: beforeTool, actions: ["write", "delete"] },
  options: (v) =>
    v.strictObject({
      allow: v.pipe(
        v.optional(v.array(v.string()), []),
        v.description("Paths or globs, relative to the workspace root, that every session may edit."),
      ),
    }),
  catalogue: {
    number: 7,
    title: "Path Allowlist Enforcement",
    tier: "P0",
    lifecycle: "PreTool",
    serves: "scope",
    risk: "scope violations",
  },
  messages: {
    refused: {
      what: "{reason}: `{path}`.",
      instead:
        "Edit the session's own files, or ask the user to add the path to Target Files of the session's instructions, or to delete `.ralph-sessions/.active-session` if that session is over.",
    },
    unknown: {
      what: "the call does not say which file it changes.",
      instead: "Name the file by a plain path.",
    },
  },
  examples: {
    catches: [
      { files: session(), write: "src/app.ts", text: "" },
      { files: session(), write: "../../etc/passwd", text: "" },
      { files: session(), write: ".ralph-sessions/260215-999999/progress.md", text: "" },
      {
        files: {
          ".ralph-sessions/260214-090000/metadata.yaml": "",
          ".ralph-sessions/260215-173319/metadata.yaml": "",
          ".ralph-sessions/.active-session": "260215-173319",
        },
        write: ".ralph-sessions/260214-090000/metadata.yaml",
        text: "",
      },
      { files: session(), delete: "README.md" },
    ],
    allows: [
      { files: session(), write: ".ralph-sessions/260215-173319/iterations/1/plan.md", text: "" },
      { files: session(), write: ".ralph-sessions/260215-173319.instructions.md", text: "" },
      { files: session(), write: "agents/ralph-v2/planner.md", text: "" },
      {
        files: { ".ralph-sessions/260214-090000/metadata.yaml": "" },
        write: ".ralph-sessions/260215-173319/metadata.yaml",
        text: "",
      },
      { files: session("## Target Files\n- `src/app.ts`\n"), write: "src/app.ts", text: "" },
      { files: session(), write: ".docs/how-to/a.md", text: "", options: { allow: [".docs/**"] } },
      {
        files: { ".ralph-sessions/260215-173319/metadata.yaml": "orchestrator:\n  state: COMPLETE\n" },
        write: "src/app.ts",
        text: "",
      },
      { files: session("## Target Files\n- `src/**`\n"), shell: "mkdir -p src && echo x > src/app.ts" },
      { files: session(), shell: "npm test 2>/dev/null && npm run build >/dev/null 2>&1" },
      { files: session(), read: "src/app.ts" },
      { write: "src/app.ts", text: "" },
    ],
  },
  contract: { input, judge: judgePath },
  onFailure: logHookError(7),
  *check({ event, world, options }) {
    for (const effect of bindingEffects(event, world)) yield { effect };
    const id = currentSession(event, world);
    if (id === undefined) return;
    const overrides = [...options.allow, ...(isSessionId(id) ? targetFiles(event.root, id, world) : [])];
    for (const action of event.actions) {
      if (action.kind !== "write" && action.kind !== "delete") continue;
      if (action.kind === "write" && action.target && isSink(action.target)) continue;
      if (!action.target) {
        yield { message: "unknown" };
        continue;
      }
      const { output } = judgePath(
        {
          // What the action does counts, not what its tool is called.
          tool_name: action.kind,
          file_path: action.target.path,
          session_id: id,
          workspace_root: event.root,
          allowlist_overrides: overrides,
        },
        world,
      );
      if (output.verdict === "BLOCK")
        yield { message: "refused", data: { reason: output.reason ?? "", path: action.target.given } };
    }
  },
});

function judgePath(given: InferOutput<ReturnType<typeof input>>, world: World): Judged {
  const root = world.realPath(given.workspace_root);
  const real = world.realPath(resolve(given.workspace_root, given.file_path));
  const answer = (
    verdict: "PASS" | "BLOCK",
    reason: string | null,
    matched_rule: string | null = null,
  ): Judged => ({
    output: { verdict, reason, normalized_path: real, matched_rule },
  });
  if (readOnlyTools.has(given.tool_name)) return answer("PASS", null);
  const path = pathBelow(root, real);
  if (path === undefined) return answer("BLOCK", "Path resolves outside workspace root after normalization");
  const matched = matchingRule(path, given.session_id, given.allowlist_overrides, root);
  if (matched !== undefined) return answer("PASS", null, matched);
  return answer("BLOCK", `Path is not in the allowlist of session ${given.session_id}`);
}

function matchingRule(
  path: string,
  id: string,
  overrides: readonly string[],
  root: string,
): string | undefined {
  if (isSessionId(id)) {
    const own = `${sessionsFolder}/${id}`;
    if (path.startsWith(`${own}/`)) return `${sessionsFolder}/<session_id>/**`;
    if (path === `${own}.instructions.md`) return `${sessionsFolder}/<session_id>.instructions.md`;
  }
  if (path.startsWith("agents/ralph-v2/")) return "agents/ralph-v2/**";
  return overrides.find((entry) => matchesEntry(path, entry, root));
}

/** An override is a file, a folder with all in it, or a glob. */
function matchesEntry(path: string, entry: string, root: string): boolean {
  const below = pathBelow(root, join(resolve(root, entry)));
  if (below === undefined) return false;
  if (below === "" || path === below || path.startsWith(`${below}/`)) return true;
  // Whoever may write all that is in a folder may make the folder.
  if (below.endsWith("/**") && path === below.slice(0, -"/**".length)) return true;
  return /[*?[{]/.test(below) && matchesGlob(path, below);
}

function session(instructions = ""): Record<string, string> {
  return {
    ".ralph-sessions/.active-session": "260215-173319",
    ".ralph-sessions/260215-173319.instructions.md": instructions,
  };
}
