import type { SchemaLibrary } from "../../core/rule.ts";

/** Where a log of what tools did is kept. */
export const folderOption = (v: SchemaLibrary) =>
  v.pipe(
    v.optional(v.picklist(["session", "iteration"]), "session"),
    v.description(
      "Keep the log in the session's `logs/`, or in `iterations/<N>/logs/` of the current iteration.",
    ),
  );
