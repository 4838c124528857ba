// Written by tools/generate.ts; do not edit.
import type { Host } from "../core/host.ts";
import claudeCode from "./claude-code/host.ts";
import codex from "./codex/host.ts";
import copilot from "./copilot/host.ts";
import cursor from "./cursor/host.ts";
import geminiCli from "./gemini-cli/host.ts";
import generic from "./generic/host.ts";
import harness from "./harness/host.ts";
import opencode from "./opencode/host.ts";
import plugin from "./plugin/host.ts";
import qwenCode from "./qwen-code/host.ts";
import windsurf from "./windsurf/host.ts";

export const hosts: Readonly<Record<string, Host>> = {
  "claude-code": claudeCode,
  codex,
  copilot,
  cursor,
  "gemini-cli": geminiCli,
  generic,
  harness,
  opencode,
  plugin,
  "qwen-code": qwenCode,
  windsurf,
};
