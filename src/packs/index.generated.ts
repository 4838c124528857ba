// Written by tools/generate.ts; do not edit.
import type { Rule } from "../core/rule.ts";
import safetyDatabase from "./safety/database.ts";
import safetyDeniedButExecuted from "./safety/denied-but-executed.ts";
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
import safetyWorkspaceBoundary from "./safety/workspace-boundary.ts";
import liveSignalsDelivery from "./live-signals/delivery.ts";
import ralphDestructiveCommandDenylist from "./ralph/destructive-command-denylist.ts";
import ralphPathAllowlist from "./ralph/path-allowlist.ts";
import ralphProgressStatusGuard from "./ralph/progress-status-guard.ts";
import ralphReviewerSingleTaskGuard from "./ralph/reviewer-single-task-guard.ts";
import ralphSessionDirectoryGuard from "./ralph/session-directory-guard.ts";
import ralphSignalOrderingGuard from "./ralph/signal-ordering-guard.ts";
import ralphSignalSchemaCheck from "./ralph/signal-schema-check.ts";
import ralphSingleModeGuard from "./ralph/single-mode-guard.ts";
import ralphSsotWriteGuard from "./ralph/ssot-write-guard.ts";
import ralphWorkspaceBoundaryGuard from "./ralph/workspace-boundary-guard.ts";
import signalsPromiseLoop from "./signals/promise-loop.ts";
import signalsRequireSignal from "./signals/require-signal.ts";

export const rules: Readonly<Record<string, Rule>> = {
  "safety/database": safetyDatabase,
  "safety/denied-but-executed": safetyDeniedButExecuted,
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
  "safety/workspace-boundary": safetyWorkspaceBoundary,
  "live-signals/delivery": liveSignalsDelivery,
  "ralph/destructive-command-denylist": ralphDestructiveCommandDenylist,
  "ralph/path-allowlist": ralphPathAllowlist,
  "ralph/progress-status-guard": ralphProgressStatusGuard,
  "ralph/reviewer-single-task-guard": ralphReviewerSingleTaskGuard,
  "ralph/session-directory-guard": ralphSessionDirectoryGuard,
  "ralph/signal-ordering-guard": ralphSignalOrderingGuard,
  "ralph/signal-schema-check": ralphSignalSchemaCheck,
  "ralph/single-mode-guard": ralphSingleModeGuard,
  "ralph/ssot-write-guard": ralphSsotWriteGuard,
  "ralph/workspace-boundary-guard": ralphWorkspaceBoundaryGuard,
  "signals/promise-loop": signalsPromiseLoop,
  "signals/require-signal": signalsRequireSignal,
};
