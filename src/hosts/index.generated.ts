// Written by tools/generate.ts; do not edit.
import type { Host } from "../core/host.ts";
import claudeCode from "./claude-code/host.ts";
import copilot from "./copilot/host.ts";

export const hosts: Readonly<Record<string, Host>> = {
  "claude-code": claudeCode,
  copilot,
};
