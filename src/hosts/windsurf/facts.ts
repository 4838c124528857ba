import type { HostFacts } from "../../core/host.ts";

const docs = "Windsurf's Cascade hooks page and adapters, 2026";

const facts: HostFacts = {
  version: "hooks of 2026",
  blind: [
    { tool: "web search and fetch", why: "no event tells of them", source: docs },
    { tool: "subagents, compaction, session start and end", why: "there are no such events", source: docs },
    {
      tool: "the end of a turn",
      why: "post_cascade_response is sent after the answer and not waited for, so a turn cannot be kept going",
      source: docs,
    },
  ],
  failing: { crash: "open", late: "open", garbled: "open" },
  installed: { crash: "closed", late: "open" },
  trust: "None is documented.",
  switches: [
    {
      by: "`hooks.json` of the workspace or the user that is emptied or removed, or an entry that is taken out",
      behind: "told",
    },
    { by: "a wrapper that turns exit code 2 into another: only exactly 2 refuses", behind: "told" },
  ],
};

export default facts;
