import type { Tours } from "./tour.ts";
import claudeCode from "./tours/claude-code.ts";
import codex from "./tours/codex.ts";
import copilot from "./tours/copilot.ts";
import geminiCli from "./tours/gemini-cli.ts";
import opencode from "./tours/opencode.ts";
import qwenCode from "./tours/qwen-code.ts";

/** The tours of the agents whose payloads are recorded, by the id of the host. */
export const tours: Readonly<Record<string, Tours>> = {
  "claude-code": claudeCode,
  copilot,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": qwenCode,
  opencode,
};
