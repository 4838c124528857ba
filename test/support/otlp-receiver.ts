// An OTLP/HTTP receiver in a process of its own, with the moods of real ones. What it took is on disk, so that it may be
// killed and started again.
//
//   bun test/support/otlp-receiver.ts PORT FOLDER      FOLDER/mood says how it answers, FOLDER/taken has what it took
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [port = "0", folder = "."] = process.argv.slice(2);
const mood = () => (existsSync(join(folder, "mood")) ? readFileSync(join(folder, "mood"), "utf8") : "well");
const note = (file: string, value: unknown) =>
  appendFileSync(join(folder, file), `${JSON.stringify(value)}\n`);

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const zipped = request.headers.get("content-encoding") === "gzip";
    const text = new TextDecoder().decode(zipped ? Bun.gunzipSync(bytes) : bytes);
    note("requests", {
      pathname,
      at: Date.now(),
      zipped,
      authorization: request.headers.get("authorization"),
      key: request.headers.get("x-key"),
      mood: mood(),
    });
    const [word = "", detail = ""] = mood().split(" ");
    if (word === "status")
      return new Response("no", {
        status: Number(detail.split(",")[0]),
        headers: detail.includes(",") ? { "retry-after": detail.split(",")[1] ?? "" } : {},
      });
    if (word === "moved") return new Response("", { status: 307, headers: { location: detail } });
    if (word === "dislikes" && text.includes(detail)) return new Response("no", { status: 400 });
    const body = JSON.parse(text);
    const wrong = pathname === "/v1/logs" ? wrongLogs(body) : wrongMetrics(body);
    if (wrong !== undefined) {
      note("wrong", wrong);
      return new Response(wrong, { status: 400 });
    }
    note(pathname === "/v1/logs" ? "taken" : "metrics", body);
    // Taken, but nobody hears of it.
    if (word === "mute") process.kill(process.pid, "SIGKILL");
    if (word === "slow") await Bun.sleep(Number(detail));
    return Response.json(word === "partial" ? { partialSuccess: { rejectedLogRecords: detail } } : {});
  },
});
writeFileSync(join(folder, "port"), String(server.port));

// As opentelemetry-proto 1.7 has it in JSON: nothing that is not in it, numbers of 64 bits as text.
function wrongLogs(body: any): string | undefined {
  for (const { resource, scopeLogs, ...rest } of body.resourceLogs) {
    if (Object.keys(rest).length > 0) return `unknown ${Object.keys(rest)[0]}`;
    const bad = wrongAttributes(resource.attributes);
    if (bad !== undefined) return bad;
    for (const { logRecords } of scopeLogs) {
      for (const record of logRecords) {
        const {
          timeUnixNano,
          observedTimeUnixNano,
          severityNumber,
          severityText,
          eventName,
          body: said,
          attributes,
          ...more
        } = record;
        if (Object.keys(more).length > 0) return `unknown ${Object.keys(more)[0]}`;
        for (const time of [timeUnixNano, observedTimeUnixNano])
          if (!/^\d{19}$/.test(time)) return `time ${time}`;
        if (!(severityNumber >= 1 && severityNumber <= 24) || typeof severityText !== "string")
          return "severity";
        if (typeof eventName !== "string" || typeof said.stringValue !== "string") return "event or body";
        const wrong = wrongAttributes(attributes);
        if (wrong !== undefined) return wrong;
      }
    }
  }
  return undefined;
}

function wrongMetrics(body: any): string | undefined {
  for (const { scopeMetrics } of body.resourceMetrics)
    for (const { metrics } of scopeMetrics)
      for (const { name, sum, histogram } of metrics) {
        const { aggregationTemporality, dataPoints } = sum ?? histogram;
        if (aggregationTemporality !== 2) return `${name} is not cumulative`;
        for (const point of dataPoints) {
          if (!/^\d{19}$/.test(point.timeUnixNano) || !/^\d{19}$/.test(point.startTimeUnixNano))
            return "time";
          if (sum && (sum.isMonotonic !== true || !/^\d+$/.test(point.asInt))) return "sum";
          if (histogram && point.bucketCounts.length !== point.explicitBounds.length + 1) return "buckets";
          if (
            histogram &&
            Number(point.count) !== point.bucketCounts.map(Number).reduce((a: number, b: number) => a + b)
          )
            return "count";
          const wrong = wrongAttributes(point.attributes);
          if (wrong !== undefined) return wrong;
        }
      }
  return undefined;
}

function wrongAttributes(attributes: { key: string; value: Record<string, unknown> }[]): string | undefined {
  const keys = attributes.map(({ key }) => key);
  if (new Set(keys).size !== keys.length) return "an attribute twice";
  for (const { key, value } of attributes) {
    const [kind = "", ...others] = Object.keys(value);
    const given = value[kind];
    const fits =
      (kind === "stringValue" && typeof given === "string") ||
      (kind === "intValue" && typeof given === "string" && /^-?\d+$/.test(given)) ||
      (kind === "doubleValue" && typeof given === "number") ||
      (kind === "boolValue" && typeof given === "boolean") ||
      (kind === "arrayValue" && Array.isArray((given as { values: unknown }).values));
    if (!fits || others.length > 0) return `attribute ${key}`;
  }
  return undefined;
}
