import * as v from "valibot";

const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

/** What a policy may say about the ledger. */
export const ledgerSchema = v.strictObject({
  raw: v.pipe(
    v.optional(v.boolean()),
    v.description(
      "Write payloads down as they came, secrets and all. Only a user's own or a managed policy can ask for it.",
    ),
  ),
  contentKb: v.pipe(
    v.optional(whole(0, 10_240)),
    v.description(
      "Files and texts up to this size are kept beside the records, for exact replays; 0 keeps none. 64.",
    ),
  ),
  segmentMb: v.pipe(
    v.optional(whole(1, 10_240)),
    v.description("A segment of the ledger is closed when it has grown beyond this. 32."),
  ),
  segmentDays: v.pipe(
    v.optional(whole(1, 3650)),
    v.description("A segment of the ledger is closed when it was opened longer ago than this. 30."),
  ),
  keepDays: v.pipe(
    v.optional(whole(1, 36_500)),
    v.description("Closed segments older than this are removed, and the chain says so. For ever."),
  ),
  export: v.pipe(
    v.optional(
      v.strictObject({
        otlp: v.pipe(
          v.optional(v.pipe(v.string(), v.url())),
          v.description("A collector that takes OTLP over HTTP, up to and without /v1/logs."),
        ),
        syslog: v.pipe(
          v.optional(v.pipe(v.string(), v.regex(/^(tcp|tls|udp):\/\//))),
          v.description("A syslog server: tcp://host:port, tls://host:port or udp://host:port."),
        ),
        headers: v.pipe(
          v.optional(v.record(v.string(), v.string())),
          v.description("HTTP headers by name, each with the environment variable that holds its value."),
        ),
      }),
    ),
    v.description(
      "Where `hookline export` sends records to. Only a user's own or a managed policy can say so.",
    ),
  ),
});

export type LedgerLayer = v.InferOutput<typeof ledgerSchema>;
