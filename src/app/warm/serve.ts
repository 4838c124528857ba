import { dirname } from "node:path";
import { isObject } from "../../core/json.ts";
import { nodeFs, openLocked, readText, type LockedFile } from "../../platform/files.ts";
import type { Env } from "../../platform/places.ts";
import { version } from "../../platform/version.ts";
import { pass } from "../pass.ts";
import { warmPlaces } from "./places.ts";
import { Server } from "./server.ts";

export interface ServeOptions {
  /** For http; none when not given, unless the settings name one. */
  readonly port?: number;
  readonly idleMs: number;
}

/** A server that is up. */
export interface Serving {
  readonly socket: string;
  readonly port?: number;
  readonly ended: Promise<string>;
}

/** Starts to answer, or finds that somebody does already. */
export async function serveHooks(options: ServeOptions, env: Env): Promise<Serving | "running"> {
  const places = warmPlaces(env);
  ownFolder(places.folder);
  const lock = lockIn(places.lock);
  if (!lock) return "running";
  process.chdir("/");
  const server = new Server(places.socket, lock);
  const web = await webOf(options.port, places, (work) => server.inTurn(work), env);
  const http = web?.port === undefined ? {} : { port: web.port };
  const status = { pid: process.pid, version, started: new Date().toISOString(), ...http };
  const trouble = web?.trouble === undefined ? {} : { trouble: web.trouble };
  nodeFs().writeFileSync(places.status, `${JSON.stringify({ ...status, ...trouble })}\n`, { mode: 0o600 });
  await warmUp(env);
  // Before anybody can find us: whoever does may end us, and the socket must not stay behind.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => server.end(signal));
  server.listen();
  server.endWhenIdle(options.idleMs);
  void server.ended.then(() => web?.stop?.());
  return { socket: places.socket, ...http, ended: server.ended };
}

interface Web {
  readonly port?: number;
  readonly trouble?: string;
  stop?(): void;
}

/** The port somebody asks for has to be had; one of the settings may be taken, and the socket is served all the same. */
async function webOf(
  asked: number | undefined,
  { settings, token }: ReturnType<typeof warmPlaces>,
  inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  env: Env,
): Promise<Web | undefined> {
  const port = asked ?? portIn(settings);
  if (port === undefined) return undefined;
  const { serveHttp } = await import("./http.ts");
  try {
    return serveHttp(port, token, inTurn, env);
  } catch (error) {
    if (asked !== undefined) throw error;
    return { trouble: `http: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The folder is the user's alone, or there is no server: whoever else could write to it could answer in our place. */
function ownFolder(folder: string): void {
  const fs = nodeFs();
  fs.mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${folder} is not a folder of yours; remove it and try again`);
  if ((found.mode & 0o077) !== 0) fs.chmodSync(folder, 0o700);
}

/** Gone with the process, however it ends. */
function lockIn(path: string): LockedFile | undefined {
  const fs = nodeFs();
  fs.closeSync(fs.openSync(path, "a", 0o600));
  const lock = openLocked(path);
  return typeof lock === "object" ? lock : undefined;
}

function portIn(path: string): number | undefined {
  try {
    const settings: unknown = JSON.parse(readText(path, 10_000) ?? "{}");
    const port = isObject(settings) ? settings["port"] : undefined;
    return typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
  } catch {
    return undefined;
  }
}

/** Loads what events need, so that the first caller does not wait for it. Nothing is written. */
async function warmUp(env: Env): Promise<void> {
  const calls = [
    { tool_name: "Bash", tool_input: { command: "for f in $(ls); do echo x > /nowhere/$f; done" } },
    { tool_name: "Write", tool_input: { file_path: "/nowhere/x", content: "x" } },
  ];
  for (const call of calls)
    await pass({ hook_event_name: "PreToolUse", ...call }, { env, cwd: "/", host: "claude-code" }).catch(
      () => {},
    );
}
