import * as v from "valibot";
import { toJsonSchema } from "@valibot/to-json-schema";
import { presets } from "../../src/packs/presets.ts";
import { rules } from "../../src/packs/index.generated.ts";
import { eventNames } from "../../src/core/event.ts";
import { handlersSchema } from "../../src/policy/handler-settings.ts";
import { inlineKeys, inlineMatchKeys, inlineProfiles } from "../../src/sources/inline.ts";
import { ledgerSchema } from "../../src/policy/ledger-settings.ts";
import { failModes, modes, settingWords } from "../../src/policy/policy.ts";
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
      hooks: {
        description: "Hooks that stand in the policy itself. A repository's run only once they are trusted.",
        type: "array",
        items: inlineHook(),
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

const described = (keys: Readonly<Record<string, string>>): Record<string, { description: string }> =>
  Object.fromEntries(Object.entries(keys).map(([key, description]) => [key, { description }]));

function inlineHook(): Record<string, unknown> {
  const event = { enum: eventNames };
  const texts = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
  const flag = { type: "boolean" };
  const types: Readonly<Record<string, object>> = {
    id: { type: "string", pattern: String.raw`^[\w.-]+$` },
    on: { anyOf: [event, { type: "array", items: event }] },
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
    env: { type: "object", additionalProperties: { type: "string" } },
    profile: { enum: inlineProfiles },
    summary: { type: "string" },
    match: { type: "object", additionalProperties: false, properties: described(inlineMatchKeys) },
  };
  const properties = Object.entries(described(inlineKeys)).map(([key, about]) => [
    key,
    { ...about, ...types[key] },
  ]);
  return {
    type: "object",
    additionalProperties: false,
    required: ["id", "on"],
    properties: Object.fromEntries(properties) as unknown,
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
