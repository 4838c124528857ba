import { defineCommand } from "./_command.ts";
import { tasksHere } from "./_ability.ts";

export default defineCommand({
  summary:
    "Serve abilities, knowledge, verdicts, the ledger and signals as an MCP server, over standard input and output.",
  usage: ["mcp"],
  details:
    "For any MCP client: command `hookline`, arguments `mcp`, started in the workspace. Running an ability goes through policy and\n" +
    "hooks as everywhere else. Ends when standard input is closed. docs/abilities.md lists the tools.",
  flags: {},
  takesNoWords: true,
  async run() {
    const { serveMcp } = await import("../mcp/serve.ts");
    await serveMcp(tasksHere());
    return 0;
  },
});
