import { asText, isObject, type Json } from "../core/json.ts";
import type { Observation } from "../core/world.ts";
import { sha256 } from "../platform/digest.ts";
import { isDigest } from "./chain.ts";
import { readContent } from "./contents.ts";
import type { LedgerRecord } from "./read.ts";

/** What an event was judged by, as far as its record and what lies beside it still tell. */
export interface Restored {
  readonly payload: Json;
  readonly observations: readonly Observation[];
  /** What is known only by its digest any more, or was masked. */
  readonly missing: readonly string[];
}

/** Puts the texts back that a record only names. */
export function restore(ledger: string, record: LedgerRecord): Restored {
  const missing = new Set<string>();
  const textOf = (digest: unknown): string | undefined => {
    const text = typeof digest === "string" && isDigest(digest) ? readContent(ledger, digest) : undefined;
    // What lies there under its name may have been changed.
    return text !== undefined && sha256(text) === digest ? text : undefined;
  };
  const whole = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => whole(each, at));
    if (!isObject(value)) return value;
    if (
      typeof value["cut"] === "string" &&
      typeof value["sha256"] === "string" &&
      typeof value["chars"] === "number"
    ) {
      const text = textOf(value["sha256"]);
      if (text === undefined) missing.add(`${at} is kept only in part`);
      return text ?? value["cut"];
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, whole(each, at)]));
  };
  const event = isObject(record["event"]) ? record["event"] : {};
  const payload = whole(event["payload"], "the payload");
  const world = Array.isArray(record["world"]) ? record["world"].filter(isObject) : [];
  const observations = world.flatMap((seen): Observation[] => {
    // Each was an observation when it was written; one of a later version is not asked for.
    if (seen["sha256"] === undefined || seen["answer"] !== undefined)
      return [whole(seen, "an answer") as Observation];
    const answer = textOf(seen["sha256"]);
    if (answer !== undefined) return [{ ...(seen as unknown as Observation), answer }];
    missing.add(`what ${String(seen["ask"])} ${asText(seen["of"]) ?? ""} answered`);
    return [];
  });
  for (const field of Array.isArray(record["masked"]) ? record["masked"] : [])
    missing.add(`${String(field)} was masked`);
  return { payload: isObject(payload) ? payload : {}, observations, missing: [...missing] };
}
