import { defineRule } from "../../core/rule.ts";
import { extract, holdsBefore, isGoodEnough, isSubagents, lastWords } from "../../workflow/signals.ts";

export default defineRule({
  summary: "Keeps the agent from stopping without a tagged value that is good enough.",
  why: "A value between tags can be checked; a sentence that says the same cannot.",
  since: "0.1.0",
  outcome: "block",
  presets: { preview: {} },
  on: { events: ["Stop", "SubagentStop"] },
  options: (v) =>
    v.strictObject({
      tag: v.pipe(
        v.optional(v.pipe(v.string(), v.regex(/^(?:[A-Za-z][\w.-]*)?$/)), ""),
        v.description("The tag, for example `score`. Without one the rule is silent."),
      ),
      values: v.pipe(
        v.optional(v.array(v.string()), []),
        v.description("The values that are good enough; none means any."),
      ),
      min: v.pipe(v.optional(v.nullable(v.number()), null), v.description("The least a number may be.")),
      max: v.pipe(v.optional(v.nullable(v.number()), null), v.description("The most a number may be.")),
      agents: v.pipe(
        v.optional(v.array(v.string()), []),
        v.description("Only subagents of these types; none means the main agent and all of them."),
      ),
    }),
  messages: {
    missing: {
      what: "the last answer has no `<{tag}>…</{tag}>`.",
      instead: "Say the value between these tags, and then stop.",
    },
    short: {
      what: "`<{tag}>{value}</{tag}>` is not good enough: expected {expected}.",
      instead: "Go on with the work, then say the new value.",
    },
  },
  examples: {
    catches: [
      { event: "Stop", said: "Done.", options: { tag: "score" } },
      { event: "Stop", said: "<score>70</score>", options: { tag: "score", min: 80 } },
      {
        event: "SubagentStop",
        said: "<verdict>unsure</verdict>",
        options: { tag: "verdict", values: ["pass", "fail"] },
      },
    ],
    allows: [
      { event: "Stop", said: "<score>85</score>", options: { tag: "score", min: 80 } },
      { event: "Stop", said: "Done." },
    ],
  },
  *check({ event, world, options: { tag, values, min, max, agents } }) {
    // Where a subagent's own stop is told as well, its end is still to come.
    if (tag === "" || (event.name === "Stop" && isSubagents(event))) return;
    if (agents.length > 0 && !agents.includes(event.agent?.type ?? "")) return;
    // Asked once at each stop: an agent that cannot give the value must not go on for ever.
    if (holdsBefore(event, world) > 0) return;
    const [value] = extract(lastWords(event, world) ?? "", tag).toReversed();
    if (value === undefined) {
      yield { message: "missing", data: { tag } };
      return;
    }
    if (!isGoodEnough(value, { values, min, max }))
      yield {
        message: "short",
        data: { tag, value: value.slice(0, 200), expected: expected(values, min, max) },
      };
  },
});

function expected(values: readonly string[], min: number | null, max: number | null): string {
  const bounds = [...(min === null ? [] : [`at least ${min}`]), ...(max === null ? [] : [`at most ${max}`])];
  return [...(values.length === 0 ? [] : [values.join(" or ")]), bounds.join(" and ")]
    .filter(Boolean)
    .join(", ");
}
