import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { claude, workspace, type Workspace } from "./support/hookline.ts";

const call = (ws: Workspace, command: string, more: object = {}) =>
  ws.run(["run"], { ...claude(ws.root, "Bash", { command }), ...more });

async function filled(count: number): Promise<Workspace> {
  const ws = workspace();
  for (let at = 0; at < count; at++) await call(ws, at % 3 === 2 ? "git push --force" : `ls ${at}`);
  return ws;
}

/** Many records at once, with a chain that is real. */
async function grown(ws: Workspace, count: number): Promise<void> {
  const { appendRecord } = await import("../src/ledger/append.ts");
  const { bareRecord } = await import("../src/ledger/record.ts");
  for (let at = 0; at < count; at++)
    await appendRecord(
      ws.root,
      bareRecord({
        host: { name: "claude-code" },
        event: { name: "PreToolUse", session: "grown" },
        verdict: { outcome: "pass", told: "pass" },
      }),
      { HOME: ws.home },
      { limits: { bytes: 100_000, days: 30 } },
    );
}

interface Receiver extends AsyncDisposable {
  readonly url: string;
  mood(text: string): void;
  stop(): Promise<void>;
  start(): Promise<void>;
  requests(): any[];
  metrics(): any[];
  logs(): any[];
  wrong(): any[];
  /** The ids it took, as often as it took them. */
  ids(): string[];
}

async function receiver(): Promise<Receiver> {
  const folder = mkdtempSync(join(tmpdir(), "hookline-otlp-"));
  let child: Bun.Subprocess | undefined;
  let port = "0";
  const lines = (name: string): any[] =>
    existsSync(join(folder, name))
      ? readFileSync(join(folder, name), "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line))
      : [];
  const made: Receiver = {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    mood: (text) => writeFileSync(join(folder, "mood"), text),
    async start() {
      rmSync(join(folder, "port"), { force: true });
      child = Bun.spawn([process.execPath, join(import.meta.dir, "support/otlp-receiver.ts"), port, folder], {
        stderr: "inherit",
      });
      for (let at = 0; at < 200 && !existsSync(join(folder, "port")); at++) await Bun.sleep(50);
      await Bun.sleep(20);
      port = readFileSync(join(folder, "port"), "utf8");
    },
    async stop() {
      child?.kill("SIGKILL");
      await child?.exited;
    },
    requests: () => lines("requests"),
    metrics: () => lines("metrics"),
    wrong: () => lines("wrong"),
    logs: () => lines("taken").flatMap(({ resourceLogs }) => resourceLogs[0].scopeLogs[0].logRecords),
    ids: () => made.logs().map((log) => attributesOf(log)["log.record.uid"]),
    async [Symbol.asyncDispose]() {
      await made.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await made.start();
  return made;
}

const attributesOf = ({ attributes }: any): Record<string, any> =>
  Object.fromEntries(
    attributes.map(({ key, value }: any) => [
      key,
      value.arrayValue?.values.map((each: any) => each.stringValue) ?? Object.values(value)[0],
    ]),
  );

const idsOf = (ws: Workspace) => ws.records().map((record) => record["id"]);

function following(ws: Workspace, url: string) {
  return Bun.spawn([join(import.meta.dir, "../dist/hookline"), "export", "--otlp", url, "--follow"], {
    cwd: ws.root,
    env: { HOME: ws.home, PATH: "/usr/bin:/bin" },
    stdout: "ignore",
    stderr: "ignore",
  });
}

async function until(holds: () => boolean, rounds = 300): Promise<void> {
  for (let at = 0; at < rounds && !holds(); at++) await Bun.sleep(50);
}

test("a record that somebody has put nonsense into holds up no other, and leaves no format invalid", async () => {
  using ws = await filled(1);
  const nonsense = [
    { id: "n1" },
    { id: "n2", time: "never", ms: { all: 5 } },
    { id: "n3", time: "1960-01-01T00:00:00Z", event: { name: "half \ud800 | = \\ \n\u0000" } },
    { id: "n4", time: "+275760-09-13T00:00:00.000Z", host: { name: "half \udfff" } },
    { id: 5, time: 5, findings: [null, { rule: "half \ud800", outcome: "no" }], event: 5, ms: { all: 0.5 } },
  ];
  for (const [at, more] of nonsense.entries())
    appendFileSync(
      join(ws.ledger, "current.jsonl"),
      `${JSON.stringify({ v: 2, kind: "decision", ...more, seq: 10 + at, link: `l${at}` })}\n`,
    );
  appendFileSync(
    join(ws.ledger, "current.jsonl"),
    `${JSON.stringify({ v: 2, kind: "decision", time: {}, seq: 1e300, link: {} })}\n`,
  );
  const cef = await ws.run(["export", "--cef"]);
  expect([cef.exitCode, cef.stderr]).toEqual([0, ""]);
  const lines = cef.stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(7);
  for (const line of lines) expect(line).toMatch(/^CEF:0\|Hookline\|hookline\|([^|\\]|\\[|\\])*\|/);
  expect(cef.stdout).not.toContain("NaN");
  await using to = await receiver();
  expect((await ws.run(["export", "--otlp", to.url])).exitCode).toBe(0);
  // 0 is what the protocol has for a time nobody knows.
  expect(to.wrong().filter((each) => !/^time (0|\d{18})$/.test(each))).toEqual([]);
  const sent = JSON.stringify(to.requests());
  expect(sent).not.toMatch(/NaN|"-\d|\\ud[89a-f]|e\+/);
  const types = to
    .logs()
    .flatMap(({ attributes }) => attributes)
    .filter(({ key }: { key: string }) => key === "hookline.duration_ms")
    .map(({ value }: { value: object }) => Object.keys(value)[0]);
  expect(new Set(types)).toEqual(new Set(["doubleValue"]));
  const udp = await Bun.udpSocket({ hostname: "127.0.0.1", port: 0 });
  expect((await ws.run(["export", "--syslog", `udp://127.0.0.1:${udp.port}`])).exitCode).toBe(0);
  udp.close();
});

test("what does not go together is said, not half done", async () => {
  using ws = await filled(1);
  for (const args of [
    ["--jsonl", "--cef"],
    ["--jsonl", "--otlp", "http://127.0.0.1:1"],
    ["--cef", "--original"],
    ["--jsonl", "--patience", "1"],
    ["--otlp", "http://127.0.0.1:1", "--patience", ""],
  ]) {
    const ran = await ws.run(["export", ...args]);
    expect([args, ran.exitCode, ran.stdout]).toEqual([args, 2, ""]);
    expect(ran.stderr).toContain(args.at(-1)?.startsWith("--") ? String(args.at(-1)) : "--");
  }
});

describe("OTLP", () => {
  test("each record is a log with the attributes others know, once; the sums are metrics", async () => {
    using ws = await filled(6);
    await ws.run(["run"], {
      ...claude(ws.root, "Write", { file_path: ws.path("src/a.ts"), content: "x" }),
      agent_id: "a7",
      agent_type: "reviewer",
    });
    await using at = await receiver();
    const ran = await ws.run(["export", "--otlp", at.url]);
    expect([ran.exitCode, ran.stdout, ran.stderr]).toEqual([0, "7 records sent\n", ""]);
    expect(at.wrong()).toEqual([]);
    expect(at.ids()).toEqual(idsOf(ws));
    const [blocked, written] = [at.logs()[2], at.logs()[6]];
    expect(blocked).toMatchObject({
      severityText: "ERROR",
      eventName: "hookline.decision",
      body: { stringValue: expect.stringContaining("Blocked by safety/git-history") },
    });
    expect(attributesOf(blocked)).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.conversation.id": "5f0c",
      "gen_ai.tool.name": "Bash",
      "gen_ai.tool.call.id": "toolu_01",
      "vcs.ref.head.name": "main",
      "hookline.outcome": "block",
      "hookline.rules": ["safety/git-history"],
      "hookline.subject": "git push --force",
    });
    expect(attributesOf(written)).toMatchObject({
      "code.file.path": ws.path("src/a.ts"),
      "gen_ai.agent.id": "a7",
      "gen_ai.agent.name": "reviewer",
    });
    const { metrics } = at.metrics()[0].resourceMetrics[0].scopeMetrics[0];
    const points = Object.fromEntries(
      metrics.map(({ name, sum, histogram }: any) => [name, (sum ?? histogram).dataPoints]),
    );
    expect(
      points["hookline.decisions"].map((point: any) => [
        attributesOf(point)["hookline.outcome"],
        point.asInt,
      ]),
    ).toEqual([
      ["pass", "5"],
      ["block", "2"],
    ]);
    expect(points["hookline.findings"][0].asInt).toBe("2");
    expect(points["hookline.decision.duration"][0].count).toBe("7");
    // Nothing is left to send; then one more is, and the sums go on.
    expect((await ws.run(["export", "--otlp", at.url])).stdout).toBe("0 records sent\n");
    await call(ws, "ls again");
    expect((await ws.run(["export", "--otlp", at.url])).stdout).toBe("1 record sent\n");
    expect(at.ids()).toEqual(idsOf(ws));
    expect(at.metrics().at(-1).resourceMetrics[0].scopeMetrics[0].metrics[0].sum.dataPoints[0].asInt).toBe(
      "6",
    );
  });

  test("down: nothing is lost, the exit code says so, and the next time goes on", async () => {
    using ws = await filled(3);
    await using at = await receiver();
    await at.stop();
    const ran = await ws.run(["export", "--otlp", at.url, "--patience", "0"]);
    expect([ran.exitCode, ran.stdout]).toEqual([1, "0 records sent\n"]);
    expect(ran.stderr).toContain("not everything could be sent");
    await at.start();
    expect((await ws.run(["export", "--otlp", at.url])).exitCode).toBe(0);
    expect(at.ids()).toEqual(idsOf(ws));
  });

  for (const [status, retryAfter] of [
    ["429", "1"],
    ["503", "1"],
    ["503", undefined],
    ["429", "Wed, 21 Oct 2015 07:28:00 GMT"],
  ] as const) {
    test(`${status}${retryAfter === undefined ? "" : ` with Retry-After: ${retryAfter}`} is waited out`, async () => {
      using ws = await filled(2);
      await using at = await receiver();
      at.mood(`status ${status}${retryAfter === undefined ? "" : `,${retryAfter}`}`);
      const running = ws.run(["export", "--otlp", at.url]);
      await until(() => at.requests().length > 0);
      at.mood("well");
      const ran = await running;
      expect(ran.exitCode).toBe(0);
      expect(ran.stderr).toContain(`the receiver answered ${status}; trying again`);
      expect(at.ids()).toEqual(idsOf(ws));
      const [first, second] = at.requests();
      if (retryAfter === "1") expect(second.at - first.at).toBeGreaterThanOrEqual(1000);
    });
  }

  test("slow: one that takes longer than we wait gets everything again, and can tell by the ids", async () => {
    using ws = await filled(2);
    await using at = await receiver();
    at.mood("slow 800");
    const running = ws.run(["export", "--otlp", at.url], "", { OTEL_EXPORTER_OTLP_TIMEOUT: "300" });
    await until(() => at.logs().length >= 2);
    at.mood("well");
    expect((await running).exitCode).toBe(0);
    expect(at.ids().length).toBeGreaterThan(2);
    expect([...new Set(at.ids())]).toEqual(idsOf(ws));
  });

  test("a receiver that dies, and an exporter that is killed, again and again: each record at least once, none invented", async () => {
    using ws = workspace();
    await grown(ws, 1500);
    await using at = await receiver();
    for (let round = 0; round < 4; round++) {
      at.mood(round % 2 === 0 ? "mute" : "slow 50");
      const child = following(ws, at.url);
      await until(() => at.ids().length > round * 300, 60);
      child.kill("SIGKILL");
      await child.exited;
      await at.stop();
      at.mood("well");
      await at.start();
    }
    // Segments were closed all the while, so the spool was renamed under the reader.
    expect(readdirSync(ws.ledger).filter((name) => /^\d{6}\.jsonl$/.test(name)).length).toBeGreaterThan(2);
    expect((await ws.run(["export", "--otlp", at.url])).exitCode).toBe(0);
    const once = [...new Set(at.ids())];
    expect(at.ids().length).toBeGreaterThan(once.length);
    expect(new Set(once)).toEqual(new Set(idsOf(ws)));
    const counted = at.metrics().at(-1).resourceMetrics[0].scopeMetrics[0].metrics[0].sum.dataPoints[0].asInt;
    expect(counted).toBe("1500");
  }, 60_000);

  test("--follow sends what comes, through an outage, and ends when asked to", async () => {
    using ws = await filled(1);
    await using at = await receiver();
    const child = following(ws, at.url);
    await until(() => at.ids().length === 1);
    await at.stop();
    await call(ws, "ls during the outage");
    await Bun.sleep(1500);
    await at.start();
    await until(() => at.ids().length >= 2);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(0);
    expect([...new Set(at.ids())]).toEqual(idsOf(ws));
  }, 40_000);

  test("a record the receiver refuses is left out and named; the others come through", async () => {
    using ws = await filled(5);
    await using at = await receiver();
    const [, , bad] = idsOf(ws);
    at.mood(`dislikes ${bad}`);
    const ran = await ws.run(["export", "--otlp", at.url]);
    expect(ran.stderr).toContain(`record ${bad} is left out: the receiver answered 400`);
    expect(at.ids()).toEqual(idsOf(ws).filter((id) => id !== bad));
  });

  test("what only somebody can mend is said at once, keeps everything, and leads nowhere else", async () => {
    using ws = await filled(2);
    await using at = await receiver();
    await using other = await receiver();
    for (const mood of ["status 401", "status 404", `moved ${other.url}/v1/logs`]) {
      at.mood(mood);
      const ran = await ws.run(["export", "--otlp", at.url]);
      expect([ran.exitCode, ran.stdout]).toEqual([1, "0 records sent\n"]);
    }
    expect(other.requests()).toEqual([]);
    at.mood("partial 1");
    expect((await ws.run(["export", "--otlp", at.url])).stderr).toContain(
      "the receiver did not take 1 of them",
    );
  });

  test("destinations and headers from policy and environment; nothing secret is ever printed or kept", async () => {
    using ws = await filled(1);
    await using at = await receiver();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: at.url,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20s3cr3tToken,x-key=k1",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    };
    expect((await ws.run(["export"], "", env)).exitCode).toBe(0);
    expect(at.requests()[0]).toMatchObject({ authorization: "Bearer s3cr3tToken", key: "k1", zipped: true });
    mkdirSync(join(ws.home, ".config/hookline"), { recursive: true });
    writeFileSync(
      join(ws.home, ".config/hookline/hookline.yaml"),
      `ledger:\n  export:\n    otlp: ${at.url}\n    headers: { x-key: COLLECTOR_KEY }\n`,
    );
    await call(ws, "ls");
    expect((await ws.run(["export"], "", { COLLECTOR_KEY: "p0licyS3cret" })).exitCode).toBe(0);
    expect(at.requests().at(-1).key).toBe("p0licyS3cret");
    // A key of the policy is for the policy's address.
    await using elsewhere = await receiver();
    await ws.run(["export", "--otlp", elsewhere.url], "", { COLLECTOR_KEY: "p0licyS3cret" });
    expect(elsewhere.requests()[0].key).toBeNull();
    at.mood("status 403");
    await call(ws, "ls");
    const withUser = at.url.replace("http://", "http://me:pa55w0rd@");
    const ran = await ws.run(["export", "--otlp", `${withUser}/?token=qu3ry`, "--patience", "0"], "", env);
    expect(at.requests().at(-1)).toMatchObject({ pathname: "/v1/logs", authorization: "Bearer s3cr3tToken" });
    const wrong = await ws.run(["export", "--otlp", "ftp://me:pa55w0rd@x"]);
    expect(wrong.exitCode).toBe(2);
    const state = join(ws.home, ".local/state/hookline/exports");
    const kept = readdirSync(state).map((name) => readFileSync(join(state, name), "utf8"));
    for (const secret of ["s3cr3tToken", "p0licyS3cret", "pa55w0rd", "qu3ry"])
      for (const said of [ran.stdout, ran.stderr, wrong.stderr, ...kept]) expect(said).not.toContain(secret);
  });

  test("with a destination in the policy, records are sent when the agent pauses; the doctor says when none get through", async () => {
    using ws = workspace();
    await using at = await receiver();
    mkdirSync(join(ws.home, ".config/hookline"), { recursive: true });
    writeFileSync(
      join(ws.home, ".config/hookline/hookline.yaml"),
      `ledger:\n  export:\n    otlp: ${at.url}\n`,
    );
    await call(ws, "ls");
    await Bun.sleep(300);
    expect(at.requests()).toEqual([]);
    const ran = await ws.run(["run"], { ...claude(ws.root, "Bash", {}, "Stop"), stop_hook_active: false });
    expect([ran.exitCode, ran.stdout]).toEqual([0, ""]);
    await until(() => at.metrics().length > 0);
    expect(at.ids()).toEqual(idsOf(ws));
    expect((await ws.run(["doctor", "--json"])).json().findings).toEqual([]);
    // One that waits for an hour or more.
    const { appendRecord } = await import("../src/ledger/append.ts");
    const { bareRecord } = await import("../src/ledger/record.ts");
    await appendRecord(ws.root, bareRecord({}, Date.now() - 2 * 3_600_000), { HOME: ws.home });
    const { findings } = (await ws.run(["doctor", "--json"])).json();
    expect(findings.map(({ check }: any) => check)).toEqual(["export-current"]);
    expect(findings[0].text).toContain(`1 record waits for otlp ${at.url}`);
  });

  test("a repository cannot say where records go", async () => {
    using ws = workspace({ "hookline.yaml": "ledger:\n  export:\n    otlp: http://127.0.0.1:9\n" });
    await call(ws, "ls");
    const ran = await ws.run(["export"]);
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining("nobody has said where to")]);
    expect((await ws.run(["doctor", "--json"])).json().findings[0].text).toContain("HL_NOT_IN_REPOSITORY");
  });

  test("two at once do not send everything twice; a spool that retention has cut says so", async () => {
    using ws = await filled(2);
    await using at = await receiver();
    at.mood("slow 700");
    const both = await Promise.all([
      ws.run(["export", "--otlp", at.url]),
      ws.run(["export", "--otlp", at.url]),
    ]);
    expect(new Set(both.map(({ exitCode }) => exitCode))).toEqual(new Set([0, 1]));
    expect(both.map(({ stderr }) => stderr).join("")).toContain("somebody else is sending there");
    expect(at.ids()).toEqual(idsOf(ws));
    at.mood("well");
    await grown(ws, 400);
    const [first = ""] = readdirSync(ws.ledger)
      .filter((name) => /^\d{6}\.jsonl$/.test(name))
      .toSorted();
    rmSync(join(ws.ledger, first));
    const ran = await ws.run(["export", "--otlp", at.url]);
    expect(ran.stderr).toMatch(/records \d+ to \d+ were removed before they could be sent/);
    expect(new Set(at.ids()).size).toBe(at.ids().length);
  });
});

describe("other formats", () => {
  test("--jsonl prints the records, --cef one line each that nothing in a record can break", async () => {
    using ws = await filled(3);
    await call(ws, "git push --force # a|b=c\\d\nCEF:0|forged|x\u001b[2J");
    const jsonl = (await ws.run(["export", "--jsonl"])).stdout;
    expect(
      jsonl
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(ws.records());
    const cef = (await ws.run(["export", "--cef"])).stdout.trimEnd().split("\n");
    expect(cef).toHaveLength(4);
    for (const [at, line] of cef.entries()) {
      expect(line).toMatch(
        /^CEF:0\|Hookline\|hookline\|[^|]+\|(PreToolUse|safety\/git-history)\|PreToolUse Bash\|[18]\|rt=\d{13} externalId=/,
      );
      expect(line).toContain(`externalId=${idsOf(ws)[at]} `);
    }
    expect(cef[3]).toContain(String.raw`cs5=git push --force # a|b\=c\\d\nCEF:0|forged|x [2J cs6Label=link`);
    expect((await ws.run(["export", "--cef", "--until", "2020-01-01"])).stdout).toBe("");
  });

  test("syslog over TCP is counted, goes on where it was left, and waits for a server that is down", async () => {
    using ws = await filled(3);
    let text = "";
    const listen = (port: number) =>
      Bun.listen({
        hostname: "127.0.0.1",
        port,
        socket: { data: (_, data) => void (text += data.toString()) },
      });
    const server = listen(0);
    const { port } = server;
    expect((await ws.run(["export", "--syslog", `tcp://127.0.0.1:${port}`])).stdout).toBe("3 records sent\n");
    server.stop(true);
    await call(ws, "ls ü");
    expect(
      (await ws.run(["export", "--syslog", `tcp://127.0.0.1:${port}`, "--patience", "0"])).exitCode,
    ).toBe(1);
    const again = listen(port);
    expect((await ws.run(["export", "--syslog", `tcp://127.0.0.1:${port}`])).stdout).toBe("1 record sent\n");
    await until(() => text.includes(idsOf(ws)[3]));
    again.stop(true);
    let rest = Buffer.from(text);
    const messages: string[] = [];
    while (rest.length > 0) {
      const space = rest.indexOf(" ");
      const length = Number(rest.subarray(0, space).toString());
      messages.push(rest.subarray(space + 1, space + 1 + length).toString());
      rest = rest.subarray(space + 1 + length);
    }
    expect(messages.map((message) => /externalId=(\S+)/.exec(message)?.[1])).toEqual(idsOf(ws));
    for (const message of messages)
      expect(message).toMatch(/^<1(07|10)>1 \d{4}-\S+Z \S+ hookline \d+ decision - CEF:0\|/);
  });

  test("syslog over UDP", async () => {
    using ws = await filled(1);
    const got: string[] = [];
    const server = await Bun.udpSocket({
      hostname: "127.0.0.1",
      socket: { data: (_, data) => void got.push(data.toString()) },
    });
    expect((await ws.run(["export", "--syslog", `udp://127.0.0.1:${server.port}`])).exitCode).toBe(0);
    await until(() => got.length > 0);
    server.close();
    expect(got[0]).toContain(`externalId=${idsOf(ws)[0]}`);
  });

  test("what is no destination is said", async () => {
    using ws = workspace();
    for (const args of [
      [],
      ["--otlp", "nowhere"],
      ["--syslog", "http://x"],
      ["--otlp", "http://x", "--since", "1d"],
      ["--otlp", "http://x", "--patience", "x"],
    ]) {
      const ran = await ws.run(["export", ...args]);
      expect([args, ran.exitCode, ran.stdout]).toEqual([args, 2, ""]);
    }
  });
});
