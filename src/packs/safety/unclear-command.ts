import type { ExecAction } from "../../core/action.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { dangerousWordIn } from "./_dangerous-words.ts";

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
      const isFollowed = !action.troubles.some((each) => unread.includes(each));
      const word = wordIn(action, isFollowed);
      if (word !== undefined) yield { message: "unclear", data: { trouble: why, word } };
      else if (options.checkAll) yield { message: "unreadable", data: { trouble: why } };
    }
  },
});

function wordIn({ command, commands }: ExecAction, isFollowed: boolean): string | undefined {
  const own = dangerousWordIn(command, isFollowed);
  if (own !== undefined) return own;
  for (const run of commands) {
    const word = dangerousWordIn(told(run), isFollowed);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** What a command says when nothing hides it any more: its words, and the text it is fed. */
const told = ({ program, args, stdin }: Run): string =>
  [program, ...args.map((arg) => arg.text), stdin?.from === "text" ? stdin.text : ""].join(" ");

/** Troubles that leave all or the rest of a text unread; where only a piece is no complete command, the others are judged. */
const unread = [
  "the text is too long",
  "the text is nested too deep",
  "too many commands",
  "it took too long to understand",
];
