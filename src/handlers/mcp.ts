import {
  Client,
  ProtocolError,
  ReadBuffer,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { Handler, RawResult } from "../core/hook.ts";
import { errorCode } from "../platform/files.ts";
import { version } from "../platform/version.ts";
import { argvOf, CannotStart } from "./_interpreter.ts";
import { endGroup, endStrays, keepStrays, watchGroup } from "./_processes.ts";

export interface McpCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
  readonly cancel?: AbortSignal;
}

/** What a tool may answer with; more ends the connection. */
const mostBytes = 4 * 1024 * 1024;

/** What a server gets to end by itself once its standard input is closed. */
const graceMs = 1000;

/** Starts an MCP server for one call of one of its tools, and leaves nothing of it behind. */
export async function runMcp(
  server: Extract<Handler, { kind: "command" }>,
  { tool, input, cwd, env, timeoutMs, cancel }: McpCall,
): Promise<RawResult> {
  const started = performance.now();
  const result = (rest: Pick<RawResult, "ended"> & Partial<RawResult>): RawResult => ({
    stdout: "",
    stderr: "",
    ...rest,
    ms: performance.now() - started,
  });
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = cancel ? AbortSignal.any([limit, cancel]) : limit;
  let connection: Connection;
  try {
    connection = connect(argvOf(server), cwd, { ...env, ...server.env });
  } catch (error) {
    const detail =
      error instanceof CannotStart ? error.message : `it could not be started (${errorCode(error)})`;
    return result({ ended: "failed", detail });
  }
  const client = new Client({ name: "hookline", version });
  const options = { signal, timeout: timeoutMs };
  try {
    await client.connect(connection.transport, options);
    const answer = await client.callTool({ name: tool, arguments: { ...input } }, options);
    const text = textIn(answer.content);
    const value = answer.structuredContent ?? undefined;
    const said = { stdout: text, ...(value === undefined ? {} : { value }) };
    return answer.isError === true
      ? result({ ended: "failed", detail: text || "the tool reports an error", ...said })
      : result({ ended: "exit", exitCode: 0, ...said });
  } catch (error) {
    if (limit.aborted) return result({ ended: "timeout" });
    const said = error instanceof Error ? error.message : String(error);
    const detail =
      error instanceof ProtocolError
        ? `the MCP server answered with an error: ${said}`
        : `the MCP server did not answer: ${connection.trouble() ?? said}`;
    return result({ ended: "failed", detail });
  } finally {
    await connection.end(signal.aborted);
  }
}

const textIn = (content: unknown): string =>
  Array.isArray(content)
    ? content
        .map((part: { type?: unknown; text?: unknown }) =>
          typeof part.text === "string" ? part.text : `[${String(part.type)}]`,
        )
        .join("\n")
    : "";

interface Connection {
  readonly transport: Transport;
  /** Why nothing more comes. */
  trouble(): string | undefined;
  end(now: boolean): Promise<void>;
}

/** A server in a process group of its own. */
function connect(argv: readonly string[], cwd: string, env: McpCall["env"]): Connection {
  keepStrays();
  const child = Bun.spawn([...argv], {
    cwd,
    env: { ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    detached: true,
  });
  const forget = watchGroup(child.pid);
  let trouble: string | undefined;
  const transport: Transport = {
    async start() {
      void listen();
    },
    async send(message: JSONRPCMessage) {
      void child.stdin.write(`${JSON.stringify(message)}\n`);
      await child.stdin.flush();
    },
    async close() {
      await child.stdin.end();
    },
  };
  const listen = async (): Promise<void> => {
    const buffer = new ReadBuffer({ maxBufferSize: mostBytes });
    try {
      for await (const chunk of child.stdout) {
        buffer.append(Buffer.from(chunk));
        for (let message = next(buffer); message !== null; message = next(buffer))
          transport.onmessage?.(message);
      }
      const code = await child.exited;
      trouble = `it ended (${child.signalCode ?? `exit ${code}`})`;
    } catch (error) {
      trouble = error instanceof Error ? error.message : String(error);
      endGroup(child.pid, "SIGKILL");
    }
    transport.onclose?.();
  };
  const next = (buffer: ReadBuffer): JSONRPCMessage | null => {
    for (;;) {
      try {
        return buffer.readMessage();
      } catch (error) {
        // A line that is no message; the next one may be.
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  return {
    transport,
    trouble: () => trouble,
    async end(now) {
      if (!now) {
        try {
          await child.stdin.end();
        } catch {
          // It has closed it already.
        }
        await Promise.race([child.exited, Bun.sleep(graceMs)]);
      }
      endGroup(child.pid, "SIGKILL");
      await child.exited;
      forget();
      endStrays();
    },
  };
}
