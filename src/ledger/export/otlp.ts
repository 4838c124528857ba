import { hostname } from "node:os";
import { isObject } from "../../core/json.ts";
import { sha256 } from "../../platform/digest.ts";
import type { Env } from "../../platform/places.ts";
import { version } from "../../platform/version.ts";
import { toLogs, toMetrics, type Resource } from "./_otlp-json.ts";
import type { Sent, Sink } from "./sink.ts";

export interface OtlpOptions {
  /** Up to and without `/v1/logs`. */
  readonly url: string;
  /** Names of environment variables that hold the values of headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Send the whole record along, too. */
  readonly original?: boolean;
  /** Which ledger these are of, for telling several apart. */
  readonly ledger: string;
}

/** Sends to a collector by OTLP/HTTP with JSON. The variables of the OpenTelemetry SDKs count. */
export function otlpSink({ url, headers = {}, original = false, ledger }: OtlpOptions, env: Env): Sink {
  const resource = resourceOf(ledger, env);
  const timeout = Number(env["OTEL_EXPORTER_OTLP_TIMEOUT"]) || 10_000;
  const gzip = env["OTEL_EXPORTER_OTLP_COMPRESSION"] === "gzip";
  const post = async (kind: "logs" | "metrics", body: object): Promise<Sent> => {
    const { address, ...own } = endpoint(url, kind, env);
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    try {
      const response = await fetch(address, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": `hookline/${version}`,
          ...(gzip ? { "content-encoding": "gzip" } : {}),
          ...own.headers,
          ...fromEnv(headers, env),
        },
        body: gzip ? Bun.gzipSync(bytes) : bytes,
        // Where it points to is nobody the user has named.
        redirect: "manual",
        signal: AbortSignal.timeout(timeout),
      });
      return await toSent(response);
    } catch (error) {
      return { kind: "later", why: error instanceof Error ? error.message : String(error) };
    }
  };
  return {
    name: `otlp ${plainUrl(url)}`,
    most: 500,
    send: (records) => post("logs", toLogs(records, resource, original)),
    sendTotals: (totals) => post("metrics", toMetrics(totals, Date.now(), resource)),
  };
}

async function toSent(response: Response): Promise<Sent> {
  const said = (await response.text()).slice(0, 10_000);
  if (response.ok) return { kind: "done", ...partial(said) };
  const why = `the receiver answered ${response.status}`;
  if (retryable.has(response.status))
    return { kind: "later", why, ...afterOf(response.headers.get("retry-after")) };
  return { kind: refusable.has(response.status) ? "refused" : "wrong", why };
}

/** As the protocol has it: these may be tried again. */
const retryable = new Set([408, 429, 502, 503, 504]);
/** It is about what was sent, not about who sent it or where to. */
const refusable = new Set([400, 413, 422]);

/** Seconds, or a date. */
function afterOf(header: string | null): { afterMs?: number } {
  if (header === null) return {};
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? {} : { afterMs: Math.max(0, ms) };
}

/** What the receiver left out it will not take another time either. */
function partial(body: string): { note?: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    const part = isObject(parsed) ? parsed["partialSuccess"] : undefined;
    const count = isObject(part) ? Number(part["rejectedLogRecords"] ?? part["rejectedDataPoints"] ?? 0) : 0;
    return count > 0 ? { note: `the receiver did not take ${count} of them` } : {};
  } catch {
    return {};
  }
}

function endpoint(
  url: string,
  kind: "logs" | "metrics",
  env: Env,
): { address: string; headers: Record<string, string> } {
  const named = env[`OTEL_EXPORTER_OTLP_${kind.toUpperCase()}_ENDPOINT`] ?? "";
  const address = new URL(url === "" ? named : url);
  if (url !== "") address.pathname = `${address.pathname.replace(/\/+$/, "")}/v1/${kind}`;
  const headers = {
    ...headersOf(env["OTEL_EXPORTER_OTLP_HEADERS"]),
    ...headersOf(env[`OTEL_EXPORTER_OTLP_${kind.toUpperCase()}_HEADERS`]),
  };
  if (address.username === "") return { address: address.href, headers };
  const user = decodeURIComponent(`${address.username}:${address.password}`);
  address.username = "";
  address.password = "";
  return { address: address.href, headers: { authorization: `Basic ${btoa(user)}`, ...headers } };
}

/** `name=value,name=value`, the values encoded as in an address. */
function headersOf(text: string | undefined): Record<string, string> {
  const pairs = (text ?? "").split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

const fromEnv = (names: Readonly<Record<string, string>>, env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([header, variable]) => {
      const value = env[variable];
      return value === undefined ? [] : [[header, value] as const];
    }),
  );

/** An address without user, password and query, any of which may be a secret. */
function plainUrl(url: string): string {
  if (url === "") return "as the environment says";
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

function resourceOf(ledger: string, env: Env): Resource {
  return {
    ...headersOf(env["OTEL_RESOURCE_ATTRIBUTES"]),
    "service.name":
      env["OTEL_SERVICE_NAME"] || headersOf(env["OTEL_RESOURCE_ATTRIBUTES"])["service.name"] || "hookline",
    "service.version": version,
    // Sums of several ledgers are not one sum.
    "service.instance.id": sha256(`${hostname()} ${ledger}`).slice(0, 32),
    "host.name": hostname(),
    "os.type": process.platform === "win32" ? "windows" : process.platform,
  };
}
