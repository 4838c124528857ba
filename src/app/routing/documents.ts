import type { HookResult } from "../../core/hook.ts";
import { isObject } from "../../core/json.ts";
import { liveWorld } from "../../platform/live-world.ts";
import { watchedLimits } from "../../platform/limits.ts";
import type { Env } from "../../platform/places.ts";
import { toIntent } from "../../routing/intent.ts";
import { selectDocuments } from "../../routing/select-documents.ts";
import type { Place, Routed } from "./at-prompt.ts";
import { giveDocuments, notGiven } from "./give-documents.ts";

const selectMs = 3000;

/** The documents for what a hook says the user wants to know. Of several intents the first counts; the others are noted. */
export function documentsFor(
  said: HookResult,
  { root, from }: Place,
  env: Env,
  most: number,
  budget: number,
): Routed {
  const intent = toIntent(said.new_intent);
  if (!intent) return { contributions: [], notes: ["routing: a hook's new_intent says nothing"], record: {} };
  const files = liveWorld(env);
  const { selection, given } = watchedLimits.within(selectMs, () => {
    const selected = selectDocuments(intent, root, files, from, most);
    return { selection: selected, given: giveDocuments(selected.documents, budget, root, files) };
  });
  const { text, framed } = given;
  const { documents, why, problems } = selection;
  const others =
    isObject(said.extra) && Array.isArray(said.extra["new_intents"])
      ? said.extra["new_intents"].length - 1
      : 0;
  const hinted = said.suggested_documents ?? [];
  const own = documents
    .filter(({ path }) => !hinted.some((hint) => hint.path === path))
    .map(({ path, reason, stage }) => ({ path, reason, ...(stage === undefined ? {} : { stage }) }));
  return {
    contributions: [
      ...(text === "" ? [] : [{ context: text }]),
      ...(own.length === 0 ? [] : [{ native: { suggested_documents: [...hinted, ...own] } }]),
    ],
    notes: [
      ...(why === undefined ? [] : [`routing: no documents: ${why}`]),
      ...(others > 0 ? [`routing: ${others} more intents of hooks were not followed`] : []),
      ...notGiven(given).map((each) => `routing: ${each}`),
      ...problems.slice(0, 5).map(({ file, line, text: wrong }) => `routing: ${file}:${line} ${wrong}`),
    ],
    record: {
      intent: selection.intent,
      documents: documents.map(({ path, reason }) => ({
        path,
        reason,
        ...framed.find((each) => each.path === path),
      })),
    },
  };
}
