import { otlpSink } from "../ledger/export/otlp.ts";
import type { Sink } from "../ledger/export/sink.ts";
import { syslogSink } from "../ledger/export/syslog.ts";
import type { Env } from "../platform/places.ts";
import type { ExportSettings } from "../policy/policy.ts";

/** A destination for the records of a ledger. */
export type Destination = (ledger: string) => Sink;

export interface Named {
  readonly otlp?: string | undefined;
  readonly syslog?: string | undefined;
}

/** Those that are named, or else those of the policy, or else that of the environment. */
export function destinationsOf(
  named: Named,
  settings: ExportSettings,
  env: Env,
  original = false,
): Destination[] {
  const fromEnv =
    env["OTEL_EXPORTER_OTLP_ENDPOINT"] ?? (env["OTEL_EXPORTER_OTLP_LOGS_ENDPOINT"] ? "" : undefined);
  const candidates: Named[] = [named, settings, { otlp: fromEnv }];
  const { otlp, syslog } =
    candidates.find((each) => each.otlp !== undefined || each.syslog !== undefined) ?? {};
  const destinations: Destination[] = [];
  if (otlp !== undefined) {
    const url = otlp === "" ? "" : toUrl(otlp, ["http:", "https:"]).href;
    // Keys of the policy are for the address of the policy.
    const headers = otlp === settings.otlp ? (settings.headers ?? {}) : {};
    destinations.push((ledger) => otlpSink({ url, headers, original, ledger }, env));
  }
  if (syslog !== undefined) {
    const url = toUrl(syslog, ["tcp:", "tls:", "udp:"]);
    destinations.push(() => syslogSink(url));
  }
  return destinations;
}

/** Not an address, or not one of a kind that can be sent to. */
export class NoAddress extends Error {
  override readonly name = "NoAddress";
}

function toUrl(text: string, protocols: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && protocols.includes(url.protocol) && url.hostname !== "") return url;
  // The text itself may hold a password.
  throw new NoAddress(
    `this is no address to send to; expected ${protocols.map((each) => `${each}//host:port`).join(" or ")}`,
  );
}
