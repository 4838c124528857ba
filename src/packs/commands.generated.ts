// Written by tools/generate.ts; do not edit.
import type { Rule } from "../core/rule.ts";
import safetyDestructiveDelete from "./safety/destructive-delete.ts";
import safetyDiskAndDevice from "./safety/disk-and-device.ts";
import safetyGitHistory from "./safety/git-history.ts";
import safetyRemoteCode from "./safety/remote-code.ts";
import safetySecrets from "./safety/secrets.ts";
import safetySelfProtection from "./safety/self-protection.ts";
import safetySystemPower from "./safety/system-power.ts";
import safetyWorkspaceBoundary from "./safety/workspace-boundary.ts";
import ralphSsotWriteGuard from "./ralph/ssot-write-guard.ts";

export const commandRules: Readonly<Record<string, Rule>> = {
  "safety/destructive-delete": safetyDestructiveDelete,
  "safety/disk-and-device": safetyDiskAndDevice,
  "safety/git-history": safetyGitHistory,
  "safety/remote-code": safetyRemoteCode,
  "safety/secrets": safetySecrets,
  "safety/self-protection": safetySelfProtection,
  "safety/system-power": safetySystemPower,
  "safety/workspace-boundary": safetyWorkspaceBoundary,
  "ralph/ssot-write-guard": ralphSsotWriteGuard,
};
