import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "0.166.0",
  blind: [
    {
      tool: "web_search and other hosted tools",
      why: "They run at the provider.",
      source: "hooks page, 2026-08",
    },
    {
      tool: "write_stdin",
      why: "What is typed into a command that is already running fires no PreToolUse.",
      source: "seen with 0.166.0",
    },
    {
      tool: "the folder of a command",
      why: "`workdir` of a shell call is not in the payload: relative paths are taken from the session's folder.",
      source: "source of 2026-08-22",
    },
    {
      tool: "nested calls of code mode",
      why: "Reported to bypass hooks; they fired when it was tried.",
      source: "openai/codex #23411; seen with 0.166.0",
    },
    {
      tool: "Bash on Windows",
      why: "Commands have been reported to run without PreToolUse.",
      source: "openai/codex #24453",
    },
  ],
  // SessionEnd and Interrupt: 1, and never more than 3.
  timeLimit: { unit: "s", usual: 600 },
  failing: { crash: "open", late: "open", garbled: "open" },
  installed: { crash: "closed", late: "open" },
  trust:
    "Every hook must be trusted by its hash (`/hooks`), and the project as well; what is not trusted is skipped without a word.",
  switches: [
    { by: "`hooks.json` that is emptied, removed or narrowed, at the next start", behind: "told" },
    { by: "`[features] hooks` in any `config.toml`", behind: "told" },
    { by: "`[hooks.state]` in the user's `config.toml`: `enabled`, `trusted_hash`", behind: "told" },
    { by: "`[projects]` in the user's `config.toml`: `trust_level`", behind: "told" },
    {
      by: "anything in `hooks.json` that Codex does not expect, for which it drops the file: an unknown key at the root, a comment (seen with 0.166.0)",
      behind: "told",
    },
    { by: "`allow_managed_hooks_only` in `requirements.toml`", behind: "told" },
    { by: "the flags `--disable hooks`, `-c`, `--ignore-user-config`, `--profile`", behind: "silent" },
    { by: "CODEX_HOME, which names another home", behind: "silent" },
  ],
};

export default facts;
