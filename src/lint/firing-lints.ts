import { harness, plugin } from "./_examples.ts";
import { isComponent } from "./_facts.ts";
import { defineLint, type Lint } from "./lint.ts";
import { toolsNamed } from "../sources/tool-list.ts";
import { lineAt } from "./script.ts";

/** Events at which a matcher is compared with something. */
const matched = [
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PermissionRequest",
  "PermissionDenied",
  "SessionStart",
  "SessionEnd",
  "Notification",
  "PreCompact",
  "SubagentStart",
  "SubagentStop",
];
const toolEvents = ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest"];

const agent = (head: string, hooks: string): Readonly<Record<string, string>> => ({
  ".claude/agents/scanner.md": `---\nname: scanner\ndescription: Scans.\n${head}hooks:\n${hooks}---\n\nScan.\n`,
});
const hookOn = (event: string, matcher: string): string =>
  `  ${event}:\n    - matcher: ${matcher}\n      hooks:\n        - type: command\n          command: "true"\n          timeout: 5\n`;

export const firingLints: readonly Lint[] = [
  defineLint({
    id: "never-fires",
    severity: "error",
    summary: "The hook can never run: no event, tool or component brings it about.",
    why: "Whoever wrote it believes to be guarded.",
    fix: "Name an event the format has and a tool the host and the component have; `hookline hooks list` shows what is read.",
    item: "permissions",
    examples: {
      bad: [
        { files: plugin("true", { event: "PreToolUes" }), at: "plugins/p/hooks/hooks.json:3" },
        { files: plugin("true", { matcher: "^Shell$" }), at: "plugins/p/hooks/hooks.json:7" },
        { files: plugin("true", { matcher: "(Write" }), at: "plugins/p/hooks/hooks.json:5" },
        { files: agent("", hookOn("SessionStart", "startup")), at: ".claude/agents/scanner.md:5" },
        {
          files: agent("tools: [Read, Grep]\n", hookOn("PreToolUse", "Write")),
          at: ".claude/agents/scanner.md:9",
        },
        { files: harness("", { matcher: { tool_name: "Shell" } }), at: "settings.json:5" },
      ],
      good: [
        { files: plugin("true", { matcher: "Write|Edit" }) },
        { files: plugin("true", { matcher: "mcp__github__.*" }) },
        { files: agent("tools: [Read, Grep]\n", hookOn("PreToolUse", "Read")) },
      ],
    },
    // What the loaders refuse is reported where they read it; here is what they take and nothing ever fits.
    *check({ hook, tools }) {
      if (!hook?.enabled) return;
      if (hook.environments?.length === 0) yield { text: "`environments` is an empty list", in: "hook" };
      if (!hook.events.some((event) => toolEvents.includes(event))) return;
      const { subject, fields } = hook.match ?? {};
      const wanted = fields?.["tool_name"];
      const fits = (tool: string): boolean => {
        if (subject !== undefined && !new RegExp(subject).test(tool)) return false;
        return wanted === undefined || wanted.includes(tool);
      };
      // The name of a server's tool can be anything behind `mcp__`.
      if (subject?.includes("mcp__") || wanted?.some((each) => String(each).startsWith("mcp__"))) return;
      if (!tools.some(fits))
        yield { text: `no tool fits ${shown(subject ?? wanted?.join(", ") ?? "")}`, in: "hook" };
      const own = hook.component?.tools;
      if (own && !own.some((entry) => toolsNamed(entry).some(fits)))
        yield {
          text: `${hook.component?.name} has only ${own.join(", ") || "no tools"}, and none of them fits ${shown(subject ?? "")}`,
          in: "hook",
        };
    },
  }),
  defineLint({
    id: "matcher-ignored",
    severity: "warning",
    summary: "A matcher stands at an event that has nothing to compare it with.",
    why: "The hook runs at every such event, not only at those that were meant.",
    fix: "Take the matcher out, and look at the payload in the hook.",
    examples: {
      bad: [
        {
          files: plugin("true", { event: "UserPromptSubmit", matcher: "deploy" }),
          at: "plugins/p/hooks/hooks.json:7",
        },
      ],
      good: [{ files: plugin("true", { event: "SessionStart", matcher: "startup" }) }],
    },
    *check({ hook }) {
      if (hook?.match?.subject === undefined) return;
      const event = hook.events.find((each) => !matched.includes(each));
      if (event !== undefined) yield { text: `at ${event} the matcher is not looked at`, in: "hook" };
    },
  }),
  defineLint({
    id: "no-matcher",
    severity: "note",
    summary: "A hook of a tool event has no matcher.",
    why: "It runs at every call of every tool.",
    fix: 'Name the tools it is about, or say `"matcher": "*"` if it is about all of them.',
    examples: {
      bad: [{ files: plugin("true", { matcher: null }), at: "plugins/p/hooks/hooks.json:6" }],
      good: [
        { files: plugin("true", { matcher: "Bash" }) },
        { files: plugin("true", { event: "Stop", matcher: null }) },
      ],
    },
    *check({ hook }) {
      if (!hook || hook.match || hook.source === "harness" || hook.source === "registry") return;
      if (hook.written?.["matcher"] === "*" || hook.handler.kind === "prompt") return;
      if (hook.events.includes("PreToolUse") || hook.events.includes("PostToolUse"))
        yield { text: "it runs at every call of every tool", in: "hook" };
    },
  }),
  defineLint({
    id: "exceeds-parent",
    severity: "error",
    summary: "A component's hook does what the component itself may not.",
    why: "Hooks inherit the permissions of their parent; a hook that writes for a read-only component goes around them.",
    fix: "Let the hook only read, or give the component the permission it needs.",
    item: "permissions",
    examples: {
      bad: [
        {
          files: {
            ...agent(
              "permissionMode: plan\n",
              hookOn("PreToolUse", "Read").replace('"true"', "sh ./note.sh"),
            ),
            ".claude/agents/note.sh":
              '#!/bin/sh\nset -e\n[ -n "$TOOL_INPUT" ] || exit 0\necho seen >> notes.md\n',
          },
          at: ".claude/agents/note.sh:4",
        },
      ],
      good: [
        {
          files: {
            ...agent(
              "permissionMode: plan\n",
              hookOn("PreToolUse", "Read").replace('"true"', "sh ./note.sh"),
            ),
            ".claude/agents/note.sh":
              '#!/bin/sh\nset -e\n[ -n "$TOOL_INPUT" ] || exit 0\ngrep -c x notes.md >&2\n',
          },
        },
      ],
    },
    *check({ hook, commandMeans, script, scriptMeans }) {
      if (!isComponent(hook) || hook?.component?.permissionMode !== "plan") return;
      for (const [means, where] of [
        [commandMeans, "hook"],
        [scriptMeans, "script"],
      ] as const) {
        const written = means?.actions.find(
          (action) =>
            (action.kind === "write" || action.kind === "delete") && !isNowhere(action.target?.given),
        );
        if (!written || !("target" in written)) continue;
        const given = written.target?.given ?? "a file";
        const at = where === "script" ? (script?.code.lastIndexOf(given) ?? -1) : -1;
        yield {
          text: `${hook.component.name} is in plan mode, and its hook writes \`${given}\``,
          in: where,
          ...(script && at !== -1 ? { line: lineAt(script.code, at) } : {}),
        };
      }
    },
  }),
];

const shown = (text: string): string => (text === "" ? "it" : `\`${text}\``);

const isNowhere = (path: string | undefined): boolean => path === undefined || path.startsWith("/dev/");
