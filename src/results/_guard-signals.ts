import { isObject, type Json } from "../core/json.ts";

export interface Guarded {
  readonly outcome: "ask" | "block";
  readonly reason: string;
}

/**
 * The successor of this format has signals with codes: an ability is denied, not available, or wants a human. What the
 * strictest of them comes to; nothing when none objects.
 */
export function guardOf(json: Json): Guarded | undefined {
  const signals = [json["hook_signals"], json["signals"]].flatMap((each): unknown[] =>
    Array.isArray(each) ? each : [each],
  );
  const guarded = signals.flatMap((each) => (isObject(each) ? (guardIn(each) ?? []) : []));
  const strictest = guarded.find(({ outcome }) => outcome === "block") ?? guarded[0];
  return strictest && { ...strictest, reason: guarded.map(({ reason }) => reason).join("\n") };
}

function guardIn(signal: Json): Guarded | undefined {
  const { code } = signal;
  const payload = isObject(signal["payload"]) ? signal["payload"] : {};
  const said = [payload["reason"], payload["message"], signal["message"]].find(
    (each) => typeof each === "string",
  );
  const reason = said === undefined ? String(code) : `${said} (${String(code)})`;
  const human = payload["require_human"] === true || signal["require_human"] === true;
  if (code === "ABILITY_REQUIRES_HUMAN" || (code === "ABILITY_DENIED" && human))
    return { outcome: "ask", reason };
  return code === "ABILITY_DENIED" || code === "ABILITY_UNAVAILABLE"
    ? { outcome: "block", reason }
    : undefined;
}
