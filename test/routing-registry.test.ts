// Registries, routing documents and knowledge documents: what is read of them, and what is said when something is wrong.
import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { workspace, type Workspace } from "./support/hookline.ts";
import {
  highHead,
  highRow,
  knowledge,
  lowHead,
  lowRow,
  operation,
  soundKnowledge,
  soundRegistry,
  workflow,
} from "./support/routing.ts";

const sound = { ...soundRegistry, ...soundKnowledge };

interface Found {
  readonly file: string;
  readonly line: number;
  readonly level: string;
  readonly code: string;
  readonly text: string;
  readonly hint: string;
}

async function lint(place: Workspace): Promise<{ exitCode: number; findings: Found[]; checked: any }> {
  const { exitCode, json } = await place.run(["ability", "lint", "--json"]);
  const { ok, findings, checked } = json();
  expect(ok).toBe(findings.length === 0);
  return { exitCode, findings, checked };
}

/** The one finding of a sound workspace with something changed. */
async function oneFinding(change: Record<string, string | undefined>): Promise<Found> {
  const files = Object.fromEntries(
    Object.entries({ ...sound, ...change }).flatMap(([name, text]) =>
      text === undefined ? [] : [[name, text]],
    ),
  );
  using place = workspace(files);
  const { exitCode, findings } = await lint(place);
  expect(findings.map(({ text }) => text)).toHaveLength(1);
  expect(exitCode).toBe(1);
  return findings[0]!;
}

describe("what is read", () => {
  test("S1-F11 both tables of ABILITY.md, high-level first", async () => {
    using place = workspace(sound);
    const { abilities, document, problems } = (await place.run(["ability", "list", "--json"])).json();
    expect(document).toBe("ABILITY.md");
    expect(problems).toEqual([]);
    expect(abilities.map(({ id, level, kind, scopes }: any) => [id, level, kind, scopes])).toEqual([
      ["billing_regression", "high", "workflow", ["integration/billing"]],
      ["code_review_agent", "high", "agent", ["dev/code-review"]],
      ["db.write.user_row", "low", "script", ["infra/db"]],
    ]);
  });

  test("S1-F13 the ids and operation keys of the document are names like any others, in rows and in files", async () => {
    const high = {
      billing_regression: "workflow.billing.regression",
      code_review_agent: "agent.code_review",
      signup_e2e_test: "",
    };
    const low = {
      "db.write.user_row": "script",
      "http.call.billing_service": "api",
      "mcp.query.logs": "mcp",
    };
    using place = workspace({
      "ABILITY.md": `${highHead}${Object.keys(high)
        .map((id) => highRow(id, "What it does"))
        .join("")}
${lowHead}${Object.entries(low)
        .map(([id, kind]) => lowRow(id, "What it does", "infra", kind))
        .join("")}`,
      ...Object.fromEntries(
        Object.entries(high).map(([id, key]) => [
          `.system/registry/high-level/${id}.yaml`,
          workflow(id, key && `operation_key: ${key}\n`),
        ]),
      ),
      ...Object.fromEntries(
        Object.entries(low).map(([id, kind]) => [
          `.system/registry/low-level/${id}.yaml`,
          operation(id, `kind: ${kind}\n`),
        ]),
      ),
    });
    const { abilities, problems } = (await place.run(["ability", "list", "--json"])).json();
    expect(problems).toEqual([]);
    expect(abilities.map(({ id, file }: any) => [id, file])).toEqual(
      [...Object.keys(high), ...Object.keys(low)].map((id) => [id, "ABILITY.md"]),
    );
    for (const [id, key] of Object.entries(high).filter(([, key]) => key !== ""))
      expect((await place.run(["ability", "show", key, "--json"])).json().id).toBe(id);
  });

  test("S1-F11 one run reads one ABILITY.md: that of the module, or else that of integration", async () => {
    const row = (id: string) => highHead + highRow(id, "What it does");
    using place = workspace({
      "modules/billing/ABILITY.md": row("in_module"),
      "integration/ABILITY.md": row("in_integration"),
      ".system/registry/high-level/in_module.yaml": workflow("in_module"),
      ".system/registry/high-level/in_integration.yaml": workflow("in_integration"),
      "modules/billing/src/x.ts": "",
    });
    const atRoot = (await place.run(["ability", "list", "--json"])).json();
    expect(atRoot.document).toBe("integration/ABILITY.md");
    const child = Bun.spawn([`${import.meta.dir}/../dist/hookline`, "ability", "list", "--json"], {
      cwd: place.path("modules/billing/src"),
      env: { HOME: place.home, PATH: "/usr/bin:/bin" },
      stdout: "pipe",
    });
    const inModule = JSON.parse(await child.stdout.text());
    expect(inModule.document).toBe("modules/billing/ABILITY.md");
    expect(inModule.abilities.filter(({ listed: is }: any) => is).map(({ id }: any) => id)).toEqual([
      "in_module",
    ]);
  });

  test("S1-F12 S1-F13 every field of a registry file", async () => {
    using place = workspace(sound);
    const high = (await place.run(["ability", "show", "billing_regression", "--json"])).json();
    expect(high.entry).toMatchObject({
      id: "billing_regression",
      kind: "workflow",
      version: "1.2.0",
      summary: "What billing_regression does.",
      scenarios: ["Before a release of billing"],
      modules: ["billing"],
      environments: ["dev", "staging"],
      operationKey: "workflow.billing.regression",
      inputSchema: { type: "object", properties: { suite: { type: "string" } } },
      outputSchema: { type: "object" },
      operations: ["db.write.user_row"],
      hints: {
        keywords: ["invoices", "regression tests"],
        negative: ["delete"],
        scopes: ["billing"],
        notes: "Long; not before every commit.",
        synonyms: { invoice: ["bill", "receipt"] },
      },
    });
    const low = (await place.run(["ability", "show", "db.write.user_row", "--json"])).json();
    expect(low.entry).toMatchObject({
      level: "low",
      id: "db.write.user_row",
      implementations: [
        {
          id: "write_user_row_script",
          kind: "script",
          operation: "db.write.user_row",
          invocation: { command: "./scripts/db/write_user_row.sh", timeout_ms: 5000 },
          tags: ["fast"],
        },
      ],
      config: { defaultImplementation: "write_user_row_script", parameters: { dev: { database: "local" } } },
    });
    const byKey = await place.run(["ability", "show", "workflow.billing.regression", "--json"]);
    expect(byKey.json().id).toBe("billing_regression");
  });

  test("S1-F12 implementations and configuration in files of their own", async () => {
    using place = workspace({
      ...sound,
      ".system/registry/low-level/db.write.user_row.yaml": operation(
        "db.write.user_row",
        "implementations: [.system/registry/implementations/by_api.yaml]\n",
      ),
      ".system/registry/implementations/by_api.yaml":
        "id: by_api\nkind: api\noperation: db.write.user_row\ninvocation: { url: http://127.0.0.1:1/rows }\n",
      ".system/registry/config/db.write.user_row.yaml":
        "default_implementation: by_api\nallowed_implementations: [by_api]\nparameters: { staging: { retries: 2 } }\n",
    });
    const { entry } = (await place.run(["ability", "show", "db.write.user_row", "--json"])).json();
    expect(entry.implementations).toMatchObject([
      { id: "by_api", kind: "api", file: ".system/registry/implementations/by_api.yaml" },
    ]);
    expect(entry.config).toEqual({
      defaultImplementation: "by_api",
      allowedImplementations: ["by_api"],
      parameters: { staging: { retries: 2 } },
    });
    expect((await lint(place)).findings).toEqual([]);
  });

  test("scope and environment choose what is listed", async () => {
    using place = workspace(sound);
    const ids = async (...flags: string[]) =>
      (await place.run(["ability", "list", "--json", ...flags])).json().abilities.map(({ id }: any) => id);
    expect(await ids("--scope", "billing")).toEqual(["billing_regression"]);
    expect(await ids("--scope", "infra/db")).toEqual(["db.write.user_row"]);
    expect(await ids("--env", "prod")).toEqual(["code_review_agent", "db.write.user_row"]);
  });

  test("a name that is not there gets the nearest one, exit 2", async () => {
    using place = workspace(sound);
    const { exitCode, stderr } = await place.run(["ability", "show", "biling_regression"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('did you mean "billing_regression"?');
  });

  test("a byte order mark, Windows line ends, other columns, code marks and bars in cells change nothing", async () => {
    const crlf = Object.fromEntries(
      Object.entries(sound).map(([name, text]) => [name, `\uFEFF${text.replaceAll("\n", "\r\n")}`]),
    );
    using place = workspace({
      ...crlf,
      "ABILITY.md":
        "\uFEFF" +
        [
          "```",
          "| Id | Type | Scope | When to use | Registry path |",
          "|---|---|---|---|---|",
          "| not_one | workflow | all | In a code block | nowhere.yaml |",
          "```",
          "| Owner | **Id** | Type | Scope | When to use | Registry path |",
          "| :--- | --- | :-: | --- | --- | ---: |",
          "| me | `billing_regression` | Workflow | integration/billing | Run this \\| that | [file](.system/registry/high-level/billing_regression.yaml) |",
          "| me | code_review_agent | agent | dev/code-review | Review | `/.system/registry/high-level/code_review_agent.yaml` |",
          "",
          "| Operation key | Kind | Scope | Summary | Registry path |",
          "|---|---|---|---|---|",
          "| db.write.user_row | script | infra/db | Write | .system/registry/low-level/db.write.user_row.yaml |",
        ].join("\r\n"),
    });
    const { findings, checked } = await lint(place);
    expect(findings).toEqual([]);
    expect(checked).toEqual({ documents: 2, abilities: 3, topics: 1, routes: 2, knowledge: 3 });
    const { abilities } = (await place.run(["ability", "list", "--json"])).json();
    expect(abilities[0]).toMatchObject({ id: "billing_regression", use: "Run this | that" });
  });
});

describe("ability lint", () => {
  test("S1-F19 a sound workspace has no findings, exit 0", async () => {
    using place = workspace(sound);
    expect(await lint(place)).toEqual({
      exitCode: 0,
      findings: [],
      checked: { documents: 2, abilities: 3, topics: 1, routes: 2, knowledge: 3 },
    });
    const { stdout } = await place.run(["ability", "lint"]);
    expect(stdout).toContain("3 abilities, 1 topics, 3 knowledge documents: 0 errors, 0 warnings");
  });

  test("S1-F11 a missing registry file, at the row that names it", async () => {
    const found = await oneFinding({ ".system/registry/high-level/code_review_agent.yaml": undefined });
    expect(found).toMatchObject({ file: "ABILITY.md", line: 8, level: "error", code: "HL_ROUTING_MISSING" });
    expect(found.text).toContain("code_review_agent");
  });

  test("a registry path that leads out of the workspace, in any spelling, is refused", async () => {
    for (const path of [
      "../outside.yaml",
      "a/../../outside.yaml",
      "..\\outside.yaml",
      "https://example.com/x.yaml",
      "~/x.yaml",
    ]) {
      using place = workspace({
        "ABILITY.md": `${highHead}| x | workflow | all | Use it | ${path} |\n`,
        "../outside.yaml": workflow("x"),
      });
      const { findings } = await lint(place);
      expect([path, findings[0]?.code, findings[0]?.line]).toEqual([path, "HL_ROUTING_OUTSIDE", 3]);
    }
  });

  test("a link out of the workspace is refused for registries, route files and documents", async () => {
    using place = workspace({ ...sound, "../secret/secret.md": knowledge("secret", "A secret.", "hidden") });
    for (const name of [
      ".system/registry/high-level/code_review_agent.yaml",
      "routes/execution.quality_gates.pre_commit_checks.yaml",
      "knowledge/quality/gates.md",
    ]) {
      rmSync(place.path(name));
      mkdirSync(dirname(place.path(name)), { recursive: true });
      symlinkSync(place.path("../secret/secret.md"), place.path(name));
    }
    const { findings } = await lint(place);
    expect(findings.filter(({ code }) => code === "HL_ROUTING_OUTSIDE").map(({ file }) => file)).toEqual([
      "ABILITY.md",
      "ROUTING.md",
    ]);
    // With the route file gone nothing names the documents.
    expect(findings.filter(({ code }) => code === "HL_ROUTING_ORPHAN").map(({ file }) => file)).toContain(
      "knowledge/quality/policy.md",
    );
  });

  test("a link to a document outside is refused where a route names it", async () => {
    using place = workspace({ ...sound, "../secret/secret.md": knowledge("secret", "A secret.", "hidden") });
    rmSync(place.path("knowledge/quality/gates.md"));
    symlinkSync(place.path("../secret/secret.md"), place.path("knowledge/quality/gates.md"));
    const { findings } = await lint(place);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      file: "routes/execution.quality_gates.pre_commit_checks.yaml",
      line: 9,
      code: "HL_ROUTING_OUTSIDE",
    });
  });

  test("a duplicate id in one table, in two registry files, in two documents", async () => {
    const twice = await oneFinding({
      "ABILITY.md": `${sound["ABILITY.md"]}\n${highHead}${highRow("billing_regression", "Again")}`,
    });
    expect(twice).toMatchObject({ file: "ABILITY.md", line: 18, code: "HL_ROUTING_DUPLICATE" });
    expect(twice.text).toContain("line 7");

    using place = workspace({
      ...sound,
      ".system/registry/high-level/again.yaml": workflow("billing_regression"),
    });
    const { findings } = await lint(place);
    expect(findings.map(({ code, file }) => `${code} ${file}`)).toContain(
      "HL_ROUTING_DUPLICATE .system/registry/high-level/again.yaml",
    );
    const listed = (await place.run(["ability", "list", "--json"])).json();
    expect(listed.abilities.filter(({ id }: any) => id === "billing_regression")).toHaveLength(1);

    const documents = await oneFinding({
      "knowledge/quality/policy.md": knowledge("gates", "Another.", "Text."),
    });
    expect(documents).toMatchObject({
      file: "knowledge/quality/policy.md",
      line: 2,
      code: "HL_ROUTING_DUPLICATE",
    });
  });

  test("a table that lacks columns, and a row that lacks cells, by line and by what was expected", async () => {
    const table = await oneFinding({
      "ABILITY.md": sound["ABILITY.md"]!.replace(
        "| Id | Type | Scope | When to use | Registry path |",
        "| Id | Type | Scope | When to used | Registry path |",
      ),
      ".system/registry/high-level/billing_regression.yaml": undefined,
      ".system/registry/high-level/code_review_agent.yaml": undefined,
    });
    expect(table).toMatchObject({ file: "ABILITY.md", line: 5, code: "HL_ROUTING_TABLE" });
    expect(table.text).toContain('lacks the column "when to use"');
    expect(table.hint).toContain('"when to used" looks like "when to use"');
    const row = await oneFinding({
      "ABILITY.md": `${sound["ABILITY.md"]}| db.read.user_row | script |\n`,
    });
    expect(row).toMatchObject({ file: "ABILITY.md", line: 15, code: "HL_ROUTING_TABLE" });
    expect(row.text).toContain("2 cells");
    const none = await oneFinding({
      "ABILITY.md": `${sound["ABILITY.md"]}`,
      "docs/ABILITY.md": "# Nothing\n",
    });
    expect(none).toMatchObject({ file: "docs/ABILITY.md", line: 1, code: "HL_ROUTING_TABLE" });
  });

  test("S1-F11 a type or kind that is none", async () => {
    const found = await oneFinding({
      "ABILITY.md": sound["ABILITY.md"]!.replace("| agent |", "| robot |"),
      ".system/registry/high-level/code_review_agent.yaml": undefined,
    });
    expect(found).toMatchObject({ line: 8, code: "HL_ROUTING_KIND" });
    expect(found.hint).toContain("workflow or agent");
    const low = await oneFinding({
      ".system/registry/low-level/db.write.user_row.yaml": operation("db.write.user_row", "kind: sql\n"),
    });
    expect(low).toMatchObject({ line: 4, code: "HL_ROUTING_KIND" });
    expect(low.hint).toContain("script or mcp or api");
  });

  test("broken YAML by file and line, and what else there is still counts", async () => {
    const file = ".system/registry/high-level/code_review_agent.yaml";
    const found = await oneFinding({
      [file]: "id: code_review_agent\ntype: agent\nsummary: [never closed\n",
    });
    expect(found).toMatchObject({ file, code: "HL_ROUTING_SYNTAX", level: "error" });
    expect(found.line).toBeGreaterThanOrEqual(3);
    using place = workspace({ ...sound, [file]: "id: [" });
    const { stdout, stderr, exitCode } = await place.run(["ability", "list"]);
    expect(exitCode).toBe(0);
    // The row is sound, so the ability is not lost.
    expect(stdout).toContain("code_review_agent");
    expect(stdout).toContain("billing_regression");
    expect(stderr).toContain(`${file}:1`);
  });

  test("a row and its file that disagree", async () => {
    const found = await oneFinding({
      ".system/registry/high-level/code_review_agent.yaml": workflow("code_review_agent"),
    });
    expect(found).toMatchObject({ file: "ABILITY.md", line: 8, code: "HL_ROUTING_MISMATCH" });
    expect(found.text).toContain("agent here, and workflow in");
  });

  test("S1-F12 operations, hooks and implementations that are not there", async () => {
    const operations = await oneFinding({
      ".system/registry/high-level/code_review_agent.yaml":
        "id: code_review_agent\ntype: agent\nsummary: x\noperations: [mcp.query.logs]\n",
    });
    expect(operations).toMatchObject({ code: "HL_ROUTING_MISSING" });
    expect(operations.text).toContain("mcp.query.logs");
    const hooks = await oneFinding({
      ".system/registry/high-level/code_review_agent.yaml":
        "id: code_review_agent\ntype: agent\nsummary: x\nhooks: { pre_call: [nobody] }\n",
    });
    expect(hooks.text).toContain("the hook nobody");
    const implementation = await oneFinding({
      ".system/registry/low-level/db.write.user_row.yaml": operation(
        "db.write.user_row",
        "config: { default_implementation: other }\n",
      ),
    });
    expect(implementation.text).toContain("the implementation other");
  });

  test("an ability that no ABILITY.md names is a warning", async () => {
    const found = await oneFinding({ ".system/registry/high-level/lost.yaml": workflow("lost") });
    expect(found).toMatchObject({ level: "warning", code: "HL_ROUTING_ORPHAN", line: 1 });
    using place = workspace({ ...sound, ".system/registry/high-level/lost.yaml": workflow("lost") });
    expect((await place.run(["ability", "list"])).stdout).toMatch(/^lost .* \(no ABILITY\.md names it\)$/m);
  });

  test("S1-F16 S1-F19 a missing route file, a missing document, an illegal stage, an orphan document", async () => {
    const noRoute = await oneFinding({
      "ROUTING.md":
        sound["ROUTING.md"] + "\nroute_indexes:\n  - scope: frontend\n    topic: bugs\n    summary: x\n",
    });
    expect(noRoute).toMatchObject({ file: "ROUTING.md", line: 14, code: "HL_ROUTING_MISSING" });
    expect(noRoute.text).toContain("routes/frontend.bugs.yaml");

    const noDocument = await oneFinding({ "knowledge/quality/quickstart.md": undefined });
    expect(noDocument).toMatchObject({ line: 16, code: "HL_ROUTING_MISSING" });
    expect(noDocument.text).toContain("/knowledge/quality/quickstart.md");

    const route = "routes/execution.quality_gates.pre_commit_checks.yaml";
    const stage = await oneFinding({ [route]: sound[route]!.replace("[plan]", "[planning]") });
    expect(stage).toMatchObject({ file: route, line: 17, code: "HL_ROUTING_STAGE" });
    expect(stage.hint).toContain("understand, plan, act, review");

    const orphan = await oneFinding({ "knowledge/other/lost.md": knowledge("lost", "Lost.", "Text.") });
    expect(orphan).toMatchObject({
      file: "knowledge/other/lost.md",
      level: "warning",
      code: "HL_ROUTING_ORPHAN",
    });
  });

  test("S1-F17 a document's head: id, scope and summary are the least", async () => {
    const lacking = await oneFinding({
      "knowledge/quality/policy.md": "---\nid: policy\nscope: execution.quality_gates\n---\nText.\n",
    });
    expect(lacking).toMatchObject({ file: "knowledge/quality/policy.md", code: "HL_ROUTING_FIELD" });
    expect(lacking.text).toContain("no summary");
    const none = await oneFinding({ "knowledge/quality/policy.md": "# Only text\n" });
    expect(none.text).toContain("no head");
    const type = await oneFinding({
      "knowledge/quality/policy.md": knowledge("policy", "x", "y").replace(
        "doc_type: workflow",
        "doc_type: song",
      ),
    });
    expect(type).toMatchObject({ level: "warning", line: 3 });
    const stages = await oneFinding({
      "knowledge/quality/policy.md": knowledge("policy", "x", "y", "stages: [later]\n"),
    });
    expect(stages).toMatchObject({ line: 7, code: "HL_ROUTING_STAGE" });
  });

  test("S1-F16 an index and a route file that are about different topics", async () => {
    const route = "routes/execution.quality_gates.pre_commit_checks.yaml";
    const found = await oneFinding({
      [route]: sound[route]!.replace("topic: pre_commit_checks", "topic: other"),
    });
    expect(found).toMatchObject({ file: "ROUTING.md", line: 7, code: "HL_ROUTING_MISMATCH" });
  });

  test("S1-F16 route_indexes between --- lines and bare in the text are read like those in a code block", async () => {
    const entry =
      "route_indexes:\n- scope: execution.quality_gates\n  topic: pre_commit_checks\n  summary: x\n" +
      "  route_file: routes/execution.quality_gates.pre_commit_checks.yaml\n";
    for (const text of [`---\n${entry}---\n# Routing\n`, `# Routing\n\n${entry}\n# More\n\nText.\n`]) {
      using place = workspace({ ...sound, "ROUTING.md": text });
      const { findings, checked } = await lint(place);
      expect(findings).toEqual([]);
      expect(checked.topics).toBe(1);
    }
  });

  test("a text that is no registry at all, a folder in a file's place, a file that is far too large", async () => {
    const file = ".system/registry/high-level/code_review_agent.yaml";
    const list = await oneFinding({ [file]: "- just\n- a list\n" });
    expect(list).toMatchObject({ file, line: 1, code: "HL_ROUTING_FIELD" });
    const large = await oneFinding({ [file]: `# ${"x".repeat(5 * 1024 * 1024)}\n` });
    expect(large).toMatchObject({ file, code: "HL_ROUTING_UNREADABLE" });
    using place = workspace(sound);
    rmSync(place.path(file));
    mkdirSync(place.path(file));
    const { findings } = await lint(place);
    expect(findings.map(({ code }) => code)).toEqual(["HL_ROUTING_UNREADABLE", "HL_ROUTING_MISSING"]);
    expect(findings[1]).toMatchObject({ file: "ABILITY.md", line: 8 });
  });

  test("what a terminal would obey is shown as what it is, wherever it stands", async () => {
    using w = workspace({
      "ABILITY.md": highHead + highRow("evil", "Clear \u001b[2J the screen \u202e", "sc\u001b[8mope"),
      ".system/registry/high-level/evil.yaml": workflow(
        "evil",
        'scenarios: ["\\e]0;title\\a"]\nrouting_hints: { keywords: ["\\e[31mred"] }\ninput_schema: { title: "\\u202e" }\n',
      ),
      ".system/registry/high-level/od\u001b[2Jd.yaml": "no: id\n",
      "ROUTING.md":
        'route_indexes:\n  - { scope: "a\\e[2J", topic: t, summary: "s\\u009b2J", route_file: "r\\e.yaml" }\n',
    });
    for (const words of [
      "ability list",
      "ability show evil",
      "ability lint",
      "knowledge list",
      "ability suggest screen",
    ]) {
      const { stdout, stderr } = await w.run(words.split(" "));
      expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
    }
    const missing = await w.run(["ability", "create", "a\u001b[2Jb"]);
    expect(missing.stderr).not.toContain("\u001b");
  });

  test("an alias bomb and a line made to keep a pattern busy end soon", async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefghij"
      .split("")
      .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghi"[at]}`).join(",")}]`)
      .join("\n")}\n`;
    using place = workspace({
      ...sound,
      ".system/registry/high-level/bomb.yaml": bomb,
      "docs/ABILITY.md": `${"| - ".repeat(200_000)}\n${"| :-".repeat(200_000)}x\n`,
    });
    const { findings } = await lint(place);
    expect(findings.find(({ file }) => file.endsWith("bomb.yaml"))?.text).toContain(
      "its aliases would become",
    );
    place.write(".system/registry/high-level/bomb.yaml", `id: bomb\nx: ${"[".repeat(50_000)}\n`);
    const deep = (await lint(place)).findings.find(({ file }) => file.endsWith("bomb.yaml"));
    expect(deep).toMatchObject({ code: "HL_ROUTING_SYNTAX", text: "nested too deeply" });
  });
});
