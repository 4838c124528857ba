import * as v from "valibot";
import { toJsonSchema } from "@valibot/to-json-schema";
import { presets } from "../../src/packs/presets.ts";
import { rules } from "../../src/packs/index.generated.ts";
import { handlersSchema } from "../../src/policy/handler-settings.ts";
import { inlineEvents, inlineKeys, inlineMatchKeys, inlineProfiles } from "../../src/sources/inline.ts";
import { ledgerSchema } from "../../src/policy/ledger-settings.ts";
import { routingSchema } from "../../src/policy/routing-settings.ts";
import { failModes, modes, settingWords } from "../../src/policy/policy.ts";
import { stopSchema, workflowSchema } from "../../src/policy/workflow-settings.ts";
import { sourceWords, usualSources, type FileSource } from "../../src/sources/places.ts";

/** The JSON Schema of `hookline.yaml`, for completion and checking in editors. */
export function policySchema(): Record<string, unknown> {
  const preset = {
    enum: Object.keys(presets),
    description: Object.entries(presets)
      .map(([name, { summary }]) => `${name}: ${summary}`)
      .join("\n"),
  };
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Hookline policy",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      version: { const: 1 },
      extends: {
        description: "The presets this policy starts from. Without any layer naming one: recommended.",
        anyOf: [preset, { type: "array", items: preset }],
      },
      mode: {
        enum: modes,
        description: "enforce answers the agent; observe only records what would have been answered.",
      },
      ledger: { description: "What the ledger keeps, and how long.", ...withoutDialect(ledgerSchema) },
      sources: {
        description: "Which formats of hooks are read. What is found runs only once it is trusted.",
        type: "object",
        additionalProperties: false,
        properties: Object.fromEntries(Object.keys(usualSources).map((name) => [name, sourceSetting(name)])),
      },
      handlers: { description: "How hooks are run.", ...withoutDialect(handlersSchema) },
      routing: {
        description: "What ability and knowledge routing do when a user submits a prompt.",
        ...withoutDialect(routingSchema),
      },
      hooks: {
        description: "Hooks that stand in the policy itself. A repository's run only once they are trusted.",
        type: "array",
        items: inlineHook(),
      },
      workflows: {
        description:
          "Workflows by name, each written out or in a file of its own. docs/workflows.md says more.",
        type: "object",
        propertyNames: { pattern: String.raw`^[A-Za-z0-9][\w.-]{0,63}$` },
        additionalProperties: {
          anyOf: [
            { type: "string", description: "The file it stands in, relative to this one." },
            withoutDialect(workflowSchema),
          ],
        },
      },
      stop: {
        description:
          "What must hold before the agent may stop; a few times in a row it is held back, then it may go. docs/workflows.md says more.",
        ...withoutDialect(stopSchema),
      },
      rules: {
        description: "Settings by rule id. A later layer wins: user, repository, managed.",
        type: "object",
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(rules).map(([id, rule]) => [id, ruleSetting(rule.summary, rule.options(v))]),
        ),
      },
    },
  };
}

const sourceFiles: Readonly<Record<FileSource, string>> = {
  registry: ".system/hooks/*.yaml",
  harness: ".harness/settings.json or settings.json",
  plugins: "plugins/*/hooks/hooks.json",
  claude: ".claude/settings.json and settings.local.json",
  copilot: ".github/hooks/*.json",
  components: "the heads of agents, skills and commands below .claude, .github and plugins/*",
};

/** Keys with what each means, and what it may be. */
const typed = (
  keys: Readonly<Record<string, string>>,
  types: Readonly<Record<string, object>>,
): Record<string, object> =>
  Object.fromEntries(Object.entries(keys).map(([key, description]) => [key, { description, ...types[key] }]));

function inlineHook(): Record<string, unknown> {
  const event = { enum: inlineEvents };
  const texts = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
  const flag = { type: "boolean" };
  const plain = { type: ["string", "number", "boolean"] };
  const matchTypes: Readonly<Record<string, object>> = {
    tool: { type: "string" },
    fields: { type: "object", additionalProperties: { anyOf: [plain, { type: "array", items: plain }] } },
    if: { type: "string" },
    ability: texts,
    operation: texts,
    minDurationMs: { type: "number", minimum: 0 },
    changedPaths: texts,
  };
  const types: Readonly<Record<string, object>> = {
    id: { type: "string", pattern: String.raw`^[\w.-]+$` },
    on: { anyOf: [event, { type: "array", minItems: 1, items: event }] },
    run: texts,
    module: { type: "string" },
    http: { type: "string" },
    prompt: { type: "string" },
    timeoutMs: { type: "number", exclusiveMinimum: 0 },
    blocking: flag,
    environments: texts,
    once: flag,
    background: flag,
    enabled: flag,
    env: { type: "object", additionalProperties: plain },
    profile: { enum: inlineProfiles },
    summary: { type: "string" },
    match: { type: "object", additionalProperties: false, properties: typed(inlineMatchKeys, matchTypes) },
  };
  return {
    type: "object",
    additionalProperties: false,
    required: ["id", "on"],
    properties: typed(inlineKeys, types),
  };
}

function sourceSetting(name: string): Record<string, unknown> {
  const usual = usualSources[name as FileSource];
  const words = { enum: sourceWords };
  const settings = {
    type: "object",
    additionalProperties: false,
    required: ["settings"],
    properties: {
      settings: { type: "string", description: "Where the settings are, from the workspace's root." },
    },
  };
  return {
    description: `${sourceFiles[name as FileSource]}; ${usual} unless said otherwise. always: also under an agent that runs them by itself.`,
    ...(name === "harness" ? { anyOf: [words, settings] } : words),
  };
}

function withoutDialect(schema: Parameters<typeof toJsonSchema>[0]): Record<string, unknown> {
  const { $schema: _, ...rest } = toJsonSchema(schema) as Record<string, unknown>;
  return rest;
}

function ruleSetting(summary: string, options: Parameters<typeof toJsonSchema>[0]): Record<string, unknown> {
  const schema = withoutDialect(options);
  return {
    description: summary,
    anyOf: [
      { enum: settingWords },
      {
        type: "object",
        additionalProperties: false,
        properties: {
          outcome: { enum: settingWords },
          failMode: { enum: failModes, description: "What a crash of the rule itself means." },
          options: schema,
          locked: {
            type: "boolean",
            description: "Managed policies only: no other layer can change this rule.",
          },
        },
      },
    ],
  };
}
