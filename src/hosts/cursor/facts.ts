import type { HostFacts } from "../../core/host.ts";

const docs = "Cursor's hooks reference of 2026-08-22";

const facts: HostFacts = {
  version: "3.21",
  blind: [
    {
      tool: "cloud agents, first turns",
      why: "their first read-only turns run no hooks at all",
      source: docs,
    },
    {
      tool: "cloud agents",
      why: "sessionStart, sessionEnd, MCP and Tab hooks are not run there, and no hooks of the user's",
      source: docs,
    },
    {
      tool: "inline completion (Tab)",
      why: "an edit is told after it was made (afterTabFileEdit); only reading can be refused before",
      source: docs,
    },
    {
      tool: "edits, by afterFileEdit alone",
      why: "the edit is made by then; preToolUse is the event that can refuse it",
      source: docs,
    },
  ],
  failing: { crash: "open", late: "open", garbled: "open" },
  installed: { crash: "closed", late: "closed" },
  trust: "The workspace has to be trusted before hooks of .cursor/hooks.json run.",
  switches: [
    {
      by: "`hooks.json` of the workspace or the user that is emptied or removed, an entry that is taken out, or `failClosed` that is missing",
      behind: "told",
    },
    {
      by: "an event name the installed version does not know: 2.6 then rejects the whole file",
      behind: "told",
    },
  ],
};

export default facts;
