import * as v from "valibot";

/** What a policy may say about how hooks are run. */
export const handlersSchema = v.strictObject({
  http: v.pipe(
    v.optional(
      v.strictObject({
        allow: v.pipe(
          v.array(v.string()),
          v.description("Hosts that http hooks may post to, as `name` or `name:port`. None."),
        ),
      }),
    ),
    v.description("What http hooks may do."),
  ),
  prompt: v.pipe(
    v.optional(
      v.strictObject({
        evaluator: v.pipe(
          v.picklist(["anthropic", "openai", "command"]),
          v.description(
            "Anthropic's Messages, chat completions as OpenAI and others have them, or a command.",
          ),
        ),
        url: v.pipe(
          v.optional(v.pipe(v.string(), v.regex(/^https?:\/\/[^\s]+$/))),
          v.description("Where it is asked; by default the provider's own address."),
        ),
        model: v.pipe(v.optional(v.string()), v.description("The model, where the hook does not name one.")),
        key: v.pipe(
          v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z_]\w*$/))),
          v.description("The environment variable that holds the key. Without it none is sent."),
        ),
        command: v.pipe(
          v.optional(v.pipe(v.array(v.string()), v.minLength(1))),
          v.description("The program and its arguments; it gets the question as JSON and prints the answer."),
        ),
        timeoutMs: v.pipe(
          v.optional(v.pipe(v.number(), v.minValue(1))),
          v.description("How long it is waited for, if the hook does not want less. 30000."),
        ),
        failMode: v.pipe(
          v.optional(v.picklist(["open", "closed"])),
          v.description("What it means when there is no answer. As the hook says, else open."),
        ),
      }),
    ),
    v.description(
      "Who answers prompt hooks. Without anybody their text is given to the agent's model as context.",
    ),
  ),
  deadlineMs: v.pipe(
    v.optional(v.pipe(v.number(), v.minValue(1))),
    v.description(
      "How long after it was called `run` still waits for hooks. Keep it below the time limit of its entry in the agent's settings. 8000.",
    ),
  ),
  followUps: v.pipe(
    v.optional(v.picklist(["show", "queue"])),
    v.description(
      "Follow-up actions of hooks are shown, or also queued in .hookline/follow-ups.jsonl. They are never run. show.",
    ),
  ),
});

export type HandlersLayer = v.InferOutput<typeof handlersSchema>;
