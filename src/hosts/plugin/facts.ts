import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "as documented",
  blind: [
    {
      tool: "tools that fail",
      why: "PostToolUse comes after success only, and there is no event for a failure",
      source: "hooks.json of plugins",
    },
  ],
  timeLimit: { unit: "s", usual: 30 },
  failing: { crash: "open", late: "open", garbled: "open" },
  trust: "The agent's own step for plugins: a plugin has to be installed and switched on.",
  switches: [{ by: "`hooks/hooks.json` of the plugin, and the agent's list of plugins", behind: "silent" }],
};

export default facts;
