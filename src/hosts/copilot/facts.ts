import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "1.0.102",
  blind: [
    {
      tool: "inline chat and completions of VS Code",
      why: "They fire no hooks.",
      source: "microsoft/vscode #296108",
    },
  ],
  timeLimit: { unit: "s", usual: 30 },
  // Seen with the CLI 1.0.102; VS Code lets a call go ahead in all three cases.
  failing: { crash: "closed", late: "open", garbled: "open" },
  installed: { crash: "closed", late: "open" },
  trust:
    "The folder must be trusted, or a headless CLI skips the hooks of a repository without a word; hooks of the user always load.",
  switches: [
    { by: "hook files that are emptied, removed or narrowed, at the next start", behind: "told" },
    {
      by: "hook files with comments, trailing commas or a byte order mark, which it skips (seen with 1.0.102)",
      behind: "told",
    },
    {
      by: "`disableAllHooks` in the settings of the repository or the user, or in a hook file for that file",
      behind: "told",
    },
    { by: "`disabledHooks` in the settings of the user", behind: "told" },
    { by: "`trustedFolders` in the user's `config.json`", behind: "told" },
    {
      by: "`chat.useHooks` and `chat.hookFilesLocations` in VS Code, for the workspace or the user",
      behind: "told",
    },
    { by: "the same in a `.code-workspace` file", behind: "silent" },
    { by: "COPILOT_HOME, which names another home", behind: "silent" },
  ],
};

export default facts;
