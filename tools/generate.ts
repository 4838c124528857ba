// Writes what is derived from the source: indexes, the policy's JSON Schema, the heads of the rule pages.
// `--check` writes nothing and fails when a file is not what it would write.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Host } from "../src/core/host.ts";

const root = join(import.meta.dir, "..");
const check = process.argv.includes("--check");
const stale: string[] = [];

const isPart = (name: string) => name.endsWith(".ts") && !/\.test\.ts$|\.generated\.ts$|^_/.test(name);
const names = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true });
const folders = (folder: string) =>
  names(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
const parts = (folder: string) =>
  names(folder)
    .filter((entry) => entry.isFile() && isPart(entry.name))
    .map((entry) => entry.name.slice(0, -3))
    .toSorted();
const camel = (id: string) => id.replace(/[^a-zA-Z0-9]+(\w)/g, (_, next: string) => next.toUpperCase());

// Safety speaks first: when several rules object, its reason is the one to read.
const packs = folders("src/packs").toSorted((a, b) => Number(b === "safety") - Number(a === "safety"));
const ruleIds = packs.flatMap((pack) => parts(`src/packs/${pack}`).map((name) => `${pack}/${name}`));
const hostIds = folders("src/hosts");
const commandNames = parts("src/app/cli");

// Rules take phases and steps from these, so that they come first.
const { shippedWorkflow } = await import("./generate/shipped-workflow.ts");
for (const { name } of names("src/workflow/shipped").filter(({ name: each }) => each.endsWith(".yaml"))) {
  const workflow = shippedWorkflow(join(root, "src/workflow/shipped", name));
  emit(
    `src/workflow/shipped/${name.replace(".yaml", ".generated.json")}`,
    `${JSON.stringify(workflow, null, 2)}\n`,
  );
}

const { thesaurusModule } = await import("./generate/thesaurus.ts");
emit(
  "src/routing/thesaurus.generated.ts",
  thesaurusModule(readFileSync(join(root, "src/routing/thesaurus.txt"), "utf8")),
);
emit(
  "src/packs/index.generated.ts",
  index(ruleIds, "Rule", "../core/rule.ts", "rules", (id) => `./${id}.ts`),
);
// What a rule is about stands in the index, so that an event loads only the rules that concern it.
const { rules } = (await import("../src/packs/index.generated.ts")) as {
  rules: Record<
    string,
    { on: { actions?: readonly string[]; programs?: readonly string[] }; presets: object }
  >;
};
// Most events that concern one of these concern nearly all of them, and one file is loaded faster than six.
const together = ruleIds.filter((id) => {
  const { on, presets } = rules[id] ?? { on: {}, presets: {} };
  return on.actions?.includes("write") && "recommended" in presets;
});
const reexported = (ids: readonly string[]) =>
  [
    "// Written by tools/generate.ts; do not edit.",
    ...ids.map((id) => `export { default as ${camel(id)} } from "./${id}.ts";`),
    "",
  ].join("\n");
emit("src/packs/together.generated.ts", reexported(together));
// What most command lines concern that have to be unfolded is loaded with the code that unfolds them. Rules about a few
// programs and nothing else are a third of it all, and come when they are concerned; git is in every other line.
const aboutCommands = ruleIds.filter((id) => {
  const { on, presets } = rules[id] ?? { on: {}, presets: {} };
  if (!("recommended" in presets)) return false;
  const { actions = [], programs } = on;
  return (
    together.includes(id) ||
    actions.includes("delete") ||
    actions.includes("fetch") ||
    (actions.includes("exec") && (!programs || programs.includes("git")))
  );
});
emit(
  "src/packs/commands.generated.ts",
  index(aboutCommands, "Rule", "../core/rule.ts", "commandRules", (id) => `./${id}.ts`),
);
// Some are about every request to a server, and to load three files takes three times as long as to load one.
const aboutRequests = ruleIds.filter(
  (id) => !aboutCommands.includes(id) && (rules[id]?.on.programs?.includes("curl") ?? false),
);
emit("src/packs/requests.generated.ts", reexported(aboutRequests));
function loading(id: string): string {
  const group = together.includes(id) ? "together" : aboutRequests.includes(id) ? "requests" : undefined;
  return group ? `async () => ({ default: (await ${group}()).${camel(id)} })` : `() => import("./${id}.ts")`;
}
/** What a rule is about, its programs as one text: a list of a thousand names is a tenth of what every call loads. */
const inIndex = (on: { readonly programs?: readonly string[] } | undefined) =>
  on?.programs === undefined ? on : { ...on, programs: `|${on.programs.join("|")}|` };
emit(
  "src/packs/lazy.generated.ts",
  [
    "// Written by tools/generate.ts; do not edit.",
    'import { lazily } from "../core/lazily.ts";',
    'import type { Rule } from "../core/rule.ts";',
    "",
    'const together = lazily(() => import("./together.generated.ts"));',
    'const requests = lazily(() => import("./requests.generated.ts"));',
    "",
    'export const ruleIndex: Readonly<Record<string, { on: Rule["on"]; load(): Promise<{ default: Rule }> }>> = {',
    ...ruleIds.map(
      (id) =>
        `  ${JSON.stringify(id)}: { on: ${JSON.stringify(inIndex(rules[id]?.on))}, load: ${loading(id)} },`,
    ),
    "};",
    "",
  ].join("\n"),
);
emit(
  "src/hosts/index.generated.ts",
  index(hostIds, "Host", "../core/host.ts", "hosts", (id) => `./${id}/host.ts`),
);
emit(
  "src/hosts/facts.generated.ts",
  index(hostIds, "HostFacts", "../core/host.ts", "hostFacts", (id) => `./${id}/facts.ts`),
);
// Others speak its language as well, and a host of its own file costs each of its calls a quarter of a millisecond.
const eager = ["claude-code"];
const { hosts } = (await import("../src/hosts/index.generated.ts")) as { hosts: Record<string, Host> };
const entryOf = (id: string) => {
  const named = hosts[id]?.namesAgents;
  const agents = named === undefined ? "" : `namesAgents: ${JSON.stringify(named)}, `;
  return eager.includes(id)
    ? `{ ${agents}recognises: ${camel(id)}.recognises, load: () => ${camel(id)} }`
    : `{ ${agents}recognises: ${camel(id)}, load: async () => (await import("./${id}/host.ts")).default }`;
};
emit(
  "src/hosts/lazy.generated.ts",
  [
    "// Written by tools/generate.ts; do not edit.",
    'import type { HostEntry } from "../core/host.ts";',
    ...hostIds.map((id) =>
      eager.includes(id)
        ? `import ${camel(id)} from "./${id}/host.ts";`
        : `import { recognises as ${camel(id)} } from "./${id}/recognises.ts";`,
    ),
    "",
    "export const hostIndex: Readonly<Record<string, HostEntry>> = {",
    ...hostIds.map((id) => `  ${JSON.stringify(id)}: ${entryOf(id)},`),
    "};",
    "",
  ].join("\n"),
);
const withPart = (part: string) =>
  hostIds.filter((id) => existsSync(join(root, `src/hosts/${id}/${part}.ts`)));
emit(
  "src/hosts/installs.generated.ts",
  index(withPart("install"), "Install", "../core/install.ts", "installs", (id) => `./${id}/install.ts`),
);
emit(
  "src/hosts/checkups.generated.ts",
  index(withPart("checkup"), "Checkup", "../core/checkup.ts", "checkups", (id) => `./${id}/checkup.ts`),
);
emit(
  "src/app/cli/index.generated.ts",
  [
    "// Written by tools/generate.ts; do not edit.",
    'import type { Command } from "./_command.ts";',
    "",
    "export const commands: Readonly<Record<string, () => Promise<{ default: Command }>>> = {",
    ...commandNames.map((name) => `  ${name}: () => import("./${name}.ts"),`),
    "};",
    "",
  ].join("\n"),
);
emit(
  "src/app/doctor/index.generated.ts",
  index(parts("src/app/doctor"), "DoctorCheck", "../doctor-check.ts", "checks", (id) => `./${id}.ts`),
);

// Everything below reads the indexes just written.
const { defaultPolicy } = await import("./generate/default-policy.ts");
emit("src/policy/default.generated.json", `${JSON.stringify(defaultPolicy(), null, 2)}\n`);
const { policySchema } = await import("./generate/policy-schema.ts");
const { rulePage } = await import("./generate/rule-page.ts");
emit("schema/hookline.schema.json", `${JSON.stringify(policySchema(), null, 2)}\n`);
const { genericSchema } = await import("./generate/generic-schema.ts");
emit("schema/generic-host.schema.json", `${JSON.stringify(genericSchema(), null, 2)}\n`);
const { lintPage } = await import("./generate/lint-page.ts");
emit("docs/lint.md", lintPage());
const { hostsPage } = await import("./generate/hosts-page.ts");
emit("docs/hosts.md", hostsPage(read("docs/hosts.md")));
const { agentsPage } = await import("./generate/agents-page.ts");
emit("docs/agents.md", agentsPage());
for (const id of ruleIds) {
  const file = `docs/rules/${id}.md`;
  emit(file, await rulePage(id, read(file)));
}

if (stale.length > 0) {
  console.error(`not fresh: ${stale.join(", ")}\nRun \`npm run generate\` and commit the result.`);
  process.exit(1);
}

function index(
  ids: readonly string[],
  type: string,
  from: string,
  name: string,
  file: (id: string) => string,
): string {
  return [
    "// Written by tools/generate.ts; do not edit.",
    `import type { ${type} } from "${from}";`,
    ...ids.map((id) => `import ${camel(id)} from "${file(id)}";`),
    "",
    `export const ${name}: Readonly<Record<string, ${type}>> = {`,
    ...ids
      .map((id) => `  ${/^\w+$/.test(id) ? id : JSON.stringify(id)}: ${camel(id)},`)
      .map((line) => line.replace(/^ {2}(\w+): \1,$/, "  $1,")),
    "};",
    "",
  ].join("\n");
}

function read(file: string): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function emit(file: string, text: string): void {
  const path = join(root, file);
  if (existsSync(path) && readFileSync(path, "utf8") === text) return;
  if (check) {
    stale.push(file);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  console.log(`wrote ${file}`);
}
