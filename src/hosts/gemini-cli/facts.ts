import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "0.61.0",
  blind: [
    {
      tool: "@path in a prompt, a line typed after !",
      why: "What a person brings in themselves is no tool call of the model's.",
      source: "inferred from the source of 2026-08-21",
    },
    {
      tool: "tools of an untrusted folder",
      why: "Hooks of all settings files are skipped there, those of the user too; a headless run does not start at all.",
      source: "source of 2026-08-21; headless seen with 0.61.0",
    },
    {
      tool: "any tool, with `--skip-trust` in a folder that is not trusted",
      why: "Settings are read before the option: the agent works, without the repository's hooks. Those of the user run.",
      source: "seen with 0.61.0",
    },
  ],
  timeLimit: { unit: "ms", usual: 60_000 },
  // Calls of a subagent do come, without a mark (seen with 0.61.0).
  // An exit code of 2 or more closes it, if anything is written at all.
  failing: { crash: "open", late: "open", garbled: "open" },
  // At the limit the shell is ended, and the agent waits for what the shell has started (seen with 0.61.0).
  installed: { crash: "closed", late: "waits" },
  trust:
    "The folder must be trusted. Hooks of a repository then run at once, after a warning at first sight.",
  switches: [
    { by: "`settings.json` that is emptied, removed or narrowed, at the next start", behind: "told" },
    {
      by: "`hooksConfig.enabled` and `hooksConfig.disabled` in any `settings.json`, and the panel `/hooks`, which writes them",
      behind: "told",
    },
    { by: "`trustedFolders.json`", behind: "told" },
    {
      by: "the flag `--skip-trust` in a folder that is not trusted, and `--extensions` without ours",
      behind: "silent",
    },
    { by: "`extension-enablement.json`, for our extension", behind: "told" },
    {
      by: "GEMINI_CLI_TRUST_WORKSPACE and GEMINI_RESTRICTED_MODE; GEMINI_CLI_HOME, GEMINI_CLI_SYSTEM_SETTINGS_PATH, GEMINI_CLI_SYSTEM_DEFAULTS_PATH and GEMINI_CLI_TRUSTED_FOLDERS_PATH, which name other files; all of them in a `.env` too",
      behind: "silent",
    },
  ],
};

export default facts;
