import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hosts } from "../src/hosts/index.generated.ts";
import { readFixtures } from "../src/testing/host-tester.ts";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const repository = join(import.meta.dir, "..");
const bin = mkdtempSync(join(tmpdir(), "hookline-warm-"));
const cold = join(bin, "hookline");
const client = join(bin, "hookline-warm");

beforeAll(() => {
  for (const name of ["hookline", "hookline-warm"])
    copyFileSync(join(repository, "dist", name), join(bin, name));
});
afterAll(() => rmSync(bin, { recursive: true }));

const folderOf = ({ home }: Workspace): string => join(home, ".local/state/hookline/warm");
const socketOf = (ws: Workspace): string => join(folderOf(ws), "hooks.sock");
const statusOf = (ws: Workspace) =>
  JSON.parse(readFileSync(join(folderOf(ws), "server.json"), "utf8")) as Record<string, any>;
const until = async (isSo: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 1000 && !isSo(); tries++) await Bun.sleep(10);
  expect(isSo()).toBe(true);
};

/** A workspace whose agent calls the client. */
const warmly = (files: Record<string, string> = {}): Workspace => workspace(files, client);

/** A server for a workspace's user. */
async function serve(ws: Workspace, ...args: string[]) {
  const child = Bun.spawn([cold, "serve", "--hooks", ...args], {
    cwd: "/",
    env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await until(() => existsSync(socketOf(ws)) || child.exitCode !== null);
  return {
    pid: child.pid,
    child,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Ends whatever server a call has started by itself. */
const ended = (ws: Workspace) => ({
  async [Symbol.asyncDispose]() {
    const stop = Bun.spawn([cold, "serve", "--hooks", "--stop"], {
      env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
      stdio: ["ignore", "ignore", "ignore"],
    });
    await stop.exited;
  },
});

/** As long as it lasts nothing can be answered but by the server. */
function withoutCold() {
  chmodSync(cold, 0o644);
  return { [Symbol.dispose]: () => chmodSync(cold, 0o755) };
}

const bash = (ws: Workspace, command: string) => claude(ws.root, "Bash", { command });
const isDenied = (stdout: string): boolean => stdout.includes('"permissionDecision":"deny"');

describe("a warm call", () => {
  test("is answered by the server alone, and recorded like any other", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    using _only = withoutCold();
    const denied = await ws.run(["run", "--host", "claude-code"], bash(ws, "rm -rf /"));
    expect([denied.exitCode, isDenied(denied.stdout), denied.stderr]).toEqual([0, true, ""]);
    const safe = await ws.run(["run"], bash(ws, "ls"));
    expect([safe.exitCode, safe.stdout, safe.stderr]).toEqual([0, "", ""]);
    const written = ws.records();
    expect(written.map(({ verdict }) => verdict.outcome)).toEqual(["block", "pass"]);
    expect(written[0]?.["event"]).toMatchObject({ root: ws.root, cwd: ws.root, tool: "Bash" });
  });

  test("starts a server where there is none, once", async () => {
    using ws = warmly();
    await using _end = ended(ws);
    const calls = Array.from({ length: 4 }, () => ws.run(["run"], bash(ws, "rm -rf /")));
    for (const { stdout } of await Promise.all(calls)) expect(isDenied(stdout)).toBe(true);
    await until(() => existsSync(socketOf(ws)));
    const { pid } = statusOf(ws);
    using _only = withoutCold();
    expect(isDenied((await ws.run(["run"], bash(ws, "rm -rf /"))).stdout)).toBe(true);
    expect(statusOf(ws)["pid"]).toBe(pid);
    expect(ws.records()).toHaveLength(5);
  });

  test("says exactly what a cold one says, for everything a host has ever sent", async () => {
    using one = workspace();
    using other = warmly();
    await using _server = await serve(other);
    for (const id of Object.keys(hosts))
      for (const { name, event, stdin } of readFixtures(join(repository, `src/hosts/${id}/fixtures`))) {
        const args = ["run", "--host", id, "--event", event];
        const [left, right] = await Promise.all([one.run(args, stdin), other.run(args, stdin)]);
        expect({ id, name, said: spoken(right, other) }).toEqual({ id, name, said: spoken(left, one) });
      }
    expect(other.records().map((record) => essence(record, other))).toEqual(
      one.records().map((record) => essence(record, one)),
    );
  }, 120_000);

  test("is warm for all a host sends but what cannot be judged, or is about hooks", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    using _only = withoutCold();
    const left: string[] = [];
    for (const id of Object.keys(hosts))
      for (const { name, event, stdin } of readFixtures(join(repository, `src/hosts/${id}/fixtures`))) {
        const { stderr } = await ws.run(["run", "--host", id, "--event", event], stdin);
        if (stderr.includes("cannot be started")) left.push(`${id} ${name}`);
      }
    expect(left).toEqual([]);
  }, 60_000);

  test("says exactly what a cold one says about a slice of the corpus", async () => {
    using one = workspace();
    using other = warmly();
    await using _server = await serve(other);
    const commands = readdirSync(join(repository, "corpus"))
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) =>
        readFileSync(join(repository, "corpus", name), "utf8")
          .trim()
          .split("\n"),
      )
      .filter((_, at) => at % 25 === 0)
      .map((line) => (JSON.parse(line) as { command: string }).command);
    expect(commands.length).toBeGreaterThan(50);
    for (const command of commands) {
      const [left, right] = await Promise.all([
        one.run(["run"], bash(one, command)),
        other.run(["run"], bash(other, command)),
      ]);
      expect({ command, said: spoken(right, other) }).toEqual({ command, said: spoken(left, one) });
    }
    expect(other.records().map((record) => essence(record, other))).toEqual(
      one.records().map((record) => essence(record, one)),
    );
  }, 120_000);

  test("follows the policy as it is at that moment", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    const outcome = async () => (await ws.run(["run"], bash(ws, "rm -rf /"))).stdout;
    expect(isDenied(await outcome())).toBe(true);
    ws.write("hookline.yaml", "extends: recommended\nmode: observe\n");
    expect(isDenied(await outcome())).toBe(false);
    ws.write("hookline.yaml", "extends: recommended\nmode: enforce\n");
    using _only = withoutCold();
    expect(isDenied(await outcome())).toBe(true);
  });

  test("is judged with the caller's environment and directory, not the server's", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    mkdirSync(ws.path("inner/.git"), { recursive: true });
    ws.write("inner/.git/HEAD", "ref: refs/heads/main\n");
    const payload = { ...claude(ws.path("inner"), "Write", { file_path: ws.path("a.txt"), content: "x" }) };
    using _only = withoutCold();
    const outside = await ws.run(["run"], payload);
    expect(isDenied(outside.stdout)).toBe(true);
    const inside = await ws.run(["run"], payload, { CLAUDE_PROJECT_DIR: ws.root });
    expect(inside.stdout).toBe("");
    // A payload that does not say where it is means where the hook was started.
    const { cwd: _cwd, ...rest } = claude("", "Write", { file_path: "a.txt", content: "x" });
    expect((await ws.run(["run"], rest)).stdout).toBe("");
    expect(ws.records().at(-1)?.["event"].root).toBe(ws.root);
  });

  test("tells of settings that were changed behind our back, by what each user's own settings were", async () => {
    using ws = warmly();
    await ws.run(["init", "--yes", "--host", "claude-code"]);
    await using _server = await serve(ws);
    using _gone = withoutCold();
    const event = (name: string) =>
      ws.run(["run", "--host", "claude-code"], claude(ws.root, "Bash", { command: "ls" }, name));
    await event("SessionStart");
    expect((await event("PostToolUse")).stdout).not.toContain("hookline/switched-off");
    writeFileSync(ws.path(".claude/settings.json"), "{}");
    expect((await event("PostToolUse")).stdout).toContain("hookline/switched-off");
    expect(JSON.parse((await event("ConfigChange")).stdout)).toMatchObject({ decision: "block" });
  });

  test("takes payloads of any size", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    using _only = withoutCold();
    for (const size of [100_000, 1_000_000, 5_000_000]) {
      const large = { file_path: "/etc/hosts", content: "x".repeat(size) };
      const { stdout } = await ws.run(["run"], claude(ws.root, "Write", large));
      expect({ size, denied: isDenied(stdout) }).toEqual({ size, denied: true });
    }
  });

  test("is answered when thirty-two ask at once, each on record once", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    const commands = Array.from({ length: 32 }, (_, at) => (at % 2 === 0 ? `rm -rf /x${at}` : `echo ${at}`));
    const said = await Promise.all(commands.map((command) => ws.run(["run"], bash(ws, command))));
    expect(said.map(({ stdout }) => isDenied(stdout))).toEqual(commands.map((_, at) => at % 2 === 0));
    const recorded = ws.records().map(({ event }) => event.payload.tool_input.command as string);
    expect(recorded.toSorted()).toEqual(commands.toSorted());
    using plain = coldIn(ws);
    expect((await plain.run(["verify"])).exitCode).toBe(0);
  }, 30_000);
});

describe("what the server leaves to the cold executable", () => {
  test("hooks of the workspace, which run once", async () => {
    using ws = warmly({
      "hookline.yaml":
        "extends: recommended\nhooks:\n  - id: note\n    on: PreToolUse\n    run: echo x >> ran.txt\n",
    });
    using plain = coldIn(ws);
    await plain.run(["trust", "--yes"]);
    await using _server = await serve(ws);
    const ran = await ws.run(["run"], bash(ws, "ls"));
    expect(ran.exitCode).toBe(0);
    expect(ws.records()).toHaveLength(1);
    expect(ws.records()[0]?.["hooks"]?.length ?? 0).toBe(1);
    expect(readFileSync(ws.path("ran.txt"), "utf8")).toBe("x\n");
  });

  test("what cannot be read, which is refused and recorded once", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    for (const text of ["", "garbage", "[]"]) {
      const ran = await ws.run(["run"], text);
      expect({ text, exitCode: ran.exitCode }).toEqual({ text, exitCode: 2 });
      expect(ran.stderr).toContain("Blocked by hookline");
    }
    expect(ws.records()).toHaveLength(3);
  });

  test("whatever is more than a question: other commands, other flags, help", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    expect((await ws.run(["--version"])).stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
    expect((await ws.run(["run", "--help"])).stdout).toContain("hookline run");
    const verbose = await ws.run(["run", "--verbose"], bash(ws, "ls"));
    expect(verbose.stderr).toContain("recognised as claude-code");
    const unknown = await ws.run(["run", "--tomorrow"], bash(ws, "ls"));
    expect(unknown.stderr).toContain('ignored unknown argument "--tomorrow"');
  });

  test("a caller in another time zone", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    using _only = withoutCold();
    const ran = await ws.run(["run"], bash(ws, "ls"), { TZ: "Asia/Tokyo" });
    expect(ran.stderr).toContain("cannot be started");
  });

  test("a caller without a home", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    const ran = await ws.run(["run"], bash(ws, "rm -rf /"), { HOME: "" });
    expect(isDenied(ran.stdout)).toBe(true);
  });
});

describe("a server that is not as it should be never weakens a verdict", () => {
  const lying = (ws: Workspace, answer: Uint8Array) => {
    mkdirSync(folderOf(ws), { recursive: true, mode: 0o700 });
    chmodSync(folderOf(ws), 0o700);
    let asked = 0;
    const listener = Bun.listen({
      unix: socketOf(ws),
      socket: {
        data(socket) {
          asked++;
          socket.write(answer);
        },
      },
    });
    return { asked: () => asked, [Symbol.dispose]: () => listener.stop(true) };
  };
  const approval = new Uint8Array([...Buffer.from("HKLNA"), ...Array.from({ length: 15 }, () => 0)]);

  test("another program at its place is not even asked", async () => {
    using ws = warmly();
    using liar = lying(ws, approval);
    const ran = await ws.run(["run"], bash(ws, "rm -rf /"));
    expect([ran.exitCode, isDenied(ran.stdout), liar.asked()]).toEqual([0, true, 0]);
    expect(ws.records()).toHaveLength(1);
  });

  test("a folder that others can enter is not trusted", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    chmodSync(folderOf(ws), 0o755);
    chmodSync(cold, 0o644);
    const ran = await ws.run(["run"], bash(ws, "ls"));
    chmodSync(cold, 0o755);
    expect([ran.exitCode, ran.stderr.includes("cannot be started")]).toEqual([2, true]);
  });

  const sandboxes = [
    ["unshare", "--user", "--map-root-user", "--mount"],
    ["setpriv", "--no-new-privs"],
  ].filter((wrap) => Bun.which(wrap[0] ?? "") && Bun.spawnSync([...wrap, "true"]).exitCode === 0);
  test.if(sandboxes.length > 0)(
    "one that was started in a sandbox is not asked: it does not see what the caller sees",
    async () => {
      using ws = warmly();
      const env = { HOME: ws.home, PATH: "/usr/bin:/bin" };
      for (const wrap of sandboxes) {
        const child = Bun.spawn([...wrap, cold, "serve", "--hooks"], {
          cwd: "/",
          env,
          stdio: ["ignore", "ignore", "ignore"],
        });
        await until(() => existsSync(socketOf(ws)) || child.exitCode !== null);
        expect(child.exitCode).toBeNull();
        chmodSync(cold, 0o644);
        const ran = await ws.run(["run"], bash(ws, "ls"));
        chmodSync(cold, 0o755);
        expect({ wrap, exitCode: ran.exitCode, cold: ran.stderr.includes("cannot be started") }).toEqual({
          wrap,
          exitCode: 2,
          cold: true,
        });
        child.kill("SIGTERM");
        await child.exited;
      }
    },
  );

  test("a server that was killed leaves its socket behind; the next call is cold and starts another", async () => {
    using ws = warmly();
    await using _end = ended(ws);
    const { child, pid } = await serve(ws);
    child.kill("SIGKILL");
    await child.exited;
    expect(existsSync(socketOf(ws))).toBe(true);
    expect(isDenied((await ws.run(["run"], bash(ws, "rm -rf /"))).stdout)).toBe(true);
    await until(() => existsSync(socketOf(ws)) && statusOf(ws)["pid"] !== pid);
    expect(ws.records()).toHaveLength(1);
  });

  test("one that does not answer in time is left alone, and does not record what it did not tell", async () => {
    using ws = warmly();
    await using server = await serve(ws);
    process.kill(server.pid, "SIGSTOP");
    const ran = await ws.run(["run"], bash(ws, "rm -rf /"));
    expect(isDenied(ran.stdout)).toBe(true);
    process.kill(server.pid, "SIGCONT");
    expect((await ws.run(["run"], bash(ws, "ls"))).exitCode).toBe(0);
    const outcomes = ws.records().map(({ verdict }) => verdict.outcome as string);
    expect(outcomes).toEqual(["block", "pass"]);
  }, 20_000);

  test("killed in the middle of a crowd, everybody gets the right answer", async () => {
    using ws = warmly();
    await using _end = ended(ws);
    const { child } = await serve(ws);
    const commands = Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? `rm -rf /x${at}` : `echo ${at}`));
    const calls = commands.map((command) => ws.run(["run"], bash(ws, command)));
    await Bun.sleep(15);
    child.kill("SIGKILL");
    const said = await Promise.all(calls);
    expect(said.map(({ stdout }) => isDenied(stdout))).toEqual(commands.map((_, at) => at % 2 === 0));
    expect(said.map(({ exitCode }) => exitCode)).toEqual(commands.map(() => 0));
  }, 30_000);

  test("a replaced executable is another server's business, and the old one goes", async () => {
    using ws = warmly();
    await using _end = ended(ws);
    const { child } = await serve(ws);
    copyFileSync(cold, `${cold}.new`);
    renameSync(`${cold}.new`, cold);
    expect(isDenied((await ws.run(["run"], bash(ws, "rm -rf /"))).stdout)).toBe(true);
    expect(await child.exited).toBe(0);
    expect(ws.records()).toHaveLength(1);
  });

  test("where standard output is closed a refusal is one by its exit code, and that is on record", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    const payload = JSON.stringify(bash(ws, "rm -rf /"));
    writeFileSync(ws.path("payload.json"), payload);
    const child = Bun.spawn(
      ["bash", "-c", `exec 3> >(exit 0); sleep 0.2; "${client}" run < payload.json >&3; exit $?`],
      { cwd: ws.root, env: { HOME: ws.home, PATH: "/usr/bin:/bin" }, stdio: ["ignore", "ignore", "pipe"] },
    );
    expect(await child.stderr.text()).toContain("safety/destructive-delete");
    expect(await child.exited).toBe(2);
    await until(() => ws.records().length === 2);
    expect(ws.records()[1]?.["failure"]).toMatchObject({ kind: "answer" });
  });
});

describe("the server", () => {
  test("is one for each user, however many are started at once", async () => {
    using ws = warmly();
    const started = await Promise.all(Array.from({ length: 5 }, () => serve(ws)));
    await until(() => started.filter(({ child }) => child.exitCode === null).length === 1);
    const [alive] = started.filter(({ child }) => child.exitCode === null);
    expect(statusOf(ws)["pid"]).toBe(alive?.pid);
    for (const { child } of started) child.kill("SIGTERM");
    await Promise.all(started.map(({ child }) => child.exited));
    expect(started.map(({ child }) => child.exitCode)).toEqual([0, 0, 0, 0, 0]);
  });

  test("is ended as soon as it can be found, and takes its socket along", async () => {
    using ws = warmly();
    for (let round = 0; round < 8; round++) {
      const child = Bun.spawn([cold, "serve", "--hooks"], {
        cwd: "/",
        env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
        stdio: ["ignore", "ignore", "ignore"],
      });
      // Without a pause: it is the first moment that counts.
      for (const until = Date.now() + 10_000; !existsSync(socketOf(ws)) && Date.now() < until;);
      child.kill("SIGTERM");
      expect(await child.exited).toBe(0);
      expect(existsSync(socketOf(ws))).toBe(false);
    }
  }, 30_000);

  test("ends when nobody asks, and takes its socket along", async () => {
    using ws = warmly();
    const { child } = await serve(ws, "--idle", "0.5");
    expect(await child.exited).toBe(0);
    expect(existsSync(socketOf(ws))).toBe(false);
  });

  test("answers who has asked before it ends", async () => {
    using ws = warmly();
    await using _end = ended(ws);
    const { child } = await serve(ws);
    const commands = Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? `rm -rf /x${at}` : `echo ${at}`));
    const calls = commands.map((command) => ws.run(["run"], bash(ws, command)));
    await Bun.sleep(10);
    child.kill("SIGTERM");
    const said = await Promise.all(calls);
    expect(said.map(({ stdout }) => isDenied(stdout))).toEqual(commands.map((_, at) => at % 2 === 0));
    expect(await child.exited).toBe(0);
    const recorded = ws.records().map(({ event }) => event.payload.tool_input.command as string);
    expect(recorded.toSorted()).toEqual(commands.toSorted());
  }, 30_000);

  test("keeps its folder to itself, and nothing of a caller in it", async () => {
    using ws = warmly();
    await using _server = await serve(ws, "--port", "0");
    await ws.run(["run"], bash(ws, "echo canary"), { SECRET: "hunter2hunter2" });
    expect(statSync(folderOf(ws)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folderOf(ws))) {
      const path = join(folderOf(ws), name);
      expect({ name, mode: statSync(path).mode & 0o077 }).toEqual({ name, mode: 0 });
      if (name !== "hooks.sock") expect(readFileSync(path, "utf8")).not.toMatch(/canary|hunter2/);
    }
  });

  test("does not take what is not a request", async () => {
    using ws = warmly();
    await using _server = await serve(ws);
    for (const bytes of ["GET / HTTP/1.1\r\n\r\n", "HKLN\xff\xff\xff\xff", "HKLN", ""]) {
      const socket = await Bun.connect({ unix: socketOf(ws), socket: { data() {} } });
      socket.write(bytes);
      await Bun.sleep(20);
      socket.end();
    }
    using _only = withoutCold();
    expect((await ws.run(["run"], bash(ws, "ls"))).exitCode).toBe(0);
  });

  test("says what it wants where it is called wrongly", async () => {
    using ws = workspace();
    for (const args of [["serve"], ["serve", "--hooks", "--port", "x"], ["serve", "--hooks", "--idle", "-1"]])
      expect((await ws.run(args)).exitCode).toBe(2);
    expect((await ws.run(["serve", "--hooks", "--stop"])).stdout).toBe("no server is running\n");
  });
});

describe("by http", () => {
  const ask = async (
    ws: Workspace,
    payload: unknown,
    { path = "/run/claude-code", method = "POST", ...headers }: Record<string, string> = {},
  ) => {
    const token = readFileSync(join(folderOf(ws), "token"), "utf8").trim();
    const response = await fetch(`http://127.0.0.1:${statusOf(ws)["port"]}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
      ...(method === "POST" ? { body: typeof payload === "string" ? payload : JSON.stringify(payload) } : {}),
    });
    return { status: response.status, json: (await response.json()) as Record<string, any> };
  };

  test("a hook gets the answer a command gets", async () => {
    using ws = warmly();
    await using _server = await serve(ws, "--port", "0");
    using plain = coldIn(ws);
    const payload = bash(ws, "rm -rf /");
    await plain.run(["run"], bash(ws, "ls"));
    const told = (await plain.run(["run", "--host", "claude-code"], payload)).json();
    expect(await ask(ws, payload)).toEqual({ status: 200, json: told });
    expect(await ask(ws, bash(ws, "ls"))).toEqual({ status: 200, json: {} });
    expect(ws.records()).toHaveLength(4);
  });

  test("whoever does not know the token, or comes from a page, gets nothing", async () => {
    using ws = warmly();
    await using _server = await serve(ws, "--port", "0");
    const payload = bash(ws, "ls");
    expect((await ask(ws, payload, { authorization: "" })).status).toBe(401);
    expect((await ask(ws, payload, { authorization: "Bearer 00" })).status).toBe(401);
    expect((await ask(ws, payload, { host: "evil.test" })).status).toBe(403);
    expect((await ask(ws, payload, { origin: "http://evil.test" })).status).toBe(403);
    expect((await ask(ws, payload, { path: "/" })).status).toBe(404);
    expect((await ask(ws, payload, { method: "GET" })).status).toBe(405);
    expect(ws.records()).toHaveLength(0);
  });

  test("a port of the settings that is taken does not keep the server from answering", async () => {
    using ws = warmly();
    using taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("{}") });
    mkdirSync(folderOf(ws), { recursive: true, mode: 0o700 });
    writeFileSync(join(folderOf(ws), "settings.json"), JSON.stringify({ port: taken.port }));
    await using _server = await serve(ws);
    using _only = withoutCold();
    expect((await ws.run(["run"], bash(ws, "ls"))).exitCode).toBe(0);
    expect(statusOf(ws)["port"]).toBeUndefined();
    expect(statusOf(ws)["trouble"]).toContain("http:");
  });

  test("a port of the settings is answered", async () => {
    using ws = warmly();
    const free = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("{}") });
    const { port } = free;
    await free.stop(true);
    mkdirSync(folderOf(ws), { recursive: true, mode: 0o700 });
    writeFileSync(join(folderOf(ws), "settings.json"), JSON.stringify({ port }));
    await using _server = await serve(ws);
    expect(statusOf(ws)["port"]).toBe(port);
    expect((await ask(ws, bash(ws, "rm -rf /"))).json["permissionDecision"]).toBe("deny");
  });

  test("the project is the one the address names", async () => {
    using ws = warmly();
    await using _server = await serve(ws, "--port", "0");
    mkdirSync(ws.path("inner/.git"), { recursive: true });
    ws.write("inner/.git/HEAD", "ref: refs/heads/main\n");
    const payload = claude(ws.path("inner"), "Write", { file_path: ws.path("a.txt"), content: "x" });
    expect((await ask(ws, payload)).json["permissionDecision"]).toBe("deny");
    const path = `/run/claude-code?project=${encodeURIComponent(ws.root)}`;
    expect((await ask(ws, payload, { path })).json).toEqual({});
  });

  test("what cannot be read is refused in words an agent obeys", async () => {
    using ws = warmly();
    await using _server = await serve(ws, "--port", "0");
    for (const text of ["garbage", "", "[]"]) {
      const { status, json } = await ask(ws, text);
      expect({ text, status, decision: json["decision"] }).toEqual({ text, status: 200, decision: "block" });
      expect(json["hookSpecificOutput"].permissionDecision).toBe("deny");
    }
  });
});

/** The same workspace with the cold executable. */
function coldIn(ws: Workspace): Workspace {
  const run: Workspace["run"] = async (args, input = "", env = {}) => {
    const child = Bun.spawn([cold, ...args], {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/bin:/bin", ...env },
      stdin: new TextEncoder().encode(typeof input === "string" ? input : JSON.stringify(input)),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    return { exitCode: await child.exited, stdout, stderr, json: () => JSON.parse(stdout) };
  };
  return { ...ws, run, [Symbol.dispose]: () => {} };
}

/** What was said, wherever it was. */
const spoken = (
  { exitCode, stdout, stderr }: { exitCode: number; stdout: string; stderr: string },
  ws: Workspace,
) => ({
  exitCode,
  stdout: anywhere(stdout, ws),
  stderr: anywhere(stderr, ws),
});

const anywhere = (text: string, { root }: Workspace): string =>
  text
    .replaceAll(dirname(root), "BASE")
    .replaceAll(bin, "BIN")
    .replaceAll(join(repository, "dist"), "BIN")
    .replace(/(?<=\(record |"record":")[\da-f-]{36}/g, "RECORD");

/** What a record says of an event, but for times, ids, links and processes. */
function essence(record: Record<string, any>, ws: Workspace): unknown {
  const { host, event, actions, findings, verdict, unexpressed, effects, policy, failure, call } = record;
  const kept = { host, event, actions, findings, verdict, unexpressed, effects, policy, failure, call };
  return JSON.parse(
    anywhere(JSON.stringify(kept), ws)
      .replaceAll(/socket:\[\d+\]/g, "SOCKET")
      // What depends on the process is judged by one of its own.
      .replaceAll(/\/proc\/\d+\//g, "/proc/PROCESS/")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME"),
  ) as unknown;
}
