// Written by tools/generate.ts; do not edit.
import type { HostEntry } from "../core/host.ts";
import claudeCode from "./claude-code/host.ts";
import { recognises as codex } from "./codex/recognises.ts";
import { recognises as copilot } from "./copilot/recognises.ts";
import { recognises as cursor } from "./cursor/recognises.ts";
import { recognises as geminiCli } from "./gemini-cli/recognises.ts";
import { recognises as generic } from "./generic/recognises.ts";
import { recognises as harness } from "./harness/recognises.ts";
import { recognises as opencode } from "./opencode/recognises.ts";
import { recognises as plugin } from "./plugin/recognises.ts";
import { recognises as qwenCode } from "./qwen-code/recognises.ts";
import { recognises as windsurf } from "./windsurf/recognises.ts";

export const hostIndex: Readonly<Record<string, HostEntry>> = {
  "claude-code": { namesAgents: ["settings"], recognises: claudeCode.recognises, load: () => claudeCode },
  "codex": { namesAgents: ["hooks"], recognises: codex, load: async () => (await import("./codex/host.ts")).default },
  "copilot": { namesAgents: ["cli","pascal"], recognises: copilot, load: async () => (await import("./copilot/host.ts")).default },
  "cursor": { recognises: cursor, load: async () => (await import("./cursor/host.ts")).default },
  "gemini-cli": { recognises: geminiCli, load: async () => (await import("./gemini-cli/host.ts")).default },
  "generic": { recognises: generic, load: async () => (await import("./generic/host.ts")).default },
  "harness": { recognises: harness, load: async () => (await import("./harness/host.ts")).default },
  "opencode": { namesAgents: ["plugin"], recognises: opencode, load: async () => (await import("./opencode/host.ts")).default },
  "plugin": { recognises: plugin, load: async () => (await import("./plugin/host.ts")).default },
  "qwen-code": { namesAgents: ["settings"], recognises: qwenCode, load: async () => (await import("./qwen-code/host.ts")).default },
  "windsurf": { recognises: windsurf, load: async () => (await import("./windsurf/host.ts")).default },
};
