import abilityStatus from "./ability-status.ts";
import createAbilityTask from "./create-ability-task.ts";
import explainVerdict from "./explain-verdict.ts";
import readLedger from "./read-ledger.ts";
import routeKnowledge from "./route-knowledge.ts";
import runAbilityTask from "./run-ability-task.ts";
import sendSignal from "./send-signal.ts";
import suggestAbilities from "./suggest-abilities.ts";
import type { McpTool } from "./tool.ts";

/** By the names clients know them by. */
export const tools: Readonly<Record<string, McpTool>> = {
  suggest_abilities: suggestAbilities,
  create_ability_task: createAbilityTask,
  run_ability_task: runAbilityTask,
  ability_status: abilityStatus,
  route_knowledge: routeKnowledge,
  explain_verdict: explainVerdict,
  read_ledger: readLedger,
  send_signal: sendSignal,
};
