import type { Agent } from "./agent.ts";
import claudeCode from "./drivers/claude-code.ts";
import codex from "./drivers/codex.ts";
import copilot from "./drivers/copilot.ts";
import geminiCli from "./drivers/gemini-cli.ts";
import opencode from "./drivers/opencode.ts";
import qwenCode from "./drivers/qwen-code.ts";

/** In the order of the table. */
export const drivers: Readonly<Record<string, Agent>> = Object.fromEntries(
  [claudeCode, copilot, codex, geminiCli, qwenCode, opencode].map((agent) => [agent.id, agent]),
);
