import type { HostFacts } from "../../core/host.ts";

const contract = "the Harness life cycle";

const facts: HostFacts = {
  version: "as documented",
  blind: [
    { tool: "what a tool has done", why: "there is no event after a tool", source: contract },
    {
      tool: "subagents that start, permissions, compaction",
      why: "there are no such events",
      source: contract,
    },
  ],
  timeLimit: { unit: "ms", usual: 5000 },
  failing: { crash: "open", late: "open", garbled: "open" },
  trust: "None: the framework runs the hooks of its own settings.json.",
  switches: [
    {
      by: "`settings.json` of the framework: an entry that is taken out, or a matcher that fits nothing",
      behind: "silent",
    },
  ],
};

export default facts;
