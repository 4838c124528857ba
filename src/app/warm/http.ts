import { timingSafeEqual } from "node:crypto";
import { asText, isObject, type Json } from "../../core/json.ts";
import { nodeFs, readText } from "../../platform/files.ts";
import type { Env } from "../../platform/places.ts";
import { version } from "../../platform/version.ts";
import type { Response as Said } from "./frame.ts";
import { judgeWarm } from "./judge.ts";

/** As much as `hookline run` reads. */
const largest = 64 * 1024 * 1024;
/** Agents wait longer for http than our own client does, and have no other way to ask. */
const answerMs = 5000;
/** Nobody says what is to be kept from whom. */
const usualMask = 0o022;

type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Answers the http hooks of agents: loopback only, and only to who knows the token. */
export function serveHttp(
  port: number,
  tokenFile: string,
  inTurn: InTurn,
  env: Env,
): { readonly port: number; stop(): void } {
  const token = tokenIn(tokenFile);
  const web = Bun.serve({
    hostname: "127.0.0.1",
    port,
    maxRequestBodySize: largest,
    idleTimeout: 30,
    fetch: (request) => answer(request, token, inTurn, env),
    error: () => refuse(500, "an error of ours"),
  });
  return { port: web.port ?? port, stop: () => void web.stop(true) };
}

/** Made once, readable by the user only. */
function tokenIn(path: string): string {
  const fs = nodeFs();
  const fresh = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");
  try {
    fs.writeFileSync(path, `${fresh}\n`, { mode: 0o600, flag: "wx" });
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
  }
  if ((fs.statSync(path).mode & 0o077) !== 0) fs.chmodSync(path, 0o600);
  const token = (readText(path, 1000) ?? "").trim();
  if (!/^[0-9a-f]{64}$/.test(token)) throw new Error(`${path} holds no token; remove it and try again`);
  return token;
}

async function answer(request: Request, token: string, inTurn: InTurn, env: Env): Promise<Response> {
  const url = new URL(request.url);
  // A page that has its own name lead to this machine still says that name, and a page's requests say where they come from.
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(request.headers.get("host") ?? ""))
    return refuse(403, "unknown host");
  if (request.headers.has("origin")) return refuse(403, "not for pages");
  if (!isToken(request.headers.get("authorization") ?? "", token)) return refuse(401, "unknown caller");
  const [, what, host, ...rest] = url.pathname.split("/");
  if (what !== "run" || !host || rest.length > 0) return refuse(404, "POST /run/HOST");
  if (request.method !== "POST") return refuse(405, "POST /run/HOST");
  const payload = new Uint8Array(await request.arrayBuffer());
  const named = eventIn(payload);
  const said = await ask(payload, host, url.searchParams, named.cwd, inTurn, env);
  return Response.json(bodyOf(said, named.event));
}

const refuse = (status: number, why: string): Response => Response.json({ error: why }, { status });

function isToken(given: string, token: string): boolean {
  const [wanted, got] = [Buffer.from(`Bearer ${token}`), Buffer.from(given)];
  return wanted.length === got.length && timingSafeEqual(wanted, got);
}

/** What of a payload says where and when it happens; what cannot be read is answered all the same. */
function eventIn(payload: Uint8Array): {
  readonly cwd: string | undefined;
  readonly event: string | undefined;
} {
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(payload));
    const fields = isObject(parsed) ? parsed : {};
    return { cwd: asText(fields["cwd"]), event: asText(fields["hook_event_name"]) };
  } catch {
    return { cwd: undefined, event: undefined };
  }
}

/** As a hook that is started where the event happens, with the project's directory in its environment. */
async function ask(
  payload: Uint8Array,
  host: string,
  query: URLSearchParams,
  named: string | undefined,
  inTurn: InTurn,
  own: Env,
): Promise<Said> {
  const event = query.get("event");
  const project = query.get("project");
  const words = ["run", "--host", host, ...(event === null ? [] : ["--event", event])];
  const env: Record<string, string> = {};
  for (const name in own) if (own[name] !== undefined) env[name] = own[name];
  if (project !== null) env["CLAUDE_PROJECT_DIR"] = project;
  const cwd = [named, project].find((folder) => folder?.startsWith("/") && isFolder(folder)) ?? "/";
  const request = { words: [version, ...words], env, cwd, payload, time: Date.now(), umask: usualMask };
  const judged = await inTurn(() => judgeWarm(request, answerMs));
  return judged?.response ?? coldly(words, env, cwd, payload);
}

const isFolder = (path: string): boolean =>
  nodeFs().statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Asks the cold executable, which knows what to do about hooks and about what cannot be read. */
async function coldly(
  words: readonly string[],
  env: Record<string, string>,
  cwd: string,
  stdin: Uint8Array,
): Promise<Said> {
  const child = Bun.spawn([process.execPath, ...words], { cwd, env, stdin, stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

/** The body a host reads: the JSON of the answer. A refusal by exit code has to be put into words, for whoever is asking. */
function bodyOf({ exitCode, stdout, stderr, reason }: Said, event: string | undefined): Json {
  const said = jsonIn(stdout) ?? {};
  if (exitCode === 0) return said;
  const why = (reason ?? stderr.trim()) || "Blocked by policy.";
  const denied = { permissionDecision: "deny", permissionDecisionReason: why };
  const nested =
    event === undefined || event === "PreToolUse"
      ? { hookSpecificOutput: { hookEventName: "PreToolUse", ...denied } }
      : {};
  return { decision: "block", reason: why, ...denied, ...nested, ...said };
}

function jsonIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
