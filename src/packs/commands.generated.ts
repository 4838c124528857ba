// Written by tools/generate.ts; do not edit.
import type { Rule } from "../core/rule.ts";
import safetyDatabase from "./safety/database.ts";
import safetyDestructiveDelete from "./safety/destructive-delete.ts";
import safetyDiskAndDevice from "./safety/disk-and-device.ts";
import safetyGitHistory from "./safety/git-history.ts";
import safetyInfrastructure from "./safety/infrastructure.ts";
import safetyPermissions from "./safety/permissions.ts";
import safetyPublish from "./safety/publish.ts";
import safetyRemoteCode from "./safety/remote-code.ts";
import safetySecrets from "./safety/secrets.ts";
import safetySelfProtection from "./safety/self-protection.ts";
import safetySystemPower from "./safety/system-power.ts";
import safetyUnclearCommand from "./safety/unclear-command.ts";
import safetyUnguardedAgent from "./safety/unguarded-agent.ts";
import safetyWorkspaceBoundary from "./safety/workspace-boundary.ts";
import ralphSsotWriteGuard from "./ralph/ssot-write-guard.ts";

export const commandRules: Readonly<Record<string, Rule>> = {
  "safety/database": safetyDatabase,
  "safety/destructive-delete": safetyDestructiveDelete,
  "safety/disk-and-device": safetyDiskAndDevice,
  "safety/git-history": safetyGitHistory,
  "safety/infrastructure": safetyInfrastructure,
  "safety/permissions": safetyPermissions,
  "safety/publish": safetyPublish,
  "safety/remote-code": safetyRemoteCode,
  "safety/secrets": safetySecrets,
  "safety/self-protection": safetySelfProtection,
  "safety/system-power": safetySystemPower,
  "safety/unclear-command": safetyUnclearCommand,
  "safety/unguarded-agent": safetyUnguardedAgent,
  "safety/workspace-boundary": safetyWorkspaceBoundary,
  "ralph/ssot-write-guard": ralphSsotWriteGuard,
};
