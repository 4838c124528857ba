// Writes Hookline as a plugin of the agents that have plugins with hooks: dist/plugin/, a marketplace for Claude Code and a folder an agent.
//
//   npm run build:plugin                 small: starts the `hookline` on the user's PATH
//   npm run build:plugin -- --bundle     with the executable for this platform in each folder
//   npm run build:plugin -- --out DIR
import { existsSync, readdirSync } from "node:fs";
import { copyFile, link, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { wantedEntries } from "../src/app/install/wanted.ts";
import type { Machine } from "../src/core/install.ts";
import { installs } from "../src/hosts/installs.generated.ts";
import manifest from "../package.json";
import { root } from "./runtime.ts";

const { values: flags } = parseArgs({ options: { out: { type: "string" }, bundle: { type: "boolean" } } });
const out = resolve(flags.out ?? join(root, "dist/plugin"));

const description = manifest.description;
const { version, license } = manifest;
const name = "hookline";
const about = { name, version, description, license, author: { name: "Hookline" } };

/** Each agent's own format: what its folder is called by a variable, and which files it wants besides the hooks. */
const plugins: Readonly<
  Record<string, { folder: string; hooks: string; files: Readonly<Record<string, unknown>> }>
> = {
  "claude-code": {
    folder: "${CLAUDE_PLUGIN_ROOT}",
    hooks: "hooks/hooks.json",
    files: { ".claude-plugin/plugin.json": about },
  },
  codex: {
    folder: "${PLUGIN_ROOT}",
    hooks: "hooks/hooks.json",
    files: { ".codex-plugin/plugin.json": { ...about, hooks: "./hooks/hooks.json" } },
  },
  copilot: {
    folder: "${PLUGIN_ROOT}",
    hooks: "hooks.json",
    files: { "plugin.json": { ...about, hooks: "hooks.json" } },
  },
  "gemini-cli": {
    folder: "${extensionPath}",
    hooks: "hooks/hooks.json",
    files: { "gemini-extension.json": { name, version, description } },
  },
};

/** The same entries as `init` writes, for an executable in the plugin's folder. */
function hooksFile(host: string, executable: string): unknown {
  const install = installs[host];
  if (!install) throw new Error(`${host} has no install.ts`);
  const machine: Machine = { platform: "linux", root: "/", home: "/", env: () => undefined };
  const layout = install.files(machine).repo?.layout;
  const fresh = layout?.kind === "json" ? layout.fresh : {};
  const text = JSON.stringify(
    { ...fresh, hooks: wantedEntries(host, install, executable, machine) },
    (key, value: unknown) =>
      // An event's entry stands in a list.
      key !== "" && Object.hasOwn(install.events, key) ? [value] : value,
  );
  // The agent puts the folder in the variable's place, or its shell does: within quotes that let it.
  return JSON.parse(text.replaceAll(`'${executable}'`, `\\"${executable}\\"`));
}

/** Named so that entries are known as ours, and not in a folder that an agent puts on the PATH. */
const starter = `#!/bin/sh
# Starts Hookline: the executable beside this file, else the one on the PATH. Without either, nothing is approved.
here=\${0%/*}
[ -x "$here/hookline-here" ] && exec "$here/hookline-here" "$@"
found=$(command -v hookline) && [ "$found" != "$0" ] && exec "$found" "$@"
echo "Hookline is not installed: put the executable on the PATH (npm install --global hookline)." >&2
exit 2
`;

const steps: Readonly<Record<string, string>> = {
  "claude-code":
    "claude plugin marketplace add ./ (the folder above), then claude plugin install hookline@hookline",
  codex: "install this folder as a plugin, and trust its hooks under `/hooks`",
  copilot: "copilot plugin install ./copilot",
  "gemini-cli": "gemini extensions install ./gemini-cli",
};

const readme = (host: string): string => `# Hookline for ${host}

${description}

Install: ${steps[host]}.

The plugin does what \`hookline init --scope user --host ${host}\` does; use one of the two, or every call is judged twice. \`hookline doctor\` looks at
what \`init\` has written. There is no starter for Windows without a POSIX shell; use \`init\` there.
`;

async function bundle(to: string): Promise<void> {
  const executable = join(root, "dist/hookline");
  await link(executable, to).catch(() => copyFile(executable, to));
}

const write = (file: string, value: unknown) => writeText(file, `${JSON.stringify(value, null, 2)}\n`, 0o644);

async function writeText(file: string, text: string, mode: number): Promise<void> {
  const path = join(out, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text, { mode });
}

// Last, because it needs everything above.
if (
  existsSync(out) &&
  readdirSync(out).length > 0 &&
  !existsSync(join(out, ".claude-plugin/marketplace.json"))
) {
  console.error(`${out} is there already, and is no plugin folder of ours.`);
  process.exit(2);
}
await rm(out, { recursive: true, force: true });
await write(".claude-plugin/marketplace.json", {
  name,
  owner: { name: "Hookline" },
  metadata: { description, version },
  plugins: [{ name, source: "./claude-code", description, version, license }],
});
for (const [host, { folder, hooks, files }] of Object.entries(plugins)) {
  for (const [file, value] of Object.entries(files)) await write(`${host}/${file}`, value);
  await write(`${host}/${hooks}`, hooksFile(host, `${folder}/starter/hookline`));
  await writeText(`${host}/starter/hookline`, starter, 0o755);
  await writeText(`${host}/README.md`, readme(host), 0o644);
  if (flags.bundle) await bundle(join(out, host, "starter/hookline-here"));
}
console.log(`${out}: ${Object.keys(plugins).join(", ")}${flags.bundle ? ", each with the executable" : ""}`);
