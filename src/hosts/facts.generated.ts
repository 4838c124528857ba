// Written by tools/generate.ts; do not edit.
import type { HostFacts } from "../core/host.ts";
import claudeCode from "./claude-code/facts.ts";
import codex from "./codex/facts.ts";
import copilot from "./copilot/facts.ts";
import cursor from "./cursor/facts.ts";
import geminiCli from "./gemini-cli/facts.ts";
import generic from "./generic/facts.ts";
import harness from "./harness/facts.ts";
import opencode from "./opencode/facts.ts";
import plugin from "./plugin/facts.ts";
import qwenCode from "./qwen-code/facts.ts";
import windsurf from "./windsurf/facts.ts";

export const hostFacts: Readonly<Record<string, HostFacts>> = {
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
