import { defineCommand, textFlag, UsageError } from "./_command.ts";

const usualIdle = 900;

export default defineCommand({
  summary: "Answers agents' hooks without the start of a process for each (docs/warm.md).",
  usage: ["serve --hooks [--port PORT] [--idle SECONDS]", "serve --hooks --stop"],
  details:
    "Started by the first call of hookline-warm, one for each user, and ends by itself when nobody asks for a while. Whoever finds\n" +
    "no server, or one that is not this very executable, is answered by `hookline run` as ever. Loopback only.",
  flags: {
    hooks: { type: "boolean", summary: "What is served: the answers of `hookline run`." },
    port: {
      type: "string",
      value: "PORT",
      summary: "Also answer http hooks on 127.0.0.1, to callers that know the token; 0 takes any port.",
    },
    idle: {
      type: "string",
      value: "SECONDS",
      summary: `End after so long without a question (${usualIdle} when not given).`,
    },
    stop: { type: "boolean", summary: "End the server that is running." },
  },
  takesNoWords: true,
  async run(given) {
    if (given.flags["hooks"] !== true) throw new UsageError("say what to serve: hookline serve --hooks");
    if (process.platform === "win32")
      throw new UsageError("there is no server on Windows yet; `hookline run` answers there");
    if (given.flags["stop"] === true) {
      const { stopServer } = await import("../warm/stop.ts");
      console.log((await stopServer(process.env)) ? "ended" : "no server is running");
      return 0;
    }
    const idleMs = numberOf(textFlag(given, "idle") ?? String(usualIdle), "--idle") * 1000;
    const asked = textFlag(given, "port");
    const port = asked === undefined ? undefined : numberOf(asked, "--port", 65_535);
    const { serveHooks } = await import("../warm/serve.ts");
    const server = await serveHooks({ idleMs, ...(port === undefined ? {} : { port }) }, process.env);
    if (server === "running") {
      console.error("hookline: a server is running already");
      return 0;
    }
    const web = server.port === undefined ? "" : ` and http://127.0.0.1:${server.port}`;
    console.error(`hookline: answering at ${server.socket}${web}`);
    console.error(`hookline: ended (${await server.ended})`);
    return 0;
  },
});

function numberOf(text: string, flag: string, most = 86_400): number {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || value > most)
    throw new UsageError(`${flag} takes a number from 0 to ${most}, not "${text}"`);
  return value;
}
