import * as v from "valibot";
import { toJsonSchema } from "@valibot/to-json-schema";
import type { Example, Rule } from "../../src/core/rule.ts";
import { rules } from "../../src/packs/index.generated.ts";

const end = "<!-- The part above is generated from the rule; write below. -->";

/** A rule's page: a head from its metadata, and below it whatever a person wrote. */
export async function rulePage(id: string, before: string | undefined): Promise<string> {
  const rule = rules[id];
  if (!rule) throw new Error(`no rule ${id}`);
  const written = before?.split(end)[1] ?? "\n";
  return `${head(id, rule)}\n${end}${written}`;
}

function head(id: string, rule: Rule): string {
  const { catalogue } = rule;
  const stops = rule.outcome !== "warn";
  const facts = [
    ["Outcome", rule.outcome],
    [
      "When the rule itself fails",
      rule.failMode === "closed"
        ? "closed: the action is stopped"
        : "open: the action goes ahead, with a warning",
    ],
    ["Events", rule.on.events.join(", ")],
    ["Actions", rule.on.actions?.join(", ") ?? "any"],
    ...(rule.on.tools ? [["Tools", rule.on.tools.map((name) => code(`*${name}`)).join(", ")]] : []),
    ["Presets", Object.keys(rule.presets).join(", ")],
    ["Since", rule.since],
    ...(catalogue
      ? [
          [
            "Ralph hook",
            `#${catalogue.number} ${catalogue.title}, ${catalogue.tier}, ${catalogue.lifecycle}`,
          ],
          [
            "Serves",
            `${catalogue.serves}${catalogue.risk === undefined ? "" : `, against ${catalogue.risk}`}`,
          ],
        ]
      : []),
  ];
  return [
    `# ${id}`,
    "",
    rule.summary,
    "",
    rule.why,
    "",
    "| | |",
    "|---|---|",
    ...facts.map(([name, value]) => `| ${name} | ${value} |`),
    "",
    "## Options",
    "",
    ...optionLines(rule),
    "",
    `## ${stops ? "Stopped" : "Reported"}`,
    "",
    ...rule.examples.catches.map((example) => `- ${show(example)}`),
    "",
    `## Not ${stops ? "stopped" : "reported"}`,
    "",
    ...rule.examples.allows.map((example) => `- ${show(example)}`),
    "",
  ].join("\n");
}

function optionLines(rule: Rule): string[] {
  const { properties = {} } = toJsonSchema(rule.options(v)) as {
    properties?: Record<string, { description?: string; default?: unknown; enum?: unknown[]; type?: string }>;
  };
  const lines = Object.entries(properties).map(([name, option]) => {
    const kind = option.enum
      ? option.enum.map((word) => `\`${String(word)}\``).join(" or ")
      : (option.type ?? "value");
    return `- \`${name}\` (${kind}, default \`${JSON.stringify(option.default)}\`): ${option.description ?? ""}`;
  });
  return lines.length > 0 ? lines : ["None."];
}

function show(example: Example): string {
  const given: string[] = [];
  if (example.files) given.push(`with ${Object.keys(example.files).map(code).join(", ")}`);
  if (example.links)
    given.push(
      `with the link ${Object.entries(example.links)
        .map(([from, to]) => code(`${from} → ${to}`))
        .join(", ")}`,
    );
  if (example.options) given.push(`with options ${code(JSON.stringify(example.options))}`);
  const tail = given.length > 0 ? ` (${given.join("; ")})` : "";
  return `${action(example)}${tail}`;
}

function action(example: Example): string {
  if (example.shell !== undefined) return code(example.shell);
  if (example.edit)
    return `edit ${code(example.write ?? "")}: ${code(example.edit.old)} becomes ${code(example.edit.new)}`;
  if (example.write !== undefined)
    return `write ${code(example.write)}${example.text ? `: ${code(example.text)}` : ""}`;
  if (example.delete !== undefined) return `delete ${code(example.delete)}`;
  if (example.read !== undefined) return `read ${code(example.read)}`;
  if (example.delegate)
    return `call ${code(example.delegate.agent ?? "an agent")} with ${code(example.delegate.prompt)}`;
  if (example.tool) return `call ${code(`${example.tool.name} ${JSON.stringify(example.tool.input)}`)}`;
  if (example.patch !== undefined) return `patch ${code(example.patch)}`;
  return example.event ?? "";
}

const code = (text: string): string => `\`${text.replaceAll("\n", "⏎").replaceAll("`", "ˋ")}\``;
