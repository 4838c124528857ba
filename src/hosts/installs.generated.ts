// Written by tools/generate.ts; do not edit.
import type { Install } from "../core/install.ts";
import claudeCode from "./claude-code/install.ts";
import codex from "./codex/install.ts";
import copilot from "./copilot/install.ts";
import cursor from "./cursor/install.ts";
import geminiCli from "./gemini-cli/install.ts";
import opencode from "./opencode/install.ts";
import qwenCode from "./qwen-code/install.ts";
import windsurf from "./windsurf/install.ts";

export const installs: Readonly<Record<string, Install>> = {
  "claude-code": claudeCode,
  codex,
  copilot,
  cursor,
  "gemini-cli": geminiCli,
  opencode,
  "qwen-code": qwenCode,
  windsurf,
};
