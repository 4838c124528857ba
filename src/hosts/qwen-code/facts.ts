import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "0.24.4",
  blind: [
    {
      tool: "a tool that is not offered",
      why: "A call of a deferred tool by its own name fires no PreToolUse; it fails, and only PostToolBatch tells of it.",
      source: "seen with 0.24.4",
    },
    {
      tool: "tools of an untrusted folder",
      why: "Hooks of the project are not loaded there.",
      source: "docs of 2026-08-22",
    },
    {
      tool: "any tool that another hook allows after us",
      why: "Of several hooks the permission that is said last counts; ours has to be the last.",
      source: "seen with 0.24.4",
    },
  ],
  // 1000 and more is taken for milliseconds; before 0.24 everything was.
  timeLimit: { unit: "s", usual: 60 },
  failing: { crash: "open", late: "open", garbled: "open" },
  installed: { crash: "closed", late: "open" },
  trust: "The folder must be trusted for hooks of `.qwen/settings.json`; those of the user always load.",
  switches: [
    { by: "`settings.json` that is emptied, removed or narrowed, at the next start", behind: "told" },
    { by: "`settings.json` with trailing commas, which it leaves out (seen with 0.24.4)", behind: "told" },
    { by: "`disableAllHooks` in any `settings.json`", behind: "told" },
    { by: "`trustedFolders.json`, where folder trust is on", behind: "told" },
    { by: "another hook at PreToolUse behind ours, which has the last word", behind: "told" },
    { by: "the flags `--bare` and `--safe-mode`", behind: "silent" },
    {
      by: "QWEN_CODE_SIMPLE and QWEN_CODE_SAFE_MODE; QWEN_HOME, QWEN_CODE_SYSTEM_SETTINGS_PATH, QWEN_CODE_SYSTEM_DEFAULTS_PATH and QWEN_CODE_TRUSTED_FOLDERS_PATH, which name other files; all of them in a `.env` too",
      behind: "silent",
    },
  ],
};

export default facts;
