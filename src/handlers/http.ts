import type { Handler, RawResult } from "../core/hook.ts";
import type { Env } from "../platform/places.ts";
import { bodyOf } from "./_body.ts";

export interface HttpCall {
  readonly input: string;
  readonly timeoutMs: number;
  /** Hosts that may be asked: `name` or `name:port`. */
  readonly allow: readonly string[];
  readonly cancel?: AbortSignal;
  /** What headers may take variables from. */
  readonly env?: Env;
  /** POST, where nothing else is said. Without a body where the method has none: the payload goes into the address. */
  readonly method?: string;
}

/** Posts a payload as JSON, or asks with it. Only to hosts the policy names, and never further: a redirect could lead anywhere. */
export async function runHttp(
  { url, headers = {}, allowedEnvVars = [] }: Extract<Handler, { kind: "http" }>,
  { input, timeoutMs, allow, cancel, env = {}, method = "POST" }: HttpCall,
): Promise<RawResult> {
  const started = performance.now();
  const result = (rest: Omit<RawResult, "ms" | "stderr">): RawResult => ({
    stderr: "",
    ...rest,
    ms: performance.now() - started,
  });
  const failed = (detail: string): RawResult => result({ ended: "failed", stdout: "", detail });
  const { host, hostname, protocol } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") return failed(`${protocol} is no address to post to`);
  if (!allow.includes(host) && !allow.includes(hostname))
    return failed(`${host} is not among the hosts of handlers.http.allow in the policy`);
  const limit = AbortSignal.timeout(timeoutMs);
  const hasBody = method !== "GET" && method !== "DELETE";
  try {
    const response = await fetch(hasBody ? url : withQuery(url, input), {
      method,
      ...(hasBody ? { body: input } : {}),
      headers: { ...filled(headers, allowedEnvVars, env), "content-type": "application/json" },
      redirect: "manual",
      signal: cancel ? AbortSignal.any([limit, cancel]) : limit,
    });
    const { text, cut } = await bodyOf(response);
    if (response.status >= 300 && response.status < 400)
      return failed(`it answered with a redirect (${response.status}), and those are not followed`);
    if (!response.ok) return failed(`it answered with ${response.status}`);
    return result({ ended: "exit", exitCode: 0, stdout: text, ...(cut ? { cut } : {}) });
  } catch (error) {
    if (limit.aborted) return result({ ended: "timeout", stdout: "" });
    // What follows the first sentence is advice for whoever wrote us.
    const why = (error instanceof Error ? error.message : String(error)).split(". ")[0];
    return failed(`it could not be reached (${why})`);
  }
}

/** Headers with the variables that may be sent put in; any other stays empty, so that no secret goes out by mistake. */
const filled = (
  headers: Readonly<Record<string, string>>,
  allowed: readonly string[],
  env: Env,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) => {
        const variable = braced ?? bare ?? "";
        return allowed.includes(variable) ? (env[variable] ?? "") : "";
      }),
    ]),
  );

/** The fields of a payload as a query behind those the address has. */
function withQuery(url: string, input: string): string {
  const address = new URL(url);
  const fields = JSON.parse(input) as Readonly<Record<string, unknown>>; // our own JSON
  for (const [name, value] of Object.entries(fields))
    address.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value));
  return address.href;
}
