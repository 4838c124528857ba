/** A high-level registry file. */
export const workflow = (id: string, more = ""): string =>
  `id: ${id}\ntype: workflow\nversion: 1.2.0\nsummary: What ${id} does.\n${more}`;

/** A low-level registry file. */
export const operation = (key: string, more = ""): string =>
  `operation_key: ${key}\nversion: "1"\nsummary: What ${key} does.\n${more}`;

export const highHead = "| Id | Type | Scope | When to use | Registry path |\n|---|---|---|---|---|\n";
export const lowHead = "| Operation key | Kind | Scope | Summary | Registry path |\n|---|---|---|---|---|\n";

export const highRow = (id: string, use: string, scope = "all", type = "workflow"): string =>
  `| ${id} | ${type} | ${scope} | ${use} | .system/registry/high-level/${id}.yaml |\n`;

export const lowRow = (key: string, use: string, scope = "infra", kind = "script"): string =>
  `| ${key} | ${kind} | ${scope} | ${use} | .system/registry/low-level/${key}.yaml |\n`;

/** A sound registry of three abilities: what the tests break one thing of. */
export const soundRegistry: Readonly<Record<string, string>> = {
  "ABILITY.md":
    "# Abilities\n\n## High-level abilities\n\n" +
    highHead +
    highRow("billing_regression", "Run the billing regression suite", "integration/billing") +
    highRow("code_review_agent", "Review a change before it is merged", "dev/code-review", "agent") +
    "\n## Low-level abilities\n\n" +
    lowHead +
    lowRow("db.write.user_row", "Write a single user row into the users table", "infra/db"),
  ".system/registry/high-level/billing_regression.yaml": workflow(
    "billing_regression",
    [
      "operation_key: workflow.billing.regression",
      "scenarios: [Before a release of billing]",
      "scope: { modules: [billing], environments: [dev, staging] }",
      "input_schema: { type: object, properties: { suite: { type: string } } }",
      "output_schema: { type: object }",
      "operations: [db.write.user_row]",
      "routing_hints:",
      "  keywords: [invoices, regression tests]",
      "  negative_keywords: [delete]",
      "  scopes: [billing]",
      "  notes: Long; not before every commit.",
      "  synonyms: { invoice: [bill, receipt] }",
      "",
    ].join("\n"),
  ),
  ".system/registry/high-level/code_review_agent.yaml":
    "id: code_review_agent\ntype: agent\nsummary: Reviews a change.\nscope: dev/code-review\n",
  ".system/registry/low-level/db.write.user_row.yaml": operation(
    "db.write.user_row",
    [
      "implementations:",
      "  - id: write_user_row_script",
      "    kind: script",
      "    operation: db.write.user_row",
      "    invocation: { command: ./scripts/db/write_user_row.sh, timeout_ms: 5000 }",
      "    tags: [fast]",
      "config:",
      "  default_implementation: write_user_row_script",
      "  parameters: { dev: { database: local } }",
      "",
    ].join("\n"),
  ),
};

/** Sound knowledge routing: one topic, two routes, three documents. */
export const soundKnowledge: Readonly<Record<string, string>> = {
  "ROUTING.md":
    "# Routing\n\nWhere to look.\n\n```yaml\nroute_indexes:\n" +
    "  - scope: execution.quality_gates\n    topic: pre_commit_checks\n" +
    "    summary: Checks to run before a commit, and quality gates.\n" +
    "    route_file: /routes/execution.quality_gates.pre_commit_checks.yaml\n```\n",
  "routes/execution.quality_gates.pre_commit_checks.yaml":
    "---\nscope: execution.quality_gates\ntopic: pre_commit_checks\n---\n\nroutes:\n" +
    "  - when_to_use: Questions about which checks to run before a commit.\n    related_docs:\n" +
    "      - path: /knowledge/quality/gates.md\n        stage: [understand, act]\n        doc_usage: Read first.\n" +
    "      - path: /knowledge/quality/policy.md\n        doc_usage: The policy behind it.\n" +
    "  - when_to_use: You are about to run make dev_check on your machine.\n    related_docs:\n" +
    "      - path: /knowledge/quality/quickstart.md\n        stage: [plan]\n        doc_usage: Step by step.\n",
  "knowledge/quality/gates.md": knowledge("gates", "What quality gates are.", "Run `make dev_check`."),
  "knowledge/quality/policy.md": knowledge("policy", "The quality policy.", "No commit without checks."),
  "knowledge/quality/quickstart.md": knowledge("quickstart", "How to run the checks.", "1. make dev_check"),
};

export function knowledge(id: string, summary: string, body: string, more = ""): string {
  return `---\nid: ${id}\ndoc_type: workflow\nscope: execution.quality_gates\ntopics: [pre_commit_checks]\nsummary: ${summary}\n${more}---\n${body}\n`;
}
