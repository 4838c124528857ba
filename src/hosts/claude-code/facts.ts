import type { HostFacts } from "../../core/host.ts";

const reference = "hooks reference, 2.1.240";

const facts: HostFacts = {
  version: "2.1.325",
  blind: [
    { tool: "@file in a prompt", why: "The file is read without a tool call.", source: reference },
    { tool: "EndConversation", why: "The tool fires no event.", source: reference },
    {
      tool: "a line typed after !",
      why: "What a person types themselves is no tool call.",
      source: "inferred from the hooks reference, 2.1.240",
    },
  ],
  timeLimit: { unit: "s", usual: 600 },
  // Since 2.1.295 `onFailure: "block"` closes all three for command and http handlers.
  failing: { crash: "open", late: "open", garbled: "open" },
  installed: { crash: "closed", late: "closed" },
  trust:
    "An interactive session waits until the workspace is trusted; `-p` runs the hooks of a repository at once.",
  switches: [
    { by: "`disableAllHooks` in any settings file but a managed one", behind: "refused" },
    {
      by: "settings that are emptied, removed or narrowed: they are read again during a session (seen with 2.1.325)",
      behind: "refused",
    },
    {
      by: "settings that it leaves out as a whole: comments, trailing commas, a value of the wrong kind (seen with 2.1.325)",
      behind: "refused",
    },
    { by: "`enabledPlugins`, for our plugin", behind: "refused" },
    { by: "`disableAllHooks` and `allowManagedHooksOnly` in managed settings", behind: "told" },
    {
      by: "the flags `--bare`, `--safe-mode` and `--setting-sources`, and `--settings` with other settings",
      behind: "silent",
    },
    {
      by: "CLAUDE_CODE_SIMPLE, CLAUDE_CODE_SAFE_MODE, CLAUDE_CODE_PERSONAL_HOOKS_OFF; CLAUDE_CONFIG_DIR and CLAUDE_CODE_MANAGED_SETTINGS_PATH, which name other settings",
      behind: "silent",
    },
  ],
};

export default facts;
