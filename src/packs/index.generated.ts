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
import safetyUnguardedAgent from "./safety/unguarded-agent.ts";
import safetyWorkspaceBoundary from "./safety/workspace-boundary.ts";
import liveSignalsDelivery from "./live-signals/delivery.ts";
import pipelineAgentOutput from "./pipeline/agent-output.ts";
import pipelineCompletionGuard from "./pipeline/completion-guard.ts";
import pipelineEffortWarning from "./pipeline/effort-warning.ts";
import pipelineParallelCommit from "./pipeline/parallel-commit.ts";
import pipelineProtectedBranch from "./pipeline/protected-branch.ts";
import pipelineReadOnlyPhase from "./pipeline/read-only-phase.ts";
import ralphDestructiveCommandDenylist from "./ralph/destructive-command-denylist.ts";
import ralphDeterminismChecksum from "./ralph/determinism-checksum.ts";
import ralphFailureSnapshot from "./ralph/failure-snapshot.ts";
import ralphFeedbackArtifactIndexCheck from "./ralph/feedback-artifact-index-check.ts";
import ralphFeedbackSchemaCheck from "./ralph/feedback-schema-check.ts";
import ralphIterationMetadataGuard from "./ralph/iteration-metadata-guard.ts";
import ralphManualEditChecklist from "./ralph/manual-edit-checklist.ts";
import ralphPathAllowlist from "./ralph/path-allowlist.ts";
import ralphPlanSnapshotIntegrityCheck from "./ralph/plan-snapshot-integrity-check.ts";
import ralphPolicyDenialAudit from "./ralph/policy-denial-audit.ts";
import ralphPolicyVersionStamp from "./ralph/policy-version-stamp.ts";
import ralphProgressStatusGuard from "./ralph/progress-status-guard.ts";
import ralphPromptCapture from "./ralph/prompt-capture.ts";
import ralphPromptHashIndex from "./ralph/prompt-hash-index.ts";
import ralphPromptSizeGuard from "./ralph/prompt-size-guard.ts";
import ralphReplanningTriggerGuard from "./ralph/replanning-trigger-guard.ts";
import ralphRetryBudgetGuard from "./ralph/retry-budget-guard.ts";
import ralphReviewerSingleTaskGuard from "./ralph/reviewer-single-task-guard.ts";
import ralphSessionDirectoryGuard from "./ralph/session-directory-guard.ts";
import ralphSessionHeaderStamp from "./ralph/session-header-stamp.ts";
import ralphSessionIdSanitizationAudit from "./ralph/session-id-sanitization-audit.ts";
import ralphSessionInstructionPresenceCheck from "./ralph/session-instruction-presence-check.ts";
import ralphSessionReviewGate from "./ralph/session-review-gate.ts";
import ralphSignalOrderingGuard from "./ralph/signal-ordering-guard.ts";
import ralphSignalSchemaCheck from "./ralph/signal-schema-check.ts";
import ralphSingleModeGuard from "./ralph/single-mode-guard.ts";
import ralphSsotWriteGuard from "./ralph/ssot-write-guard.ts";
import ralphStateTransitionLedger from "./ralph/state-transition-ledger.ts";
import ralphSubagentOutputDigest from "./ralph/subagent-output-digest.ts";
import ralphTaskFileExistenceCheck from "./ralph/task-file-existence-check.ts";
import ralphTimeoutLedger from "./ralph/timeout-ledger.ts";
import ralphToolUsageLedger from "./ralph/tool-usage-ledger.ts";
import ralphWorkspaceBoundaryGuard from "./ralph/workspace-boundary-guard.ts";
import signalsPromiseLoop from "./signals/promise-loop.ts";
import signalsRequireSignal from "./signals/require-signal.ts";
import workflowForbidden from "./workflow/forbidden.ts";
import workflowRetryBudget from "./workflow/retry-budget.ts";
import workflowStateFile from "./workflow/state-file.ts";
import workflowStop from "./workflow/stop.ts";
import workflowTransition from "./workflow/transition.ts";
import workflowWatch from "./workflow/watch.ts";

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
  "safety/unguarded-agent": safetyUnguardedAgent,
  "safety/workspace-boundary": safetyWorkspaceBoundary,
  "live-signals/delivery": liveSignalsDelivery,
  "pipeline/agent-output": pipelineAgentOutput,
  "pipeline/completion-guard": pipelineCompletionGuard,
  "pipeline/effort-warning": pipelineEffortWarning,
  "pipeline/parallel-commit": pipelineParallelCommit,
  "pipeline/protected-branch": pipelineProtectedBranch,
  "pipeline/read-only-phase": pipelineReadOnlyPhase,
  "ralph/destructive-command-denylist": ralphDestructiveCommandDenylist,
  "ralph/determinism-checksum": ralphDeterminismChecksum,
  "ralph/failure-snapshot": ralphFailureSnapshot,
  "ralph/feedback-artifact-index-check": ralphFeedbackArtifactIndexCheck,
  "ralph/feedback-schema-check": ralphFeedbackSchemaCheck,
  "ralph/iteration-metadata-guard": ralphIterationMetadataGuard,
  "ralph/manual-edit-checklist": ralphManualEditChecklist,
  "ralph/path-allowlist": ralphPathAllowlist,
  "ralph/plan-snapshot-integrity-check": ralphPlanSnapshotIntegrityCheck,
  "ralph/policy-denial-audit": ralphPolicyDenialAudit,
  "ralph/policy-version-stamp": ralphPolicyVersionStamp,
  "ralph/progress-status-guard": ralphProgressStatusGuard,
  "ralph/prompt-capture": ralphPromptCapture,
  "ralph/prompt-hash-index": ralphPromptHashIndex,
  "ralph/prompt-size-guard": ralphPromptSizeGuard,
  "ralph/replanning-trigger-guard": ralphReplanningTriggerGuard,
  "ralph/retry-budget-guard": ralphRetryBudgetGuard,
  "ralph/reviewer-single-task-guard": ralphReviewerSingleTaskGuard,
  "ralph/session-directory-guard": ralphSessionDirectoryGuard,
  "ralph/session-header-stamp": ralphSessionHeaderStamp,
  "ralph/session-id-sanitization-audit": ralphSessionIdSanitizationAudit,
  "ralph/session-instruction-presence-check": ralphSessionInstructionPresenceCheck,
  "ralph/session-review-gate": ralphSessionReviewGate,
  "ralph/signal-ordering-guard": ralphSignalOrderingGuard,
  "ralph/signal-schema-check": ralphSignalSchemaCheck,
  "ralph/single-mode-guard": ralphSingleModeGuard,
  "ralph/ssot-write-guard": ralphSsotWriteGuard,
  "ralph/state-transition-ledger": ralphStateTransitionLedger,
  "ralph/subagent-output-digest": ralphSubagentOutputDigest,
  "ralph/task-file-existence-check": ralphTaskFileExistenceCheck,
  "ralph/timeout-ledger": ralphTimeoutLedger,
  "ralph/tool-usage-ledger": ralphToolUsageLedger,
  "ralph/workspace-boundary-guard": ralphWorkspaceBoundaryGuard,
  "signals/promise-loop": signalsPromiseLoop,
  "signals/require-signal": signalsRequireSignal,
  "workflow/forbidden": workflowForbidden,
  "workflow/retry-budget": workflowRetryBudget,
  "workflow/state-file": workflowStateFile,
  "workflow/stop": workflowStop,
  "workflow/transition": workflowTransition,
  "workflow/watch": workflowWatch,
};
