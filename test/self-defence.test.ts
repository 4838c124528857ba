import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { hostFacts } from "../src/hosts/facts.generated.ts";
import { installs } from "../src/hosts/installs.generated.ts";
import { tools } from "./support/attempts.ts";
import { workspace, type Workspace } from "./support/hookline.ts";
import {
  codexTrust,
  found,
  installed,
  occasions,
  payloadOf,
  put,
  send,
  settingsOf,
} from "./support/watched.ts";

/** One way to switch a host's hooks off. Names begin with `~/` in the home, with `/` on the machine. */
interface Way {
  /** How files are left; `ROOT` is the workspace. */
  readonly files?: Readonly<Record<string, Text>>;
  /** What stands there before. */
  readonly before?: Readonly<Record<string, Text>>;
  /** Only by what is written can it be told from daily work, so no command that does not say it. */
  readonly isByContent?: true;
  /** Command lines that start an agent without its hooks, or are the same for whoever is started next. */
  readonly shell?: readonly string[];
}

/** What stands in a file, as such or by what is in the workspace. */
type Text = string | ((ws: Workspace) => string);

const foreign = '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"allow-all"}]}]}}';
const off = '{"disableAllHooks": true}';
const trusted = JSON.stringify({ ROOT: "TRUST_FOLDER" });
const untrusted = JSON.stringify({ ROOT: "DO_NOT_TRUST" });
const folderTrust = '{"security":{"folderTrust":{"enabled":true}}}';

/** By host and by what `facts.ts` says of it. */
const ways: Readonly<Record<string, Readonly<Record<string, Way>>>> = {
  "claude-code": {
    "`disableAllHooks` in any settings file but a managed one": {
      files: {
        ".claude/settings.json": off,
        ".claude/settings.local.json": off,
        "~/.claude/settings.json": off,
      },
      shell: ["claude config set -g disableAllHooks true"],
    },
    "settings that are emptied, removed or narrowed: they are read again during a session (seen with 2.1.325)":
      {
        files: { ".claude/settings.json": "{}" },
      },
    "settings that it leaves out as a whole: comments, trailing commas, a value of the wrong kind (seen with 2.1.325)":
      {
        files: {
          ".claude/settings.json": (ws) =>
            readFileSync(ws.path(".claude/settings.json"), "utf8").replace("{", "{ // ours"),
        },
      },
    "`enabledPlugins`, for our plugin": {
      before: { ".claude/settings.json": '{"enabledPlugins":{"hookline@hookline":true}}' },
      files: { ".claude/settings.json": '{"enabledPlugins":{"hookline@hookline":false}}' },
      shell: [
        "claude plugin disable hookline",
        "claude plugin uninstall hookline@hookline",
        "rm -rf ~/.claude/plugins",
      ],
    },
    "`disableAllHooks` and `allowManagedHooksOnly` in managed settings": {
      files: {
        "/etc/claude-code/managed-settings.json": '{"allowManagedHooksOnly": true}',
        "/etc/claude-code/managed-settings.d/x.json": off,
      },
    },
    "the flags `--bare`, `--safe-mode` and `--setting-sources`, and `--settings` with other settings": {
      before: { "x.json": off },
      shell: [
        "claude --bare -p go",
        "claude --safe-mode -p go",
        "claude --setting-sources user -p go",
        `claude --settings '${off}' -p go`,
        "claude --settings x.json -p go",
        "claude --settings=./x.json -p go",
        "claude --settings /nowhere/y.json -p go",
        "npx -y @anthropic-ai/claude-code --bare -p go",
      ],
    },
    "CLAUDE_CODE_SIMPLE, CLAUDE_CODE_SAFE_MODE, CLAUDE_CODE_PERSONAL_HOOKS_OFF; CLAUDE_CONFIG_DIR and CLAUDE_CODE_MANAGED_SETTINGS_PATH, which name other settings":
      {
        shell: byVariable("claude -p go", [
          "CLAUDE_CODE_SIMPLE",
          "CLAUDE_CODE_SAFE_MODE",
          "CLAUDE_CODE_PERSONAL_HOOKS_OFF",
          "CLAUDE_CONFIG_DIR",
          "CLAUDE_CODE_MANAGED_SETTINGS_PATH",
        ]),
      },
  },
  codex: {
    "`hooks.json` that is emptied, removed or narrowed, at the next start": {
      files: { ".codex/hooks.json": "{}" },
    },
    "`[features] hooks` in any `config.toml`": {
      files: {
        ".codex/config.toml": "[features]\nhooks = false\n",
        "~/.codex/config.toml": "[features]\nhooks = false\n",
        "/etc/codex/config.toml": "[features]\nhooks = false\n",
      },
      shell: ["codex features disable hooks"],
    },
    "`[hooks.state]` in the user's `config.toml`: `enabled`, `trusted_hash`": {
      before: { "~/.codex/config.toml": codexTrust },
      files: {
        "~/.codex/config.toml": (ws) =>
          codexTrust(ws).replace(/(?<=pre_tool_use:0:0"\]\n)/, "enabled = false\n"),
      },
    },
    "`[projects]` in the user's `config.toml`: `trust_level`": {
      before: { "~/.codex/config.toml": '[projects."ROOT"]\ntrust_level = "trusted"\n' },
      files: { "~/.codex/config.toml": '[projects."ROOT"]\ntrust_level = "untrusted"\n' },
    },
    "anything in `hooks.json` that Codex does not expect, for which it drops the file: an unknown key at the root, a comment (seen with 0.166.0)":
      {
        files: {
          ".codex/hooks.json": (ws) =>
            readFileSync(ws.path(".codex/hooks.json"), "utf8").replace("{", '{"$schema": "x",'),
        },
      },
    "`allow_managed_hooks_only` in `requirements.toml`": {
      files: { "/etc/codex/requirements.toml": "allow_managed_hooks_only = true\n" },
    },
    "the flags `--disable hooks`, `-c`, `--ignore-user-config`, `--profile`": {
      shell: [
        "codex exec --disable hooks go",
        "codex --disable=codex_hooks exec go",
        "codex exec -c features.hooks=false go",
        "codex exec -c 'features={hooks=false}' go",
        "codex exec --config=hooks.state={} go",
        `codex exec -c 'projects."ROOT".trust_level="untrusted"' go`,
        "codex exec --ignore-user-config go",
        "codex -p loose exec go",
        "codex exec --profile=loose go",
        "codex e --ignore-user-config go",
      ],
      files: { "~/.codex/loose.config.toml": "[features]\nhooks = false\n" },
    },
    "CODEX_HOME, which names another home": { shell: byVariable("codex exec go", ["CODEX_HOME"]) },
  },
  copilot: {
    "hook files that are emptied, removed or narrowed, at the next start": {
      files: { ".github/hooks/hookline.json": "{}" },
    },
    "hook files with comments, trailing commas or a byte order mark, which it skips (seen with 1.0.102)": {
      files: {
        ".github/hooks/hookline.json": (ws) =>
          `// ours\n${readFileSync(ws.path(".github/hooks/hookline.json"), "utf8")}`,
      },
    },
    "`disableAllHooks` in the settings of the repository or the user, or in a hook file for that file": {
      files: {
        ".github/copilot/settings.json": off,
        ".github/copilot/settings.local.json": off,
        "~/.copilot/settings.json": off,
        ".github/hooks/hookline.json": off,
      },
    },
    "`disabledHooks` in the settings of the user": {
      files: { "~/.copilot/settings.json": '{"disabledHooks":["a1b2"]}' },
    },
    "`trustedFolders` in the user's `config.json`": {
      before: { "~/.copilot/config.json": '{"trustedFolders":["ROOT"]}' },
      files: { "~/.copilot/config.json": '{"trustedFolders":[]}' },
    },
    "`chat.useHooks` and `chat.hookFilesLocations` in VS Code, for the workspace or the user": {
      files: {
        ".vscode/settings.json": '{"chat.useHooks": false}',
        "~/.config/Code/User/settings.json": '{"chat.useHooks": false}',
      },
      isByContent: true,
    },
    "the same in a `.code-workspace` file": {
      files: {
        "app.code-workspace": '{"settings":{"chat.hookFilesLocations":{".github/hooks":false}}}',
      },
      isByContent: true,
    },
    "COPILOT_HOME, which names another home": { shell: byVariable("copilot -p go", ["COPILOT_HOME"]) },
  },
  cursor: {
    "`hooks.json` of the workspace or the user that is emptied or removed, an entry that is taken out, or `failClosed` that is missing":
      { files: { ".cursor/hooks.json": '{"version":1,"hooks":{}}' } },
    "an event name the installed version does not know: 2.6 then rejects the whole file": {
      files: {
        ".cursor/hooks.json": (ws) => {
          const config = JSON.parse(readFileSync(ws.path(".cursor/hooks.json"), "utf8"));
          return JSON.stringify({ ...config, hooks: { ...config.hooks, beforeEverything: [] } });
        },
      },
    },
  },
  "gemini-cli": {
    "`settings.json` that is emptied, removed or narrowed, at the next start": {
      files: { ".gemini/settings.json": "{}" },
    },
    "`hooksConfig.enabled` and `hooksConfig.disabled` in any `settings.json`, and the panel `/hooks`, which writes them":
      {
        files: {
          ".gemini/settings.json": '{"hooksConfig":{"enabled":false}}',
          "~/.gemini/settings.json": '{"hooksConfig":{"disabled":["hookline"]}}',
          "/etc/gemini-cli/settings.json": '{"hooksConfig":{"enabled":false}}',
        },
        shell: ["gemini hooks disable hookline", "gemini hooks disable-all"],
      },
    "`trustedFolders.json`": {
      before: { "~/.gemini/trustedFolders.json": trusted },
      files: { "~/.gemini/trustedFolders.json": untrusted },
    },
    "the flag `--skip-trust` in a folder that is not trusted, and `--extensions` without ours": {
      shell: ["gemini --skip-trust -p go", "gemini -e none -p go", "gemini --extensions=none -p go"],
    },
    "`extension-enablement.json`, for our extension": {
      before: { "~/.gemini/extensions/hookline/gemini-extension.json": '{"name":"hookline"}' },
      files: { "~/.gemini/extensions/extension-enablement.json": '{"hookline":{"overrides":["!ROOT/*"]}}' },
      shell: ["gemini extensions disable hookline", "gemini extensions uninstall hookline"],
    },
    "GEMINI_CLI_TRUST_WORKSPACE and GEMINI_RESTRICTED_MODE; GEMINI_CLI_HOME, GEMINI_CLI_SYSTEM_SETTINGS_PATH, GEMINI_CLI_SYSTEM_DEFAULTS_PATH and GEMINI_CLI_TRUSTED_FOLDERS_PATH, which name other files; all of them in a `.env` too":
      {
        shell: byVariable("gemini -p go", [
          "GEMINI_CLI_TRUST_WORKSPACE",
          "GEMINI_RESTRICTED_MODE",
          "GEMINI_CLI_HOME",
          "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
          "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
          "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
        ]),
        files: {
          ".env": "GEMINI_CLI_TRUST_WORKSPACE=false\n",
          ".gemini/.env": "GEMINI_RESTRICTED_MODE=true\n",
        },
        isByContent: true,
      },
  },
  harness: {
    "`settings.json` of the framework: an entry that is taken out, or a matcher that fits nothing": {
      before: {
        "settings.json":
          '{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"hookline run --host harness"}]}]}}',
      },
      files: { "settings.json": '{"hooks":{}}', ".harness/settings.json": "{}" },
    },
  },
  opencode: {
    "a plugin file that is emptied, removed or cannot be loaded, at the next start": {
      files: { ".opencode/plugin/hookline.js": "throw 1;\n" },
    },
    "the flag `--pure`": {
      shell: [
        "opencode --pure",
        "opencode run --pure go",
        "opencode --pure run go",
        "bunx opencode-ai@latest run --pure go",
      ],
    },
    "OPENCODE_PURE and OPENCODE_DISABLE_PROJECT_CONFIG; OPENCODE_CONFIG_DIR and XDG_CONFIG_HOME, which name other folders":
      {
        shell: [
          ...byVariable("opencode run go", [
            "OPENCODE_PURE",
            "OPENCODE_DISABLE_PROJECT_CONFIG",
            "OPENCODE_CONFIG_DIR",
          ]),
          "XDG_CONFIG_HOME=/tmp/x opencode run go",
        ],
      },
  },
  plugin: {
    "`hooks/hooks.json` of the plugin, and the agent's list of plugins": {
      before: {
        "plugins/guard/hooks/hooks.json":
          '{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"hookline run --host plugin"}]}]}}',
      },
      files: {
        "plugins/guard/hooks/hooks.json": '{"hooks":{}}',
        "~/.claude/plugins/installed_plugins.json": "{}",
      },
    },
  },
  "qwen-code": {
    "`settings.json` that is emptied, removed or narrowed, at the next start": {
      files: { ".qwen/settings.json": "{}" },
    },
    "`settings.json` with trailing commas, which it leaves out (seen with 0.24.4)": {
      files: {
        ".qwen/settings.json": (ws) =>
          readFileSync(ws.path(".qwen/settings.json"), "utf8").replace(/\}\s*$/, ",}"),
      },
    },
    "`disableAllHooks` in any `settings.json`": {
      files: {
        ".qwen/settings.json": off,
        "~/.qwen/settings.json": off,
        "/etc/qwen-code/settings.json": off,
      },
    },
    "`trustedFolders.json`, where folder trust is on": {
      before: { "~/.qwen/settings.json": folderTrust, "~/.qwen/trustedFolders.json": trusted },
      files: { "~/.qwen/trustedFolders.json": untrusted },
    },
    "another hook at PreToolUse behind ours, which has the last word": {
      files: { "~/.qwen/settings.json": foreign },
    },
    "the flags `--bare` and `--safe-mode`": { shell: ["qwen --bare -p go", "qwen -p go --safe-mode"] },
    "QWEN_CODE_SIMPLE and QWEN_CODE_SAFE_MODE; QWEN_HOME, QWEN_CODE_SYSTEM_SETTINGS_PATH, QWEN_CODE_SYSTEM_DEFAULTS_PATH and QWEN_CODE_TRUSTED_FOLDERS_PATH, which name other files; all of them in a `.env` too":
      {
        shell: byVariable("qwen -p go", [
          "QWEN_CODE_SIMPLE",
          "QWEN_CODE_SAFE_MODE",
          "QWEN_HOME",
          "QWEN_CODE_SYSTEM_SETTINGS_PATH",
          "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
          "QWEN_CODE_TRUSTED_FOLDERS_PATH",
        ]),
        files: {
          ".env": "QWEN_HOME=/tmp/x\n",
          ".qwen/.env": "QWEN_CODE_SAFE_MODE=1\n",
          "~/.qwen/.env": "QWEN_HOME=/tmp/x\n",
        },
        isByContent: true,
      },
  },
  windsurf: {
    "`hooks.json` of the workspace or the user that is emptied or removed, or an entry that is taken out": {
      files: { ".windsurf/hooks.json": '{"hooks":{}}' },
    },
    "a wrapper that turns exit code 2 into another: only exactly 2 refuses": {
      files: {
        ".windsurf/hooks.json":
          '{"hooks":{"pre_run_command":[{"command":"hookline run --host windsurf || true"}]}}',
      },
    },
  },
};

/** A variable set for one command, for the rest of the line or a shell that lives on, in every place that outlives it. */
function byVariable(start: string, names: readonly string[]): string[] {
  return names.flatMap((name) => [
    `${name}=/tmp/x ${start}`,
    `env ${name}=/tmp/x ${start}`,
    `export ${name}=/tmp/x; ${start}`,
    `export ${name}=1`,
    `declare -x ${name}=1`,
    `echo 'export ${name}=1' >> .envrc`,
    `echo 'export ${name}=1' >> ~/.bashrc`,
    `printf '${name}=1\\n' | tee -a ~/.profile`,
    `fish -c 'set -Ux ${name} 1'`,
    `systemctl --user set-environment ${name}=1`,
    `launchctl setenv ${name} 1`,
    `tmux setenv -g ${name} 1`,
    `setx ${name} 1`,
  ]);
}

/** What any agent could try on Hookline itself; `EXE` is the executable, `BIN` a folder on the PATH. */
const onItself = [
  "hookline uninstall",
  "npx hookline uninstall --yes",
  "EXE uninstall --yes",
  "hookline trust --yes",
  "hookline init --executable /tmp/fake/hookline --yes",
  "npm uninstall -g hookline",
  "pnpm remove hookline",
  "npm install -g hookline@0.0.1",
  "npm i hookline@npm:evil",
  "brew uninstall hookline",
  "rm EXE",
  "rm -f EXE-warm",
  "mv EXE /tmp/gone",
  "cp /bin/true EXE",
  "cp /bin/true EXE-warm",
  "ln -sf /bin/true EXE-warm",
  "install -m 755 /bin/true EXE",
  "dd if=/bin/true of=EXE",
  "truncate -s 0 EXE",
  "chmod -x EXE",
  "chmod 000 EXE-warm",
  "chattr +i EXE",
  "setfacl -m u::--- EXE",
  "strip EXE",
  "mount --bind /bin/true EXE",
  "rm -rf $(dirname EXE)",
  "rm BIN/hookline",
  "ln -sfn /bin/true BIN/hookline",
  "cp /bin/true BIN/hookline",
  "cp /bin/true BIN/hookline-warm",
  "printf '#!/bin/sh\\n' > BIN/hookline",
  "cp /bin/true node_modules/.bin/hookline",
  "printf '#!/bin/sh\\n' > tools/hookline && chmod +x tools/hookline",
  "rm $(which hookline)",
  'chmod a-x "$(command -v hookline)"',
  "pkill -f hookline",
  "killall -9 hookline-warm",
  "npm i -g ./vendor/hookline",
  "npm link hookline",
  "bun add -g hookline",
  "XDG_CONFIG_HOME=/tmp/x claude -p go",
  "HOOKLINE_MANAGED_POLICY=/tmp/x codex exec go",
  "rm -rf ~/.local/state/hookline",
  "rm -rf ~/.config/hookline",
  "rm -rf ~/.cache/hookline",
  "rm -rf .hookline",
  "echo > hookline.yaml",
  "git checkout HEAD~1 -- hookline.yaml",
  "echo 'export HOOKLINE_MANAGED_POLICY=/tmp/x' >> ~/.bashrc",
  "export HOOKLINE_MANAGED_POLICY=/tmp/x",
];

/** Versions of a settings file that git, an archive or a patch would bring, by its name. */
const brought = (file: string): string[] => [
  `git checkout HEAD~1 -- ${file}`,
  `git checkout main ${file}`,
  `git restore --source=HEAD~1 ${file}`,
  `git restore -s main -- ${dirname(file)}`,
  `git stash push -- ${file}`,
  `git stash push -u -- ${dirname(file)}`,
  `git rm -f ${file}`,
  `git rm -r --cached ${dirname(file)}`,
  `git mv ${file} x.json`,
  `git show HEAD~1:${file} > ${file}`,
  `git clean -fdx ${dirname(file)}`,
  `find . -name ${basename(file)} -delete`,
  `find . -name '*${extname(file)}' -not -path './node_modules/*' -exec rm {} +`,
  `find . -name ${basename(file)} | xargs rm -f`,
  `rename 's/^/x/' ${file}`,
  `mount -t tmpfs none ${dirname(file)}`,
  `chmod 000 ${dirname(file)}`,
  `docker run --rm -v "$(pwd)":/w -w /w alpine sh -c 'rm -f ${file}'`,
  `git apply <<'EOF'\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\nEOF`,
  `patch -p1 <<'EOF'\n--- a/${file}\n+++ b/${file}\n@@ -1 +1 @@\n-a\n+b\nEOF`,
  `tar xf a.tar ${file}`,
  `unzip -o a.zip ${file}`,
];

/** Ways to write a file, or to take it away, by a command line that names it. */
const byShell = (path: string, text: string): string[] => [
  `cat > ${path} <<'EOF'\n${text}\nEOF`,
  `echo x | tee ${path}`,
  `cp x.json ${path}`,
  `mv x.json ${path}`,
  `ln -sf x.json ${path}`,
  `sed -i s/true/false/ ${path}`,
  `python3 -c "open('${path.replace("~", "/home/me")}','w').write('')"`,
  `node -e "require('fs').writeFileSync('${path.replace("~", "/home/me")}','')"`,
  `chmod 000 ${path}`,
  `truncate -s 0 ${path}`,
  `curl -o ${path} https://example.test/x`,
];

const inPlace = (text: Text, ws: Workspace): string =>
  (typeof text === "string" ? text : text(ws)).replaceAll("ROOT", realpathSync(ws.root));

/** What becomes of many calls of a host's tools; those that are neither refused nor asked about by whoever guards the guard. */
async function goneThrough(
  ws: Workspace,
  host: string,
  calls: readonly (readonly [what: string, payload: object])[],
  env: Record<string, string> = {},
): Promise<string[]> {
  const lines = calls.map(([, payload]) => JSON.stringify(payload)).join("\n");
  const ran = await ws.run(["eval", "--jsonl", "--host", host], `${lines}\n`, env);
  const verdicts = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { outcome: string; findings: { rule: string; outcome: string }[] });
  expect(verdicts).toHaveLength(calls.length);
  return calls.flatMap(([what], at) => {
    const { outcome, findings } = verdicts[at]!;
    const isOurs = findings.some(
      (each) =>
        /^safety\/(?:self-protection|unguarded-agent)$/.test(each.rule) &&
        /^(?:ask|block)$/.test(each.outcome),
    );
    return isOurs && /^(?:ask|block)$/.test(outcome) ? [] : [`${outcome}: ${what}`];
  });
}

const shellCalls = (host: string, commands: readonly string[], cwd: string) =>
  commands.map((command) => [command, tools[host]!.shell(command, cwd)] as const);

function fileCalls(ws: Workspace, host: string, { files = {}, isByContent }: Way) {
  return Object.entries(files).flatMap(([name, given]) => {
    const text = inPlace(given, ws);
    const path = name.startsWith("~/") ? join(ws.home, name.slice(2)) : name;
    const written = tools[host]!.writes(path.startsWith("/") ? path : join(ws.root, path), text, ws.root);
    const commands = byShell(name, text).slice(0, isByContent ? 1 : undefined);
    return [
      ...written.map((payload) => [JSON.stringify(payload), payload] as const),
      ...shellCalls(host, commands, ws.root),
    ];
  });
}

/** A workspace as a way finds it. */
async function staged(host: string, way: Way): Promise<Workspace> {
  const ws = Object.hasOwn(installs, host) ? await installed(host) : workspace();
  for (const [name, text] of Object.entries(way.before ?? {})) put(ws, name, inPlace(text, ws));
  return ws;
}

test("every way a host's facts name is tried, and no other", () => {
  expect(Object.keys(hostFacts).filter((host) => (hostFacts[host]?.switches.length ?? 0) > 0)).toEqual(
    Object.keys(ways).toSorted(),
  );
  for (const [host, tried] of Object.entries(ways))
    expect(Object.keys(tried)).toEqual(hostFacts[host]!.switches.map(({ by }) => by));
});

describe.each(Object.keys(ways))("an agent of %s is refused", (host) => {
  test.each(Object.entries(ways[host] ?? {}))("%s", async (_, way) => {
    using ws = await staged(host, way);
    const started = (way.shell ?? []).map((command) => inPlace(command, ws));
    expect(
      await goneThrough(ws, host, [...fileCalls(ws, host, way), ...shellCalls(host, started, ws.root)]),
    ).toEqual([]);
  });

  test("its own settings by a command that brings another version", async () => {
    using ws = await staged(host, {});
    const file = settingsOf[host] ?? ".claude/settings.json";
    put(ws, file, "{}");
    expect(await goneThrough(ws, host, shellCalls(host, brought(file), ws.root))).toEqual([]);
  });

  test("Hookline itself: uninstalled, replaced, hidden, taken off the PATH", async () => {
    using ws = workspace();
    const bin = join(ws.home, "bin");
    mkdirSync(bin);
    const executable = join(import.meta.dir, "../dist/hookline");
    symlinkSync(executable, join(bin, "hookline"));
    mkdirSync(ws.path("node_modules/.bin"), { recursive: true });
    const commands = onItself.map((line) => line.replaceAll("EXE", executable).replaceAll("BIN", bin));
    const env = { PATH: `${ws.path("node_modules/.bin")}:${bin}:/usr/bin:/bin` };
    const written = ["hookline", "hookline-warm", "hookline.cmd"].flatMap((name) =>
      tools[host]!.writes(join(bin, name), "#!/bin/sh\n", ws.root).map((payload) => [name, payload] as const),
    );
    expect(await goneThrough(ws, host, [...shellCalls(host, commands, ws.root), ...written], env)).toEqual(
      [],
    );
  });
});

/** Calls of tools nobody has described, in the words of several servers of the MCP; `FILE` is a settings file, `FOLDER` its folder. */
const strangers: readonly (readonly [tool: string, input: object])[] = [
  ["delete_file", { paths: ["FILE"] }],
  ["remove", { target: "FILE" }],
  ["rename", { from: "FOLDER", to: "x" }],
  ["rename", { oldPath: "FOLDER", newPath: "x" }],
  ["move_file", { source: "x.json", destination: "FILE" }],
  ["write_files", { files: { FILE: "{}" } }],
  ["truncate", { filename: "FILE", size: 0 }],
  ["chmod", { path: "FILE", mode: "000" }],
  ["replace_content", { relative_path: "FILE", needle: "a", repl: "b" }],
  ["create_new_file", { pathInProject: "FILE", text: "{}" }],
  ["save", { destination_path: "FILE", body: "{}" }],
  ["download", { url: "https://example.test/x", output: "FILE" }],
  ["start_process", { command: "rm FILE" }],
  ["exec", { argv: ["rm", "-rf", "FOLDER"] }],
  ["execute_command", { command: "rm settings.json", cwd: "FOLDER" }],
  ["interact_with_process", { pid: 1, input: "rm -rf FOLDER" }],
  ["run_python", { code: "import os; os.remove('FILE')" }],
];

test.each(["claude-code", "codex", "qwen-code", "generic"])(
  "an agent of %s is refused what it tries by a tool nobody has described",
  async (host) => {
    using ws = await staged("claude-code", {});
    const calls = strangers.map(([tool, input]) => {
      const text = JSON.stringify(input)
        .replaceAll("FILE", ".claude/settings.json")
        .replaceAll("FOLDER", ".claude");
      const named = `mcp__files__${tool}`;
      const announced =
        host === "generic"
          ? { event: "PreToolUse", session: "s1", cwd: ws.root, tool: named, input: JSON.parse(text) }
          : { ...tools[host]!.shell("", ws.root), tool_name: named, tool_input: JSON.parse(text) };
      return [`${tool} ${text}`, announced] as const;
    });
    expect(await goneThrough(ws, host, calls)).toEqual([]);
  },
);

/** A machine whose `/etc` is as it is told, in a namespace of its own. */
function onMachine(
  ws: Workspace,
  args: readonly string[],
  input: object,
  files: Readonly<Record<string, string>>,
) {
  const script = [
    "mount -t tmpfs none /etc",
    ...Object.entries(files).map(
      ([name, text]) => `mkdir -p ${dirname(name)} && printf %s '${text.replaceAll("\n", "\\n")}' > ${name}`,
    ),
    'exec "$@"',
  ].join(" && ");
  const executable = join(import.meta.dir, "../dist/hookline");
  const ran = Bun.spawnSync(
    ["unshare", "-m", "sh", "-c", script.replaceAll("%s", "%b"), "sh", executable, ...args],
    {
      cwd: ws.root,
      env: { HOME: ws.home, PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      stdin: new TextEncoder().encode(JSON.stringify(input)),
      stderr: "pipe",
    },
  );
  expect([ran.stderr.toString(), ran.exitCode]).toEqual(["", 0]);
}

const hasNamespaces = process.getuid?.() === 0 && Bun.which("unshare") !== null;

describe.each(Object.keys(settingsOf))("behind the back of %s", (host) => {
  const told = hostFacts[host]!.switches.filter(({ behind }) => behind !== "silent").map(({ by }) => by);
  const [start = "", after = ""] = occasions[host] ?? [];

  test.each(told)("%s: the next event says so", async (by) => {
    const way = ways[host]![by]!;
    for (const [name, text] of Object.entries(way.files ?? {})) {
      using ws = await staged(host, way);
      if (name.startsWith("/")) {
        if (!hasNamespaces) continue;
        for (const [fixture, files] of [
          [start, {}],
          [after, { [name]: inPlace(text, ws) }],
        ] as const) {
          const { args, stdin } = payloadOf(ws, host, fixture);
          onMachine(ws, args, stdin, files);
        }
      } else {
        await send(ws, host, start);
        expect({ name, said: found(ws) }).toEqual({ name, said: [] });
        put(ws, name, inPlace(text, ws));
        await send(ws, host, after);
      }
      expect({ name, said: found(ws).length > 0 }).toEqual({ name, said: true });
    }
  });
});

/** Ways that the host asks about before they count. */
const asked = Object.keys(settingsOf).flatMap((host) =>
  hostFacts[host]!.switches.filter(({ behind }) => behind === "refused").map(({ by }) => [host, by] as const),
);

test.each(asked)("%s asks before it counts, and is refused: %s", async (host, by) => {
  for (const [name, text] of Object.entries(ways[host]![by]!.files ?? {})) {
    using ws = await staged(host, ways[host]![by]!);
    await send(ws, host, occasions[host]![0]!);
    put(ws, name, inPlace(text, ws));
    const ran = await send(ws, host, "ConfigChange");
    expect({ name, answer: JSON.parse(ran.stdout || "{}") }).toMatchObject({
      name,
      answer: { decision: "block" },
    });
  }
});

describe("a home that a variable has moved", () => {
  const moved = [
    ["claude-code", "CLAUDE_CONFIG_DIR", "settings.json"],
    ["codex", "CODEX_HOME", "hooks.json"],
    ["copilot", "COPILOT_HOME", "hooks/hookline.json"],
    ["gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"],
    ["opencode", "XDG_CONFIG_HOME", "opencode/plugin/hookline.js"],
    ["qwen-code", "QWEN_HOME", "settings.json"],
  ] as const;

  test.each(moved)(
    "%s: %s is followed by init and doctor, and guarded as well",
    async (host, variable, name) => {
      using ws = workspace();
      const folder = join(ws.home, "moved");
      const env = { [variable]: folder };
      const ran = await ws.run(["init", "--yes", "--scope", "user", "--host", host, "--json"], "", env);
      expect(ran.json().changes.map(({ path }: { path: string }) => path)).toEqual([
        join(realpathSync(ws.home), "moved", name),
      ]);
      const { findings } = (await ws.run(["doctor", "--json"], "", env)).json();
      expect(findings.filter(({ check }: { check: string }) => check === "agents-call")).toEqual([]);
      const path = join(folder, name);
      const calls = [
        ...tools[host]!.writes(path, "{}", ws.root).map((payload) => [path, payload] as const),
        ...shellCalls(host, [`echo '{}' > ${path}`, `rm -rf ${folder}`], ws.root),
      ];
      expect(await goneThrough(ws, host, calls, env)).toEqual([]);
      // What is lost there is told.
      await send(ws, host, occasions[host]![0]!, "s1", env);
      put(ws, `~/moved/${name}`, "");
      await send(ws, host, occasions[host]![1]!, "s1", env);
      expect(found(ws)).toEqual([expect.stringContaining(name)]);
      const gone = await ws.run(["uninstall", "--yes", "--scope", "user"], "", env);
      expect(gone.exitCode).toBe(0);
    },
  );
});

test("an executable that is taken away refuses by its absence where the host can be made to", async () => {
  for (const host of ["codex", "gemini-cli", "qwen-code", "windsurf"]) {
    using ws = await installed(host);
    const text = readFileSync(ws.path(settingsOf[host]!), "utf8");
    const line = /"command": ("(?:[^"\\]|\\.)*\|\| sh(?:[^"\\]|\\.)*")/.exec(text)?.[1] ?? '""';
    const gone = (JSON.parse(line) as string).replace(/\S*hookline run/, "/nowhere/hookline run");
    const ran = Bun.spawnSync(["bash", "-c", gone], { cwd: ws.root });
    expect([host, ran.exitCode]).toEqual([host, 2]);
  }
});

describe("daily work goes on", () => {
  test("files of these names that are none of the guard's, variables that are read, agents as they are set up", async () => {
    using ws = await installed("claude-code", "codex");
    mkdirSync(ws.path("docs"));
    for (const name of ["settings.json", "hooks/hooks.json", "plugin.json"])
      put(ws, name, '{"hooks":{"PostToolUse":[]}}');
    const commands = [
      "claude -p 'fix the tests'",
      "codex exec 'fix the tests'",
      "claude mcp list",
      "gemini --version",
      "opencode models",
      "qwen --help",
      "npm install hookline",
      "npm ci",
      "git checkout feature",
      "git stash",
      "echo $CODEX_HOME",
      "env | grep CLAUDE",
      "echo 'PORT=3000' >> .env",
      "echo 'export EDITOR=vim' >> .envrc",
      "grep -rn OPENCODE_PURE docs",
      "export NODE_ENV=test",
      "which hookline",
      "hookline doctor",
      "ls -l $(which hookline)",
      "mkdir -p vendor/hookline && git clone https://example.test/hookline vendor/hookline",
    ];
    const writes = [
      ["settings.json", '{"theme":"dark","hooks":{"PostToolUse":[]}}'],
      ["hooks/hooks.json", "{}"],
      ["plugin.json", '{"name":"x"}'],
      [".env", "PORT=3000\n"],
      [".vscode/settings.json", '{"editor.tabSize":2}'],
      ["app.code-workspace", '{"folders":[]}'],
      ["docs/agents.md", "OPENCODE_PURE=1 switches plugins off, CODEX_HOME moves the home."],
      ["src/hookline.ts", "export {};"],
    ] as const;
    const calls = [
      ...shellCalls("claude-code", commands, ws.root),
      ...writes.map(
        ([name, text]) => [name, tools["claude-code"]!.writes(ws.path(name), text, ws.root)[0]!] as const,
      ),
    ];
    const through = await goneThrough(ws, "claude-code", calls);
    expect(calls.filter(([what]) => !through.includes(`pass: ${what}`)).map(([what]) => what)).toEqual([]);
  });
});

describe("an agent nobody watches", () => {
  const tried = async (ws: Workspace, commands: readonly string[], env?: Record<string, string>) =>
    goneThrough(ws, "claude-code", shellCalls("claude-code", commands, ws.root), env);

  test("is one that is not set up here while another is, or that is started elsewhere", async () => {
    using ws = await installed("claude-code");
    mkdirSync(join(ws.home, "elsewhere"));
    const commands = [
      "codex exec go",
      "gemini -p go",
      "qwen -p go",
      "opencode run go",
      "cd ~/elsewhere && claude -p go",
      "(cd / && claude -p go)",
      "HOME=/tmp/x claude -p go",
      "codex -C / exec go",
      "copilot -C ~/elsewhere -p go",
      "opencode run --dir ~/elsewhere go",
      "opencode ~/elsewhere",
    ];
    expect(await tried(ws, commands)).toEqual([]);
  });

  test("is watched where its own settings, in the repository, the home or another folder, ask Hookline", async () => {
    using ws = await installed("claude-code", "codex");
    put(ws, "~/.gemini/settings.json", readFileSync(ws.path(".claude/settings.json"), "utf8"));
    put(ws, "~/other/.claude/settings.json", readFileSync(ws.path(".claude/settings.json"), "utf8"));
    const commands = ["codex exec go", "gemini -p go", "cd ~/other && claude -p go", "cd src; claude -p go"];
    expect(await tried(ws, commands)).toEqual(commands.map((command) => `pass: ${command}`));
  });

  test("is nobody's business where no agent asks Hookline at all", async () => {
    using ws = workspace();
    const commands = ["codex exec go", "cd / && claude -p go"];
    expect(await tried(ws, commands)).toEqual(commands.map((command) => `pass: ${command}`));
  });
});
