// Suggestions: what fits a message, why, how surely, and how it reaches an agent.
import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { workspace, type Workspace } from "./support/hookline.ts";
import { hooked, registryHook } from "./support/hooks.ts";
import { highHead, highRow, workflow } from "./support/routing.ts";

const on = "routing: { abilities: { suggest: true } }\n";

const hints = (more: string): string => `routing_hints:\n${more}`;

/** A registry of workflows: id, when to use, scope, and more of the registry file. */
function pool(
  ...abilities: (readonly [id: string, use: string, scope?: string, more?: string])[]
): Record<string, string> {
  return {
    "ABILITY.md": highHead + abilities.map(([id, use, scope]) => highRow(id, use, scope)).join(""),
    ...Object.fromEntries(
      abilities.map(([id, use, , more]) => [
        `.system/registry/high-level/${id}.yaml`,
        workflow(id, more).replace(/summary: .*/, `summary: ${use}`),
      ]),
    ),
  };
}

const usual = pool(
  ["billing_regression", "Run the full regression tests of the billing module", "billing"],
  ["signup_e2e", "Test the signup flow end to end", "auth"],
  ["code_review", "Review a change before it is merged", "all"],
  [
    "db_backup",
    "Take a backup of a database",
    "data",
    hints("  negative_keywords: [restore, without a backup]\n  keywords: [dump]\n"),
  ],
  [
    "invoice_reissue",
    "Correct an invoice and send it again",
    "billing",
    hints("  synonyms: { invoice: [bill, receipt] }\n"),
  ],
  ["deploy_staging", "Deploy a branch to staging", "platform", "scope: { environments: [dev, staging] }\n"],
);

interface Said {
  readonly id: string;
  readonly reason: string;
  readonly confidence: number;
}

async function suggested(place: Workspace, message: string, ...flags: string[]): Promise<Said[]> {
  const ran = await place.run(["ability", "suggest", message, "--json", ...flags]);
  expect([ran.exitCode, ran.stderr]).toEqual([0, ""]);
  return ran.json().suggestions;
}

const first = async (place: Workspace, message: string, ...flags: string[]) =>
  (await suggested(place, message, ...flags))[0];

describe("ability suggest", () => {
  test("S1-R28 S1-R41 the ability a message is about, with its reason and a confidence", async () => {
    using place = workspace(usual);
    const found = await suggested(place, "I need to run the full billing regression tests");
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ id: "billing_regression" });
    expect(found[0]!.confidence).toBeGreaterThan(0.8);
    expect(found[0]!.confidence).toBeLessThanOrEqual(1);
    expect(found[0]!.reason).toContain("'run full billing regression tests'");
    expect(found[0]!.reason).toContain("workflow of billing");
    const { stdout } = await place.run(["ability", "suggest", "billing", "regression"]);
    expect(stdout).toContain("billing_regression");
  });

  test("S1-R28 a message about nothing in the pool suggests nothing", async () => {
    using place = workspace(usual);
    expect(await suggested(place, "What time is it in Tokyo?")).toEqual([]);
    expect((await place.run(["ability", "suggest", "hello"])).stdout).toBe("No ability fits.\n");
    expect(await suggested(place, "…")).toEqual([]);
  });

  test("S1-F12 inflections, slips of the finger, words written apart and what people say instead are found", async () => {
    using place = workspace(usual);
    expect((await first(place, "please reviewing my changes"))?.id).toBe("code_review");
    const slip = await first(place, "take a bakcup of the databse");
    expect(slip?.id).toBe("db_backup");
    expect(slip?.reason).toContain("'bakcup'");
    expect((await first(place, "does sign up still work end to end"))?.id).toBe("signup_e2e");
    expect((await first(place, "the receipt is wrong, correct it"))?.id).toBe("invoice_reissue");
    expect((await first(place, "use the db_backup ability"))?.reason).toContain("Named in the message");
  });

  test("S1-F12 a negative keyword rules an ability out, however well it fits", async () => {
    using place = workspace(usual);
    expect((await first(place, "backup of the database"))?.id).toBe("db_backup");
    const ids = async (message: string) =>
      (await suggested(place, message, "--least", "0")).map(({ id }) => id);
    expect(await ids("restore the database from a backup")).not.toContain("db_backup");
    // One of several words counts when all stand there, one after the other.
    expect(await ids("change the database without a backup")).not.toContain("db_backup");
    expect(await ids("a backup without locking the database")).toContain("db_backup");
  });

  test("S1-F6 S1-F11 scope and environment filter", async () => {
    using place = workspace(usual);
    const message = "deploy the branch to staging";
    expect((await first(place, message))?.id).toBe("deploy_staging");
    expect(await suggested(place, message, "--env", "prod")).toEqual([]);
    expect((await first(place, message, "--scope", "platform"))?.id).toBe("deploy_staging");
    expect(await suggested(place, message, "--scope", "billing")).toEqual([]);
  });

  test("S1-R10 S1-R30 what is called often and works comes first among equals, and the reason says so", async () => {
    using place = workspace(
      pool(["report_a", "Make the weekly report"], ["report_b", "Make the weekly report"]),
    );
    const ids = async () =>
      (await suggested(place, "make the weekly report", "--least", "0")).map(({ id }) => id);
    expect(await ids()).toEqual(["report_a", "report_b"]);
    const usage = (failures: number) => ({ calls: 40, failures, total_ms: 1, last: "2026-01-01T00:00:00Z" });
    place.write(".system/cache/ability_usage.json", JSON.stringify({ report_b: usage(0) }));
    expect(await ids()).toEqual(["report_b", "report_a"]);
    const all = await suggested(place, "make the weekly report", "--least", "0");
    expect(all[0]?.reason).toContain("called 40 times");
    place.write(".system/cache/ability_usage.json", JSON.stringify({ report_b: usage(40) }));
    expect(await ids()).toEqual(["report_a", "report_b"]);
    place.write(".system/cache/ability_usage.json", "{ broken");
    expect(await ids()).toEqual(["report_a", "report_b"]);
  });

  test("S1-R28 S1-R33 as a hook: HookContext in, HookResult out", async () => {
    using place = workspace(usual);
    const { exitCode, json } = await place.run(["ability", "suggest", "--hook"], {
      event_type: "UserPromptSubmit",
      session_id: "sess-789",
      user_message: "I need to run the full billing regression tests",
      files_touched: [],
      stage: "understand",
      timestamp: "2025-01-15T09:00:00Z",
    });
    expect(exitCode).toBe(0);
    const result = json();
    expect(result.suggested_abilities).toHaveLength(1);
    expect(Object.keys(result.suggested_abilities[0])).toEqual(["id", "reason", "confidence"]);
    expect(result.messages_to_user[0]).toContain("billing_regression workflow ability");
  });

  test("bad flags, and nothing said, are usage errors", async () => {
    using place = workspace(usual);
    for (const args of [["--least", "2", "x"], ["--most", "none", "x"], ["--most", "1.5", "x"], []]) {
      const { exitCode, stderr } = await place.run(["ability", "suggest", ...args]);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/takes a (?:whole )?number|say what is wanted/);
    }
  });

  test("names and words that are keys of every object are words like any other", async () => {
    using place = workspace(
      pool(["constructor", "Build the prototype of a constructor"], ["toString", "Turn into a string"]),
    );
    expect((await first(place, "build the prototype constructor please"))?.id).toBe("constructor");
    expect(await suggested(place, "__proto__ hasOwnProperty valueOf")).toEqual([]);
  });

  test("without any ABILITY.md the pool is all there is; with one, what it does not name is not suggested", async () => {
    const { "ABILITY.md": document, ...files } = usual;
    using bare = workspace(files);
    expect((await first(bare, "run the billing regression tests"))?.id).toBe("billing_regression");
    using place = workspace({ ...files, "ABILITY.md": document!.replace(/^\| billing_regression.*\n/m, "") });
    expect((await suggested(place, "run the billing regression tests")).map(({ id }) => id)).not.toContain(
      "billing_regression",
    );
  });
});

/** A prompt as Claude Code submits it. */
const prompt = (place: Workspace, text: string): object => ({
  session_id: "5f0c",
  transcript_path: "/nowhere/5f0c.jsonl",
  cwd: place.root,
  permission_mode: "default",
  hook_event_name: "UserPromptSubmit",
  prompt: text,
});

const submit = async (place: Workspace, text: string, env: Record<string, string> = {}) => {
  const ran = await place.run(["run", "--host", "claude-code"], prompt(place, text), env);
  expect(ran.exitCode).toBe(0);
  const context: string = ran.stdout === "" ? "" : (ran.json().hookSpecificOutput?.additionalContext ?? "");
  return { context, record: place.records().at(-1)! };
};

describe("at UserPromptSubmit", () => {
  test("S1-R1 S1-R8 S1-R29 S1-R39 where the policy says so, hints reach the model and the record", async () => {
    using place = workspace({ ...usual, "hookline.yaml": on });
    const { context, record } = await submit(place, "Run the full billing regression tests for me.");
    expect(context).toContain("Hints of ability routing");
    expect(context).toContain("- ability billing_regression (confidence 0.9");
    expect(context).toContain("hookline ability show ID");
    expect(record["verdict"].outcome).toBe("pass");
    expect(record["routing"].suggested).toMatchObject([{ id: "billing_regression" }]);
    expect(record["routing"].model).toBeUndefined();
  });

  test("S1-R2 without the policy's word, without a registry, and without a fit nothing is said", async () => {
    using quiet = workspace(usual);
    const silent = await submit(quiet, "run the full billing regression tests");
    expect([silent.context, silent.record["routing"]]).toEqual(["", undefined]);
    using bare = workspace({ "hookline.yaml": on });
    expect((await submit(bare, "run the full billing regression tests")).context).toBe("");
    using place = workspace({ ...usual, "hookline.yaml": on });
    const none = await submit(place, "what should we have for lunch");
    expect([none.context, none.record["routing"]]).toEqual(["", { suggested: [] }]);
  });

  test("the environment and the limits of the policy hold", async () => {
    using place = workspace({ ...usual, "hookline.yaml": on });
    expect((await submit(place, "deploy the branch to staging")).context).toContain("deploy_staging");
    expect((await submit(place, "deploy the branch to staging", { HOOKS_ENV: "prod" })).context).toBe("");
    place.write("hookline.yaml", "routing: { abilities: { least: 1 } }\n");
    expect((await submit(place, "take a backup")).context).toBe("");
    place.write("hookline.yaml", "routing: { abilities: { suggest: false } }\n");
    expect((await submit(place, "deploy the branch to staging")).record["routing"]).toBeUndefined();
  });

  test("S1-R12 S1-R39 hooks' hints come first and are not repeated; one nobody knows is noted", async () => {
    const says = JSON.stringify({
      suggested_abilities: [
        { id: "billing_regression", reason: "the hook says so", confidence: 0.7 },
        { id: "made_up", reason: "as well" },
      ],
    });
    using place = await hooked({
      ...usual,
      "hookline.yaml": on,
      ...registryHook("hint", "UserPromptSubmit", `cat >/dev/null; echo '${says}'`),
    });
    const message = "run the billing regression tests and take a backup of the database";
    const { json } = await place.run(["emit", "UserPromptSubmit"], {
      session_id: "s",
      user_message: message,
    });
    const ids = json().suggested_abilities.map(({ id }: any) => id);
    expect(ids.slice(0, 2)).toEqual(["billing_regression", "made_up"]);
    expect(ids.filter((id: string) => id === "billing_regression")).toHaveLength(1);
    expect(json().context).toBeUndefined();
    expect(place.records().at(-1)!["notes"].join("\n")).toContain('a hook suggests "made_up"');
  });

  test("a broken registry is noted, what is sound of it counts, and the answer is well formed", async () => {
    using place = workspace({
      ...usual,
      "hookline.yaml": on,
      ".system/registry/high-level/signup_e2e.yaml": "id: [",
    });
    const { context, record } = await submit(place, "run the full billing regression tests");
    expect(context).toContain("billing_regression");
    expect(record["notes"].join("\n")).toContain(".system/registry/high-level/signup_e2e.yaml:1");
    // The row of the broken file is sound.
    expect((await submit(place, "test the signup flow end to end")).context).toContain("signup_e2e");
  });

  test("what was indexed counts only while every file is as it was", async () => {
    using place = workspace({ ...usual, "hookline.yaml": on });
    await Bun.sleep(150);
    expect((await submit(place, "take a backup of the database")).context).toContain("db_backup");
    expect((await submit(place, "take a backup of the database")).context).toContain("db_backup");
    place.write("ABILITY.md", usual["ABILITY.md"]!.replace(/^\| db_backup.*\n/m, ""));
    expect((await submit(place, "take a backup of the database")).context).not.toContain("db_backup");
    place.write(
      ".system/registry/high-level/code_review.yaml",
      workflow("code_review", hints("  keywords: [backup, database]\n")),
    );
    expect((await submit(place, "take a backup of the database")).context).toContain("code_review");
    // A module's own document comes into being.
    await Bun.sleep(150);
    await submit(place, "take a backup of the database");
    place.write("ABILITY.md", `${usual["ABILITY.md"]}`);
    expect((await submit(place, "take a backup of the database")).context).toContain("db_backup");
  });

  test("a registry that is written to all the time never leaves a prompt without an answer, nor a stale one behind", async () => {
    using place = workspace({ ...usual, "hookline.yaml": on });
    const state = { writing: true };
    const writer = (async () => {
      for (let turn = 0; state.writing; turn++) {
        const half = usual["ABILITY.md"]!.slice(0, 40 + ((turn * 37) % 500));
        place.write("ABILITY.md", turn % 2 === 0 ? half : usual["ABILITY.md"]!);
        place.write(
          ".system/registry/high-level/db_backup.yaml",
          turn % 3 === 0 ? "id: [" : usual[".system/registry/high-level/db_backup.yaml"]!,
        );
        await Bun.sleep(3);
      }
    })();
    for (let turn = 0; turn < 12; turn++) await submit(place, "take a backup of the database");
    state.writing = false;
    await writer;
    for (const [name, text] of Object.entries(usual)) place.write(name, text);
    expect((await submit(place, "take a backup of the database")).context).toContain("db_backup");
  }, 30_000);

  test("5,000 abilities: the one that is meant is found, from the files and from the cache", async () => {
    const many = Array.from(
      { length: 5000 },
      (_, at) => [`task_${at}`, `Handle matter number ${at} of department ${at % 50}`] as const,
    );
    using place = workspace({
      ...pool(...many, [
        "billing_regression",
        "Run the full regression tests of the billing module",
        "billing",
      ]),
      "hookline.yaml": on,
    });
    await Bun.sleep(150);
    // Where the machine is too busy to read all files in time, the rows have to do; whoever has time reads them all.
    expect((await submit(place, "run the full billing regression tests")).context).toContain(
      "billing_regression",
    );
    expect((await first(place, "run the full billing regression tests"))?.id).toBe("billing_regression");
    for (let turn = 0; turn < 2; turn++)
      expect((await submit(place, "run the full billing regression tests")).context).toContain(
        "billing_regression",
      );
    const { exitCode, stdout } = await place.run(["ability", "lint"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("5001 abilities");
  }, 60_000);

  test("a registry that takes too long to read is not waited for again at the next prompt", async () => {
    using place = workspace({
      ...pool(["billing_regression", "Run the full regression tests of the billing module", "billing"]),
      "hookline.yaml": on,
    });
    const lines = Array.from({ length: 40_000 }, (_, at) => `  - { name: n${at}, value: [a, b] }`);
    for (let at = 0; at < 30; at++)
      place.write(
        `.system/registry/high-level/slow_${at}.yaml`,
        `id: slow_${at}\ntype: workflow\nsummary: x\nnotes:\n${lines.join("\n")}\n`,
      );
    await Bun.sleep(150);
    const folder = `${place.home}/.cache/hookline/routing`;
    const kept = (): string => {
      const [name] = readdirSync(folder);
      return readFileSync(`${folder}/${name}`, "utf8");
    };
    await submit(place, "run the full billing regression tests");
    const before = kept();
    expect(JSON.parse(before).until).toBeGreaterThan(Date.now());
    const started = performance.now();
    await submit(place, "run the full billing regression tests");
    expect(performance.now() - started).toBeLessThan(1500);
    expect(kept()).toBe(before);
  }, 60_000);

  test("a prompt of a megabyte is answered", async () => {
    using place = workspace({ ...usual, "hookline.yaml": on });
    const long = `run the full billing regression tests\n${"zxqv lorem123 ipsum-dolor ".repeat(40_000)}`;
    const { record } = await submit(place, long);
    expect(record["routing"].suggested).toBeArray();
  });
});

const running: { stop(force: boolean): unknown }[] = [];
afterEach(() => {
  for (const server of running.splice(0)) server.stop(true);
});

describe("re-ranking by a model", () => {
  /** A real server on loopback that answers as it is told. */
  function serve(answer: (body: any) => Response | Promise<Response>) {
    const asked: any[] = [];
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        const body = await request.json();
        asked.push(body);
        return answer(body);
      },
    });
    running.push(server);
    return { url: `http://127.0.0.1:${server.port}/v1/messages`, asked };
  }
  const says = (text: string) => Response.json({ type: "message", content: [{ type: "text", text }] });

  const close = pool(
    ["report_a", "Make the weekly report of sales", "all"],
    ["report_b", "Make the weekly report of sales figures", "all"],
  );

  /** The user's own policy: a repository cannot ask for it. */
  function own(place: Workspace, url: string): void {
    const folder = join(place.home, ".config/hookline");
    place.write(
      join("../home/.config/hookline/hookline.yaml"),
      `routing: { abilities: { least: 0, rerank: true } }\nhandlers: { prompt: { evaluator: anthropic, url: "${url}", model: small } }\n`,
    );
    expect(readFileSync(join(folder, "hookline.yaml"), "utf8")).toContain("rerank");
  }

  test("its order counts, is recorded, and a replay asks nobody", async () => {
    const server = serve(() => says('{"order": ["report_a", "nobody", "report_b", "report_a"]}'));
    using place = workspace(close);
    own(place, server.url);
    const { context, record } = await submit(place, "make the weekly report of the sales figures <b>now</b>");
    expect(context.indexOf("report_a")).toBeLessThan(context.indexOf("report_b"));
    expect(record["routing"].model).toMatchObject({ order: ["report_a", "report_b"] });
    expect(record["routing"].matched.map(({ id }: any) => id)).toEqual(["report_b", "report_a"]);
    expect(server.asked).toHaveLength(1);
    // What others wrote is data, and cannot close its brackets.
    const question: string = server.asked[0].messages[0].content;
    expect(question).toStartWith("<data>\n{");
    expect(question).not.toContain("<b>");
    const { exitCode, stdout } = await place.run(["replay"]);
    expect([exitCode, stdout.includes("1 ")]).toEqual([0, true]);
    expect(server.asked).toHaveLength(1);
  });

  test("what it leaves out stays out; what it cannot say leaves the order as it was, and why is recorded", async () => {
    const server = serve(() => says('```json\n{"order": ["report_a"]}\n```'));
    using place = workspace(close);
    own(place, server.url);
    const some = await submit(place, "make the weekly report of the sales figures");
    expect(some.record["routing"].suggested.map(({ id }: any) => id)).toEqual(["report_a"]);
    for (const [answer, detail] of [
      [() => says("I like report_b"), 'its answer is not {"order": […]}'],
      [() => says('{"order": ["nobody", 1, null]}'), 'its answer is not {"order": […]}'],
      [() => new Response(null, { status: 429, headers: { "retry-after": "60" } }), "no answer in time"],
      [() => new Response("x".repeat(20_000_000)), "answer"],
      [() => new Response(null, { status: 500 }), "500"],
      [() => new Promise<Response>(() => {}), "no answer in time"],
    ] as const) {
      const broken = serve(answer);
      own(place, broken.url);
      const { record, context } = await submit(place, "make the weekly report of the sales figures");
      expect(record["routing"].model.detail).toContain(detail);
      expect(record["routing"].suggested.map(({ id }: any) => id)).toEqual(["report_b", "report_a"]);
      expect(context).toContain("report_a");
    }
  }, 30_000);

  test("a secret is not shown by being cut in two", async () => {
    const server = serve(() => says('{"order": ["report_a"]}'));
    using place = workspace(close);
    own(place, server.url);
    const token = `ghp_${"Zk7Qw2Xe9R".repeat(4).slice(0, 36)}`;
    const start = "make the weekly report of the sales figures ";
    await submit(place, `${start}${"- ".repeat(4000).slice(0, 8000 - start.length - 14)} ${token} and more`);
    expect(server.asked).toHaveLength(1);
    expect(server.asked[0].messages[0].content).not.toContain("Zk7Q");
  });

  test("a repository cannot decide that prompts are sent to an evaluator", async () => {
    using place = workspace({ ...close, "hookline.yaml": "routing: { abilities: { rerank: true } }\n" });
    const { stderr, stdout } = await place.run(["run", "--host", "claude-code"], prompt(place, "x"));
    expect(stdout + stderr).toContain("HL_NOT_IN_REPOSITORY");
    const { exitCode, stderr: refused } = await place.run(["ability", "suggest", "x", "--rerank"]);
    expect(exitCode).toBe(2);
    expect(refused).toContain("needs an evaluator");
  });
});
