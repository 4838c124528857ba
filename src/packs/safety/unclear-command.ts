import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";

export default defineRule({
  summary: "Asks about a command line that cannot be followed and names something dangerous.",
  why: "What cannot be read cannot be vouched for.",
  since: "0.1.0",
  outcome: "ask",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec"],
    programs: ["?"],
  },
  options: (v) =>
    v.strictObject({
      checkAll: v.pipe(
        v.optional(v.boolean(), false),
        v.description("Ask about every command line that cannot be followed, dangerous words or not."),
      ),
    }),
  messages: {
    unclear: {
      what: "this command line cannot be followed ({trouble}), and it names `{word}`.",
      instead: "Say the same in plain commands, one at a time.",
    },
    unreadable: {
      what: "this command line cannot be followed ({trouble}).",
      instead: "Say the same in plain commands, one at a time.",
    },
  },
  examples: {
    catches: [{ shell: "echo $(rm -rf /" }, { shell: "if true; then rm -rf /" }, { shell: "$CMD -rf /" }],
    allows: [{ shell: "echo $(ls" }, { shell: "rm old.txt" }, { shell: "$EDITOR notes.md" }],
  },
  *check({ event, options }) {
    for (const action of event.actions) {
      if (action.kind !== "exec") continue;
      const opaque = action.commands.find(
        (run) => run.opaque && run.script === undefined && run.elsewhere === undefined,
      );
      const [trouble] = action.troubles;
      const why = trouble ?? (opaque ? "what it runs is only known when it runs" : undefined);
      if (why === undefined) continue;
      const word = wordIn([action.command, ...action.commands.map(told)]);
      if (word !== undefined) yield { message: "unclear", data: { trouble: why, word } };
      else if (options.checkAll) yield { message: "unreadable", data: { trouble: why } };
    }
  },
});

/** What a command says when nothing hides it any more: its words, and the text it is fed. */
const told = ({ program, args, stdin }: Run): string =>
  [program, ...args.map((arg) => arg.text), stdin?.from === "text" ? stdin.text : ""].join(" ");

function wordIn(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    const word = dangerous.exec(text)?.[0]?.trim();
    if (word !== undefined) return word;
  }
  return undefined;
}

const dangerous =
  /\brm\s+-\w*[rf]|(?:^|\s)-\w*(?:rf|fr)\w*(?:\s|$)|\bmkfs\b|\bdd\s+\w*if=|\bshred\b|\bwipefs\b|\bdrop\s+(?:table|database)\b|\btruncate\s+table\b|--force(?![\w-])|--hard(?![\w-])|\bshutdown\b|\breboot\b|\b(?:curl|wget)\b[^\n]*\|\s*(?:ba|z)?sh|remove-item|format-volume|\bdel\s+\/|\brd\s+\/s|base64\s+(?:-d|--decode)|chmod\s+-R|\/dev\/sd/i;
