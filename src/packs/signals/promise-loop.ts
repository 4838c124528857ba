import { join } from "node:path";
import type { Event } from "../../core/event.ts";
import { defineRule, type Yield } from "../../core/rule.ts";
import type { World } from "../../core/world.ts";
import { loopFile, readLoop, withIteration, type PromiseLoop } from "../../workflow/promise-loop.ts";
import { extract, isSubagents, lastWords } from "../../workflow/signals.ts";

const state = (iteration: number, max: number, promise = "COMPLETE"): string =>
  `---\niteration: ${iteration}\nmax_iterations: ${max}\ncompletion_promise: "${promise}"\n---\n\nMake the tests pass.\n`;
const stopping = { event: "Stop", files: { [loopFile]: state(1, 5) } } as const;

type Id = "again" | "capped" | "broken";

export default defineRule({
  summary: "Gives the agent the same prompt again until it promises that the work is done.",
  why: "A promise between tags is a signal that cannot be mistaken for talk about being done.",
  since: "0.1.0",
  outcome: "block",
  presets: { preview: {} },
  on: { events: ["Stop"] },
  options: (v) =>
    v.strictObject({
      maxIterations: v.pipe(
        v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
        v.description("An end for every loop, whatever its file says; 0 leaves it to the file."),
      ),
    }),
  messages: {
    again: { what: "{prompt}", verbatim: true },
    capped: {
      what: "the loop has ended after {iteration} iterations without a promise.",
      why: "It was given no more than that.",
      instead: "Start it again with a higher `max_iterations` if the work is not done.",
    },
    broken: {
      what: "the loop has ended: {why}.",
      why: "Without it nobody can tell when the work is done.",
      instead: "Start the loop again.",
    },
  },
  examples: {
    catches: [
      { ...stopping, said: "I have fixed two of three tests." },
      { ...stopping, said: "I will say <promise>complete</promise> when I am done." },
      { event: "Stop", files: { [loopFile]: state(5, 5) }, said: "Not yet." },
    ],
    allows: [
      { ...stopping, said: "All green. <promise>COMPLETE</promise>" },
      { event: "Stop", said: "Done, and nobody asked for a loop." },
    ],
  },
  *check({ event, world, options }): Iterable<Yield<Id>> {
    if (isSubagents(event)) return;
    const path = join(event.root, loopFile);
    const text = world.read(path);
    if (text === undefined) return;
    const loop = readLoop(text);
    if (typeof loop === "string") {
      yield { effect: { do: "remove", path } };
      yield { message: "broken", outcome: "warn", data: { why: `\`${loopFile}\` cannot be used: ${loop}` } };
      return;
    }
    // Another session's loop is none of ours.
    if (loop.session !== undefined && event.session !== undefined && loop.session !== event.session) return;
    yield* turn(loop, text, path, event, world, options.maxIterations);
  },
});

/** The order is the original's: the cap, what was said, the promise, and only then another round. */
function* turn(
  loop: PromiseLoop,
  text: string,
  path: string,
  event: Event,
  world: World,
  limit: number,
): Iterable<Yield<Id>> {
  const { iteration, promise, prompt } = loop;
  const remove = { effect: { do: "remove", path } } as const;
  const max = Math.min(loop.max || Infinity, limit || Infinity);
  if (iteration >= max) {
    yield remove;
    yield { message: "capped", outcome: "warn", data: { iteration } };
    return;
  }
  const said = lastWords(event, world);
  if (said === undefined || said.trim() === "") {
    yield remove;
    yield { message: "broken", outcome: "warn", data: { why: "nothing the agent has said can be found" } };
    return;
  }
  if (promise !== undefined && extract(said, "promise")[0] === promise) {
    yield remove;
    yield { add: { notice: `The loop has ended after ${iteration} iterations: ${promise}.` } };
    return;
  }
  const next = iteration + 1;
  const toEnd =
    promise === undefined
      ? "No promise ends it."
      : `It ends with <promise>${promise}</promise>, to be said only when that is true.`;
  const ofAll = max === Infinity ? "" : ` of ${max}`;
  yield { effect: { do: "replace", path, text: withIteration(text, next), was: text } };
  yield { message: "again", data: { prompt } };
  yield { add: { notice: `Loop iteration ${next}${ofAll}. ${toEnd}` } };
}
