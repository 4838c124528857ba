import { fit, type Answer, type Host } from "../../src/core/host.ts";
import type { Json } from "../../src/core/json.ts";
import { abilitiesAt, verdictOf, type Meaning } from "../../src/testing/host-tester.ts";

/** What a host is answered to a payload when we mean something, and what of it is lost. */
export function told(
  host: Host,
  payload: Json,
  meaning: Meaning,
  event?: string,
): { answer: Answer; lost: readonly string[] } {
  const call = host.decode(payload, event);
  const { reply, unexpressed } = fit(verdictOf(meaning), abilitiesAt(host, call));
  return { answer: host.encode(reply, call), lost: unexpressed };
}
