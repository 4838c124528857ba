import { harness, plugin, pluginWith, registry } from "./_examples.ts";
import { exitCodes, isBeforeTool, isNested, readsInput, sourceOf } from "./_facts.ts";
import { defineLint, type Lint } from "./lint.ts";
import { lineOf } from "./script.ts";

const slowMs = 100;

export const limitLints: readonly Lint[] = [
  defineLint({
    id: "missing-timeout",
    severity: "warning",
    summary: "A command hook has no time limit of its own.",
    why: "It is waited for as long as the agent happens to allow, which is ten minutes in Claude Code.",
    fix: "Set `timeout`: seconds in hooks.json and settings, milliseconds in the Harness's settings.",
    item: "timeout",
    examples: {
      bad: [{ files: plugin("true", { timeout: null }), at: "plugins/p/hooks/hooks.json:7" }],
      good: [{ files: plugin("true", { timeout: 30 }) }, { files: harness("") }],
    },
    *check({ hook }) {
      if (hook?.handler.kind !== "command" || hook.source === "registry" || hook.source === "inline") return;
      const { timeout, timeoutSec } = hook.written ?? {};
      if (hook.written && timeout === undefined && timeoutSec === undefined)
        yield {
          text: `no time limit is set; ${hook.timeoutMs / 1000} seconds hold here`,
          in: "hook",
          ...(isNested(hook) ? {} : { severity: "note" }),
        };
    },
  }),
  defineLint({
    id: "timeout-unit",
    severity: "warning",
    summary: "A time limit is so large or so small that another unit was probably meant.",
    why: "5000 is five seconds in the Harness's settings and almost an hour and a half in hooks.json.",
    fix: "Write seconds in hooks.json, settings and Copilot's files, milliseconds in the Harness's settings and the registry.",
    item: "timeout",
    examples: {
      bad: [
        { files: plugin("true", { timeout: 5000 }), at: "plugins/p/hooks/hooks.json:10" },
        { files: harness("", { timeout: 5 }), at: "settings.json:6" },
      ],
      good: [{ files: plugin("true", { timeout: 60 }) }, { files: harness("", { timeout: 5000 }) }],
    },
    // The loaders say so where they read it.
    *check() {},
  }),
  defineLint({
    id: "slow",
    severity: "warning",
    summary: "A command hook took more than 100 ms, by the ledger.",
    why: "Hooks run at every step of the agent, and it waits for each of them.",
    fix: "Do less, start a faster program, or let it run in the background (`async`).",
    examples: {
      bad: [
        {
          files: plugin("true", { event: "Stop", matcher: null }),
          ledger: [ran("p/Stop.1.1", 40), ran("p/Stop.1.1", 450)],
          at: "plugins/p/hooks/hooks.json:6",
        },
      ],
      good: [
        { files: plugin("true", { event: "Stop", matcher: null }), ledger: [ran("p/Stop.1.1", 12)] },
        { files: plugin("true", { event: "Stop", matcher: null }) },
      ],
    },
    *check({ hook, timing }) {
      if (hook?.handler.kind !== "command" || hook.background || !timing || timing.p95 <= slowMs) return;
      yield {
        text: `95 of 100 runs take up to ${Math.round(timing.p95)} ms (${timing.runs} on record)`,
        in: "hook",
      };
    },
  }),
  defineLint({
    id: "exit-code",
    severity: "warning",
    summary: "A script's exit codes do not say what it means.",
    why: "Only exit 2 refuses. With exit 1 the tool runs, and a script that never exits by itself hides its failures.",
    fix: "Exit 2 to refuse and 0 to let go; stop at the first failure (`set -e`), or handle it.",
    item: "errors",
    examples: {
      bad: [
        {
          files: pluginWith(
            "g.sh",
            '#!/bin/bash\nINPUT=$(cat)\nif echo "$INPUT" | grep -q secret; then\n  exit 1\nfi\n',
          ),
          at: "plugins/p/scripts/g.sh:4",
        },
        {
          files: registry('#!/bin/sh\ncat > last.json\ncp last.json "$HOME/x"\n'),
          at: "scripts/hooks/track.sh:1",
        },
      ],
      good: [
        {
          files: pluginWith(
            "g.sh",
            '#!/bin/bash\nINPUT=$(cat)\nif echo "$INPUT" | grep -q secret; then\n  exit 2\nfi\nexit 0\n',
          ),
        },
        { files: registry("#!/bin/sh\nset -eu\ncat > last.json\n") },
      ],
    },
    *check({ hook, script }) {
      if (!script || script.language === "other" || !hook) return;
      const codes = exitCodes(script);
      const speaks = /permissionDecision|"?(?:decision|continue|error)"?\s*:/.test(script.code);
      if (
        isBeforeTool(hook) &&
        hook.source !== "copilot" &&
        codes.includes(1) &&
        !codes.includes(2) &&
        !speaks
      ) {
        const line = lineOf(script, /\bexit\s*\(?\s*1\b/);
        yield {
          text: "exit 1 does not stop the tool",
          in: "script",
          ...(line === undefined ? {} : { line }),
        };
        return;
      }
      const handles = /\bset\s+-\w*e|\|\||\btrap\b|\btry\b|\.catch\s*\(|\bexcept\b/.test(script.code);
      if (codes.length === 0 && !handles && script.language === "shell")
        yield { text: "no failure of it is noticed, and no exit code is its own", in: "script" };
    },
  }),
  defineLint({
    id: "endless-stop",
    severity: "warning",
    summary: "A hook keeps the agent from stopping and does not look whether it has done so before.",
    why: "The agent is sent back to work for ever, or until it gives up on the hook after eight times.",
    fix: "Let the agent stop when `stop_hook_active` is true.",
    examples: {
      bad: [
        {
          files: pluginWith("s.sh", '#!/bin/bash\nset -e\nnpm test || { echo "tests fail" >&2; exit 2; }\n', {
            event: "Stop",
            matcher: null,
          }),
          at: "plugins/p/scripts/s.sh:1",
        },
      ],
      good: [
        {
          files: pluginWith(
            "s.sh",
            '#!/bin/bash\nset -e\n[ "$(jq -r .stop_hook_active)" = true ] && exit 0\nnpm test || exit 2\n',
            { event: "Stop", matcher: null },
          ),
        },
      ],
    },
    *check({ hook, script }) {
      if (!script || !hook?.events.some((event) => event === "Stop" || event === "SubagentStop")) return;
      const refuses = exitCodes(script).includes(2) || /"?decision"?\s*:\s*"?block/.test(script.code);
      if (refuses && !script.code.includes("stop_hook_active"))
        yield { text: "`stop_hook_active` is not looked at", in: "script" };
    },
  }),
  defineLint({
    id: "no-audit",
    severity: "note",
    summary: "A script refuses things and writes down nothing about it.",
    why: "Who is stopped wants to know why, and so does whoever looks into it later.",
    fix: "Say what was refused on standard error or in a log. What runs under Hookline is in its ledger.",
    item: "audit",
    examples: {
      bad: [
        {
          files: pluginWith("a.sh", '#!/bin/bash\nset -e\n[ "$TOOL_NAME" = Bash ] && exit 2\nexit 0\n'),
          at: "plugins/p/scripts/a.sh:1",
        },
      ],
      good: [
        {
          files: pluginWith(
            "a.sh",
            '#!/bin/bash\nset -e\n[ "$TOOL_NAME" = Bash ] && { echo "no shell" >&2; exit 2; }\nexit 0\n',
          ),
        },
      ],
    },
    *check(subject) {
      const { script } = subject;
      if (!script || script.language === "other" || !readsInput(script) || !exitCodes(script).includes(2))
        return;
      const logs =
        />>|>&2|\blogger\b|\btee\b|stderr|console\.error|appendFile|logging\b|open\([^)]*["']a["']|systemMessage|"?(?:reason|message)"?\s*:/;
      if (!logs.test(sourceOf(subject)))
        yield { text: "what it refuses is written down nowhere", in: "script" };
    },
  }),
];

/** A record in which a hook has taken so long. */
function ran(id: string, ms: number): object {
  const hook = { id, source: "plugins", profile: "plugin", file: "plugins/p/hooks/hooks.json", line: 6 };
  return { kind: "decision", hooks: [{ hook, status: "ok", raw: { ended: "exit", exitCode: 0, ms } }] };
}
