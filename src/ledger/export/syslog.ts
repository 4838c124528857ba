import { toSyslog } from "./cef.ts";
import type { Sent, Sink } from "./sink.ts";

/** Sends to a syslog server: `tcp://host:port` (RFC 6587, counted), `tls://…`, or `udp://…`, where anything may be lost. */
export function syslogSink(url: URL): Sink {
  const port = Number(url.port) || (url.protocol === "tls:" ? 6514 : 514);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return {
    name: `syslog ${url.protocol}//${url.host}`,
    most: 200,
    send: async (records) => {
      const messages = records.map((record) => new TextEncoder().encode(toSyslog(record)));
      try {
        if (url.protocol === "udp:") return await byUdp(messages, host, port);
        return await byTcp(messages.flatMap(counted), host, port, url.protocol === "tls:");
      } catch (error) {
        return { kind: "later", why: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

const counted = (message: Uint8Array): Uint8Array[] => [
  new TextEncoder().encode(`${message.length} `),
  message,
];

async function byUdp(messages: readonly Uint8Array[], hostname: string, port: number): Promise<Sent> {
  const socket = await Bun.udpSocket({ connect: { hostname, port } });
  try {
    for (const message of messages) {
      // What does not fit a datagram is cut: half a message is better than none.
      while (!socket.send(message.subarray(0, 65_000))) await Bun.sleep(1);
    }
    return { kind: "done" };
  } finally {
    socket.close();
  }
}

/** Done when the other side has taken everything and closed properly: syslog knows no other acknowledgement. */
async function byTcp(
  parts: readonly Uint8Array[],
  hostname: string,
  port: number,
  tls: boolean,
): Promise<Sent> {
  const bytes = Buffer.concat(parts);
  const { promise, resolve } = Promise.withResolvers<Sent>();
  let sent = 0;
  const later = (why: string): void => resolve({ kind: "later", why });
  await Bun.connect({
    hostname,
    port,
    tls,
    socket: {
      open: (socket) => push(socket),
      drain: (socket) => push(socket),
      data: () => undefined,
      close: () => (sent < bytes.length ? later("the connection was closed") : resolve({ kind: "done" })),
      error: (_, error) => later(error.message),
      connectError: (_, error) => later(error.message),
    },
  });
  const timer = setTimeout(() => later("the receiver takes too long"), 30_000);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }

  function push(socket: { write(data: Uint8Array): number; end(): void }): void {
    sent += socket.write(bytes.subarray(sent));
    if (sent >= bytes.length) socket.end();
  }
}
