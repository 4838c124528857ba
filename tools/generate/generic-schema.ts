import * as v from "valibot";
import { toJsonSchema } from "@valibot/to-json-schema";
import { eventNames } from "../../src/core/event.ts";
import { outcomes } from "../../src/core/outcome.ts";

const described = (text: string) => v.pipe(v.string(), v.description(text));
const optional = (text: string) => v.optional(described(text));
const path = described("A path, absolute or from `cwd`.");

const operation = v.variant("do", [
  v.strictObject({
    do: v.literal("exec"),
    command: v.pipe(v.string(), v.minLength(1)),
    shell: v.optional(v.picklist(["posix", "powershell"])),
  }),
  v.strictObject({ do: v.literal("write"), path, text: optional("The whole new text, if it is known.") }),
  v.strictObject({
    do: v.literal("edit"),
    path,
    edits: v.array(v.strictObject({ old: v.string(), new: v.string(), all: v.optional(v.boolean()) })),
  }),
  v.strictObject({ do: v.literal("delete"), path, recursive: v.optional(v.boolean()) }),
  v.strictObject({ do: v.literal("read"), path }),
  v.strictObject({
    do: v.literal("patch"),
    text: described("A unified diff, or a patch in the form `*** Begin Patch`."),
  }),
  v.strictObject({ do: v.literal("fetch"), url: v.string() }),
  v.strictObject({ do: v.literal("delegate"), prompt: v.string(), agent: v.optional(v.string()) }),
  v.strictObject({
    do: v.literal("todo"),
    items: v.array(
      v.strictObject({
        id: v.optional(v.string()),
        text: v.optional(v.string()),
        done: v.optional(v.boolean()),
      }),
    ),
    whole: v.optional(v.pipe(v.literal(true), v.description("The items are the agent's whole list."))),
  }),
]);

/** What a caller sends. Keys of its own are kept for the record and for rules that look at them. */
export const genericPayload = v.looseObject({
  event: v.pipe(v.picklist(eventNames), v.description("What happened, or is about to happen.")),
  session: optional("Tells sessions apart."),
  cwd: optional("Where the agent is; the directory Hookline was started in when not given."),
  tool: optional("The tool's name, of an event that is about one."),
  input: v.optional(
    v.pipe(v.record(v.string(), v.unknown()), v.description("The tool's arguments, in its own words.")),
  ),
  call: optional("The id of the call, the same before and after it."),
  server: optional("The MCP server the tool belongs to."),
  operations: v.optional(
    v.pipe(
      v.array(operation),
      v.description(
        "What the call does, where name and arguments do not show it. What they show counts as well.",
      ),
    ),
  ),
  output: v.optional(v.pipe(v.unknown(), v.description("What the tool returned."))),
  error: optional("What went wrong, of the tool or of the agent."),
  exitCode: v.optional(v.pipe(v.number(), v.description("Of a command that has ended."))),
  duration: v.optional(v.pipe(v.number(), v.description("How long the tool took, in milliseconds."))),
  prompt: optional("What the user has asked for."),
  said: optional("What the agent said last."),
  transcript: optional("The file the session is written down in."),
  mode: optional("The agent's permission mode, in its own word."),
  agent: v.optional(
    v.pipe(
      v.looseObject({ id: v.optional(v.string()), type: v.optional(v.string()) }),
      v.description("The subagent whose event it is; absent for the main agent."),
    ),
  ),
});

/** What it gets back. */
export const genericAnswer = v.strictObject({
  decision: v.pipe(
    v.picklist(outcomes),
    v.description(
      "pass: no objection, the agent's own rules hold. allow: approved. warn: go ahead, and heed context and notice. " +
        "ask: only if a person agrees. block: not at all; of an agent that wants to stop: it has to go on.",
    ),
  ),
  reason: optional("Why, for whoever is stopped, asked or approved."),
  context: optional("To be put before the model."),
  notice: optional("To be shown to the person."),
  input: v.optional(
    v.pipe(v.record(v.string(), v.unknown()), v.description("Call the tool with this instead.")),
  ),
  output: v.optional(
    v.pipe(v.unknown(), v.description("Go on with this instead of what the tool returned.")),
  ),
  stop: optional("End the session, and why."),
});

/** The JSON Schema of `hookline run --host generic`: the payload, and under `definitions` the answer. */
export function genericSchema(): Record<string, unknown> {
  const { $schema: _dialect, ...answer } = toJsonSchema(genericAnswer, { errorMode: "ignore" });
  const { $schema: _same, ...payload } = toJsonSchema(genericPayload, { errorMode: "ignore" });
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Hookline, generic host",
    description:
      "What `hookline run --host generic` reads on standard input; definitions/answer is what it prints.",
    ...payload,
    definitions: { answer: { title: "Answer", ...answer } },
  };
}
