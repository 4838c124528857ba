import { harness, pluginWith, registry } from "./_examples.ts";
import { isBeforeTool } from "./_facts.ts";
import { defineLint, type Lint, type Subject } from "./lint.ts";
import { lineOf } from "./script.ts";

/** An answer that somebody gives and its reader does not understand. */
interface Ignored {
  readonly says: RegExp;
  /** What makes it understood all the same. */
  readonly unless?: RegExp;
  readonly when: (subject: Subject) => boolean;
  readonly text: string;
}

const key = (name: string): string => `["'\`]?${name}["'\`]?\\s*[:=]`;
/** A refusal that needs no words. */
const exits2 = String.raw`\b(?:exit|_exit)\s*\(?\s*2\b|exitCode\s*=\s*2\b`;
const isCopilot = ({ hook }: Subject): boolean => hook?.profile === "copilot";
const isClaude = ({ hook }: Subject): boolean => hook?.profile === "plugin";

const ignored: readonly Ignored[] = [
  {
    says: new RegExp(key("permissionDecision")),
    unless: /hookSpecificOutput/,
    when: (subject) => isClaude(subject) && subject.hook?.source !== "copilot",
    text: "Claude Code reads `permissionDecision` only inside `hookSpecificOutput`; the tool runs",
  },
  {
    says: /hookSpecificOutput/,
    unless: /hookEventName/,
    when: isClaude,
    text: "without `hookEventName` the whole `hookSpecificOutput` is dropped, a denial too",
  },
  {
    says: /hookSpecificOutput/,
    unless: new RegExp(`^(?:(?!hookSpecificOutput)[\\s\\S])*${key("permissionDecision")}`),
    when: isCopilot,
    text: "Copilot reads the flat `permissionDecision` here, not `hookSpecificOutput`; the tool runs",
  },
  {
    says: new RegExp(`${key("decision")}\\s*["']?(?:block|deny)`),
    when: (subject) => isCopilot(subject) && isBeforeTool(subject.hook),
    text: "Copilot ignores `decision` before a tool; say `permissionDecision`",
  },
  {
    says: new RegExp(`${key("continue")}\\s*["']?(?:false|False)`),
    unless: /permissionDecision|\bexit\s*\(?\s*2\b|["']?decision["']?\s*[:=]\s*["']?block/,
    when: (subject) => isClaude(subject) && isBeforeTool(subject.hook),
    text: "with `continue: false` alone Claude Code ends the turn, and the tool has already run; add exit 2",
  },
  {
    says: new RegExp(`${key("decision")}\\s*["']?(?:block|ask)`),
    when: ({ hook }) => hook?.profile === "harness" && !isBeforeTool(hook),
    text: "at this event the Harness takes everything printed for context; a decision counts before a tool only",
  },
  {
    says: new RegExp(`${key("(?:permissionDecision|verdict|status)")}\\s*["'\`]?(?:deny|ask|block)`, "i"),
    unless: new RegExp(`${exits2}|${key("decision")}|${key("continue")}`),
    when: ({ hook }) => hook?.profile === "harness" && isBeforeTool(hook),
    text: "the Harness reads `decision` and `continue`, and takes anything else for context; the tool runs",
  },
  {
    says: new RegExp(`${key("(?:verdict|status)")}\\s*["'\`]?(?:deny|block)`, "i"),
    unless: new RegExp(`${exits2}|${key("(?:permissionDecision|decision|continue)")}`),
    when: (subject) => (isClaude(subject) || isCopilot(subject)) && isBeforeTool(subject.hook),
    text: "no agent reads this word; say `permissionDecision`, or exit 2",
  },
  {
    says: new RegExp(
      `${key("(?:permissionDecision|decision|verdict|status)")}\\s*["'\`]?(?:deny|ask|block)|${key("continue")}\\s*["']?false`,
      "i",
    ),
    unless: new RegExp(key("(?:error|hook_signals)")),
    when: ({ hook }) => hook?.profile === "ability",
    text: "the registry reads `error` and `hook_signals`; any other refusal is kept in `extra`, and it goes ahead",
  },
  {
    says: new RegExp(key("updatedInput")),
    when: ({ hook }) =>
      hook?.profile === "plugin" && !isBeforeTool(hook) && !hook.events.includes("PermissionRequest"),
    text: "`updatedInput` means something before a tool only",
  },
];

const headers = ["Hook", "Event", "Description"] as const;
const header = (...lines: string[]): string =>
  `#!/usr/bin/env bun\n${lines.map((line) => `// ${line}\n`).join("")}process.exit(0);\n`;

export const outputLints: readonly Lint[] = [
  defineLint({
    id: "ignored-output",
    severity: "error",
    summary: "A script answers in a form that whoever runs it does not read.",
    why: "The refusal is there for everybody to see, and the tool runs.",
    fix: "Answer as whoever runs it reads it: nested for Claude Code and VS Code, flat for Copilot (Hookline understands both for either), `decision` for the Harness, `error` for the registry.",
    item: "errors",
    examples: {
      bad: [
        {
          files: pluginWith(
            "d.sh",
            '#!/bin/bash\ncat | grep -q rm || exit 0\necho \'{"permissionDecision": "deny"}\'\n',
          ),
          at: "plugins/p/scripts/d.sh:3",
        },
        {
          files: pluginWith(
            "d.sh",
            "#!/bin/bash\ncat | grep -q rm || exit 0\necho '{\"continue\": false}'\n",
          ),
          at: "plugins/p/scripts/d.sh:3",
        },
        {
          files: {
            ".github/hooks/guard.json": `${JSON.stringify({ version: 1, hooks: { preToolUse: [{ type: "command", bash: "scripts/d.sh", timeoutSec: 5 }] } }, null, 2)}\n`,
            "scripts/d.sh": '#!/bin/bash\ncat | grep -q rm || exit 0\necho \'{"decision": "block"}\'\n',
          },
          at: "scripts/d.sh:3",
        },
        {
          files: pluginWith(
            "d.sh",
            '#!/bin/bash\ncat | grep -q rm || exit 0\necho \'{"status": "block"}\'\n',
          ),
          at: "plugins/p/scripts/d.sh:3",
        },
        {
          files: harness(
            'const { tool_name } = await Bun.stdin.json();\nif (tool_name === "Bash") console.log(JSON.stringify({ permissionDecision: "deny" }));\n',
          ),
          at: "hooks/Guard.ts:2",
        },
        {
          files: registry(
            '#!/bin/sh\ngrep -q prod && echo \'{"decision": "block"}\' || echo "{}"\n',
            "PreAbilityCall",
          ),
          at: "scripts/hooks/track.sh:2",
        },
      ],
      good: [
        {
          files: pluginWith(
            "d.sh",
            '#!/bin/bash\ncat | grep -q rm || exit 0\necho \'{"status": "block"}\'\nexit 2\n',
          ),
        },
        {
          files: registry(
            '#!/bin/sh\ngrep -q prod && echo \'{"error": "blocked_by_policy"}\' || echo "{}"\n',
            "PreAbilityCall",
          ),
        },
        {
          files: pluginWith(
            "d.sh",
            '#!/bin/bash\ncat | grep -q rm || exit 0\necho \'{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}\'\n',
          ),
        },
      ],
    },
    *check(subject) {
      const { script } = subject;
      if (!script) return;
      for (const { says, unless, when, text } of ignored) {
        const line = when(subject) && !unless?.test(script.code) ? lineOf(script, says) : undefined;
        if (line !== undefined) yield { text, in: "script", line };
      }
    },
  }),
  defineLint({
    id: "missing-header",
    severity: "warning",
    summary: "A hook of the Harness does not say at its top what it is and when it runs.",
    why: "Who finds the file must be able to tell what it does without reading it.",
    fix: "Begin with `// Hook: Name`, `// Event: EventName`, `// Description: one sentence` and, where it has one, `// Matcher: …`.",
    examples: {
      bad: [
        { files: harness("#!/usr/bin/env bun\nprocess.exit(0);\n"), at: "hooks/Guard.ts:1" },
        {
          files: harness(header("Hook: Guard", "Event: Stop", "Description: Guards.")),
          at: "hooks/Guard.ts:3",
        },
      ],
      good: [{ files: harness(header("Hook: Guard", "Event: PreToolUse", "Description: Guards.")) }],
    },
    *check({ hook, script }) {
      if (hook?.source !== "harness" || !script) return;
      const head = script.text.split("\n").slice(0, 30);
      const lineWith = (name: string): number =>
        head.findIndex((line) => new RegExp(`^(?://|#)\\s*${name}:\\s*\\S`).test(line));
      const missing = headers.filter((name) => lineWith(name) === -1);
      if (missing.length > 0)
        yield { text: `no \`${missing.map((name) => `${name}:`).join("`, `")}\` at its top`, in: "script" };
      const at = lineWith("Event");
      const said = /Event:\s*(.+)/.exec(head[at] ?? "")?.[1]?.trim();
      const other = hook.events.find((event) => said !== undefined && !said.split(/\W+/).includes(event));
      if (other !== undefined)
        yield { text: `it says ${said}, and is registered for ${other}`, in: "script", line: at + 1 };
    },
  }),
];
