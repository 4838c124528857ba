// Hooks that teams have from before there was a registry, as they are: scripts beside `.claude/settings.json`, run under another agent.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Workspace } from "./support/hookline.ts";
import { hooked } from "./support/hooks.ts";

const settings = (hooks: object): string => JSON.stringify({ hooks });
const command = (name: string) => ({
  type: "command",
  command: `"$CLAUDE_PROJECT_DIR"/.claude/hooks/${name}`,
});

const activation = `#!/usr/bin/env python3
import json, os, re, sys
try:
    prompt = json.load(sys.stdin)["prompt"]
    with open(os.environ["CLAUDE_PROJECT_DIR"] + "/.claude/skill-rules.json") as file:
        skills = json.load(file)["skills"]
    groups = {}
    for name, skill in skills.items():
        triggers = skill["promptTriggers"]
        by_word = any(word.lower() in prompt.lower() for word in triggers.get("keywords", []))
        if by_word or any(re.search(each, prompt, re.I) for each in triggers.get("intentPatterns", [])):
            groups.setdefault(skill["priority"], []).append(name)
    for priority in ["critical", "high", "medium", "low"]:
        if priority in groups:
            print(priority + ": " + ", ".join(groups[priority]))
except Exception as error:
    print("Error in skill-activation-prompt: " + str(error), file=sys.stderr)
    sys.exit(1)
`;
const rules = JSON.stringify({
  skills: {
    "backend-guidelines": {
      priority: "high",
      enforcement: "suggest",
      promptTriggers: { keywords: ["Controller"] },
    },
    "db-check": {
      priority: "critical",
      enforcement: "block",
      promptTriggers: { intentPatterns: ["(add|alter).*?column"] },
    },
    frontend: { priority: "low", enforcement: "warn", promptTriggers: { keywords: ["react"] } },
  },
});

const tracker = `#!/bin/bash
input=$(cat)
tool=$(jq -r '.tool_name // empty' <<<"$input")
file=$(jq -r '.tool_input.file_path // empty' <<<"$input")
session=$(jq -r '.session_id // "default"' <<<"$input")
[[ "$tool" =~ ^(Edit|MultiEdit|Write)$ && -n "$file" && ! "$file" =~ \\.md$ ]] || exit 0
cache="$CLAUDE_PROJECT_DIR/.claude/tsc-cache/$session"
mkdir -p "$cache"
relative="\${file#$CLAUDE_PROJECT_DIR/}"
repo=$(cut -d/ -f1 <<<"$relative")
[[ "$repo" == packages ]] && repo=$(cut -d/ -f1-2 <<<"$relative")
echo "$relative" >> "$cache/edited-files.log"
grep -qx "$repo" "$cache/affected-repos.txt" 2>/dev/null || echo "$repo" >> "$cache/affected-repos.txt"
`;

const gemini = (place: Workspace, event: string, more: object) =>
  place.run(["run", "--host", "gemini-cli"], {
    session_id: "s1",
    transcript_path: place.path("t.json"),
    cwd: place.root,
    hook_event_name: event,
    timestamp: "2026-11-18T07:00:00.000Z",
    ...more,
  });

describe("S1-F20 skill activation by keywords and intent patterns", () => {
  const files = {
    "hookline.yaml": "sources: { claude: always }\n",
    ".claude/settings.json": settings({
      UserPromptSubmit: [{ hooks: [command("skill-activation-prompt.py")] }],
    }),
    ".claude/hooks/skill-activation-prompt.py": activation,
  };

  test("whatever the letter case, grouped by priority, as context for another agent's model", async () => {
    using place = await hooked({ ...files, ".claude/skill-rules.json": rules });
    const ran = await gemini(place, "BeforeAgent", { prompt: "Add a COLUMN, and use it in the controller" });
    expect(ran.exitCode).toBe(0);
    expect(ran.json().hookSpecificOutput.additionalContext).toBe(
      "critical: db-check\nhigh: backend-guidelines",
    );
    expect((await gemini(place, "BeforeAgent", { prompt: "hello" })).stdout).toBe("");
  });

  test("exit 1 on an error is a warning, and the prompt goes ahead", async () => {
    using place = await hooked(files);
    const ran = await gemini(place, "BeforeAgent", { prompt: "use the controller" });
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain("Error in skill-activation-prompt");
    expect(ran.json()).not.toHaveProperty("decision");
  });
});

describe("S1-F21 a tracker of edited files", () => {
  test("sees another agent's edits as Edit and Write, and keeps files and affected repositories by session", async () => {
    using place = await hooked({
      "hookline.yaml": "sources: { claude: always }\n",
      ".claude/settings.json": settings({
        PostToolUse: [{ matcher: "Edit|MultiEdit|Write", hooks: [command("post-tool-use-tracker.sh")] }],
      }),
      ".claude/hooks/post-tool-use-tracker.sh": tracker,
    });
    const wrote = (file: string, tool_name = "write_file", more: object = { content: "x" }) =>
      gemini(place, "AfterTool", {
        tool_name,
        tool_input: { file_path: place.path(file), ...more },
        tool_response: { llmContent: "ok", returnDisplay: "ok" },
      });
    await wrote("web/src/a.ts");
    await wrote("packages/core/b.ts", "replace", { old_string: "a", new_string: "b" });
    await wrote("web/README.md");
    await gemini(place, "AfterTool", {
      tool_name: "run_shell_command",
      tool_input: { command: "ls" },
      tool_response: { llmContent: "ok", returnDisplay: "ok" },
    });
    const kept = (name: string): string[] =>
      readFileSync(place.path(`.claude/tsc-cache/s1/${name}`), "utf8")
        .trim()
        .split("\n");
    expect(kept("edited-files.log")).toEqual(["web/src/a.ts", "packages/core/b.ts"]);
    expect(kept("affected-repos.txt")).toEqual(["web", "packages/core"]);
  });
});
