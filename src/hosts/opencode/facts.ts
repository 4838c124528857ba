import type { HostFacts } from "../../core/host.ts";

const facts: HostFacts = {
  version: "1.18.33",
  blind: [
    {
      tool: "any tool, where the plugin file cannot be loaded",
      why: "OpenCode goes on without it and says so in its log only.",
      source: "source of 2026-08-19; seen with 1.18.33",
    },
    {
      tool: "any tool, with `--pure` or OPENCODE_PURE",
      why: "No plugin is loaded.",
      source: "source of 2026-08-19; seen with 1.18.33",
    },
    {
      tool: "the end of a turn",
      why: "`session.idle` comes when it is over; an agent cannot be kept going.",
      source: "seen with 1.18.33",
    },
  ],
  // What our plugin file does; OpenCode itself would wait for ever.
  failing: { crash: "closed", late: "closed", garbled: "closed" },
  installed: { crash: "closed", late: "closed" },
  trust: "None: plugin files of a repository are loaded at once.",
  switches: [
    { by: "a plugin file that is emptied, removed or cannot be loaded, at the next start", behind: "told" },
    { by: "the flag `--pure`", behind: "silent" },
    {
      by: "OPENCODE_PURE and OPENCODE_DISABLE_PROJECT_CONFIG; OPENCODE_CONFIG_DIR and XDG_CONFIG_HOME, which name other folders",
      behind: "silent",
    },
  ],
};

export default facts;
