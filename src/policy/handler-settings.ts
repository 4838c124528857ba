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
  followUps: v.pipe(
    v.optional(v.picklist(["show", "queue"])),
    v.description(
      "Follow-up actions of hooks are shown, or also queued in .hookline/follow-ups.jsonl. They are never run. show.",
    ),
  ),
});

export type HandlersLayer = v.InferOutput<typeof handlersSchema>;
