// Written by tools/generate.ts; do not edit.
import type { Checkup } from "../core/checkup.ts";
import claudeCode from "./claude-code/checkup.ts";
import codex from "./codex/checkup.ts";
import copilot from "./copilot/checkup.ts";
import cursor from "./cursor/checkup.ts";
import geminiCli from "./gemini-cli/checkup.ts";
import opencode from "./opencode/checkup.ts";
import qwenCode from "./qwen-code/checkup.ts";
import windsurf from "./windsurf/checkup.ts";

export const checkups: Readonly<Record<string, Checkup>> = {
  "claude-code": claudeCode,
  codex,
  copilot,
  cursor,
  "gemini-cli": geminiCli,
  opencode,
  "qwen-code": qwenCode,
  windsurf,
};
