/** What the plugin file has to know. */
export interface PluginOptions {
  /** How the executable is started: its path, and what comes before `run`. */
  readonly command: readonly string[];
  /** How long an answer may take; OpenCode itself would wait for ever. */
  readonly limitMs?: number;
}

/** What the file itself imports; we do not. */
const processes = "node:child_process";

/** Long enough for the workspace's own hooks, which end sooner. */
const usualLimitMs = 60_000;

/**
 * The file that brings OpenCode's hooks to the executable: a module without packages, for `.opencode/plugin/hookline.js`.
 * Before a tool everything that goes wrong is a refusal; anywhere else the agent goes on.
 */
export const pluginText = ({ command, limitMs = usualLimitMs }: PluginOptions): string =>
  `// Written by hookline; \`hookline uninstall\` removes it. Changes made by hand are lost with the next update.
import { spawn } from ${JSON.stringify(processes)};

const command = ${JSON.stringify(command)};
const limitMs = ${JSON.stringify(limitMs)};
${program}`;

const program = String.raw`
const lineFor = ({ hook }) => [...command, "run", "--host", "opencode", "--event", hook];
const envWith = (version) => (version ? { ...process.env, HOOKLINE_OPENCODE_VERSION: version } : process.env);

/** Puts one event to the executable. Rejects unless it answers in time, and in words we know. */
function ask(payload, version) {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(payload);
    const [file, ...args] = lineFor(payload);
    const options = { env: envWith(version), stdio: ["pipe", "pipe", "pipe"], windowsHide: true };
    const child = spawn(file, args, options);
    const out = [];
    const err = [];
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error("it gave no answer within " + limitMs + " ms"));
    }, limitMs);
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      const said = Buffer.concat(err).toString().trim().slice(0, 2000);
      if (code !== 0) return reject(new Error(said || "it ended with " + (signal ?? code)));
      try {
        resolve(understood(Buffer.concat(out).toString()));
      } catch (error) {
        reject(error);
      }
    });
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}

/** Tells it of one that nobody can be told anything about. OpenCode may end before a pipe is written to, so it gets all at once. */
async function tell(payload, version) {
  const runtime = globalThis.Bun;
  if (!runtime) return ask(payload, version);
  const child = runtime.spawn(lineFor(payload), {
    env: envWith(version),
    stdin: Buffer.from(JSON.stringify(payload)),
    stdout: "ignore",
    stderr: "pipe",
    timeout: limitMs,
    detached: true,
    windowsHide: true,
  });
  child.unref();
  const [code, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
  if (code !== 0) throw new Error(said.trim().slice(0, 2000) || "it ended with " + (child.signalCode ?? code));
}

function understood(text) {
  const answer = JSON.parse(text);
  if (answer?.decision === "go") return answer;
  if (answer?.decision === "block" && typeof answer.reason === "string") return answer;
  throw new Error("nobody understands its answer");
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

export const Hookline = async ({ client, directory, worktree }) => {
  /** Sessions we have heard of: who started them, which agent is at work, and what its model is told at the start. */
  const sessions = new Map();
  const refused = new Set();
  let version;

  const payloadOf = (hook, sessionID, fields) => {
    const { parentID, agent } = sessions.get(sessionID) ?? {};
    const known = { ...(parentID ? { parentID } : {}), ...(agent ? { agent } : {}) };
    return { hook, directory, worktree, sessionID, ...known, ...fields };
  };

  const put = (hook, sessionID, fields) => ask(payloadOf(hook, sessionID, fields), version);
  const note = (hook, sessionID, fields) => tell(payloadOf(hook, sessionID, fields), version);

  const complain = async (error) => {
    try {
      await client.app.log({
        body: { service: "hookline", level: "error", message: String(error?.message ?? error) },
      });
    } catch {
      // There is nobody else to tell.
    }
  };

  /** Where nothing can be stopped any more, or nobody waits. */
  const tryPut = async (hook, sessionID, fields) => {
    try {
      return await put(hook, sessionID, fields);
    } catch (error) {
      await complain(error);
      return { decision: "go" };
    }
  };

  const contextOf = ({ context }) =>
    Array.isArray(context) ? context.filter((each) => typeof each === "string") : [];

  /** The session's start, told once: when it is created, or when one of an earlier run is first seen. */
  const begin = (sessionID, source, info) => {
    if (typeof sessionID !== "string" || sessions.has(sessionID)) return;
    const parent = info?.parentID;
    // A subagent of a subagent belongs to the session a person has opened.
    const parentID = parent && (sessions.get(parent)?.parentID ?? parent);
    const session = { parentID, agent: info?.agent, context: Promise.resolve([]) };
    sessions.set(sessionID, session);
    session.context = tryPut("session.created", sessionID, { source, info }).then(contextOf);
  };

  const failed = (part) => part?.type === "tool" && part.state?.status === "error";

  const events = {
    "session.created": ({ info }) => {
      version ??= typeof info?.version === "string" ? info.version : undefined;
      begin(info?.id, "startup", info);
    },
    "message.part.updated": async ({ part }) => {
      // A call that we refused has not failed.
      if (!failed(part) || refused.delete(part.callID)) return;
      const { tool, callID, state } = part;
      await note("message.part.updated", part.sessionID, {
        tool,
        callID,
        args: state.input,
        error: String(state.error ?? "failed"),
      });
    },
    "permission.asked": (properties) => note("permission.asked", properties.sessionID, { asked: properties }),
    "session.idle": ({ sessionID }) => note("session.idle", sessionID, { text: said.get(sessionID) }),
    "session.error": ({ sessionID, error }) => note("session.error", sessionID, { error }),
    "session.deleted": async ({ info }) => {
      const noted = note("session.deleted", info?.id, {});
      sessions.delete(info?.id);
      said.delete(info?.id);
      await noted;
    },
  };

  /** What each session's agent said last. */
  const said = new Map();

  return {
    event: async ({ event }) => {
      try {
        if (Object.hasOwn(events, event?.type)) await events[event.type](event.properties ?? {});
      } catch (error) {
        await complain(error);
      }
    },

    "chat.message": async (input, output) => {
      begin(input.sessionID, "resume");
      const session = sessions.get(input.sessionID);
      const agent = input.agent ?? output.message?.agent;
      if (session && typeof agent === "string") session.agent = agent;
      const answer = await tryPut("chat.message", input.sessionID, { parts: output.parts });
      if (answer.decision === "block") throw new Error(answer.reason);
      const text = contextOf(answer).join("\n\n");
      if (text === "" || !Array.isArray(output.parts)) return;
      const { id: messageID, sessionID } = output.message ?? {};
      const id = "prt_" + Date.now().toString(16) + Math.random().toString(36).slice(2, 12);
      output.parts.push({ id, messageID, sessionID, type: "text", text, synthetic: true });
    },

    "tool.execute.before": async (input, output) => {
      const { tool, sessionID, callID } = input;
      let answer;
      try {
        begin(sessionID, "resume");
        answer = await put("tool.execute.before", sessionID, { tool, callID, args: output.args ?? {} });
      } catch (error) {
        refused.add(callID);
        const why = String(error?.message ?? error);
        throw new Error("Blocked: Hookline could not check this call (" + why + "). Tell the user.");
      }
      if (answer.decision === "block") {
        refused.add(callID);
        throw new Error(answer.reason);
      }
      if (answer.args === undefined) return;
      if (!isObject(answer.args) || !isObject(output.args)) {
        refused.add(callID);
        throw new Error("Blocked: Hookline changed this call, and the change cannot be made.");
      }
      // In place: the caller keeps its own reference.
      for (const key of Object.keys(output.args)) if (!Object.hasOwn(answer.args, key)) delete output.args[key];
      Object.assign(output.args, answer.args);
    },

    "tool.execute.after": async (input, output) => {
      const { tool, sessionID, callID, args } = input;
      // A tool of an MCP server has parts instead of a text.
      const isText = typeof output.output === "string";
      const result = isText ? output.output : output.content;
      const answer = await tryPut("tool.execute.after", sessionID, {
        tool,
        callID,
        args,
        output: result,
        title: output.title,
        metadata: output.metadata,
      });
      if (answer.decision === "block") throw new Error(answer.reason);
      if (answer.output !== undefined) {
        const text = typeof answer.output === "string" ? answer.output : JSON.stringify(answer.output);
        if (isText) output.output = text;
        else output.content = [{ type: "text", text }];
      }
      const text = contextOf(answer).join("\n\n");
      if (text === "") return;
      if (typeof output.output === "string") output.output += "\n\n" + text;
      else if (Array.isArray(output.content)) output.content.push({ type: "text", text });
    },

    "experimental.chat.system.transform": async (input, output) => {
      const session = sessions.get(input.sessionID);
      if (session) for (const text of await session.context) output.system.push(text);
    },

    "experimental.session.compacting": async (input, output) => {
      const answer = await tryPut("experimental.session.compacting", input.sessionID, {});
      if (Array.isArray(output.context)) output.context.push(...contextOf(answer));
    },

    "experimental.text.complete": async (input, output) => {
      if (typeof output.text === "string") said.set(input.sessionID, output.text);
    },
  };
};
`;
