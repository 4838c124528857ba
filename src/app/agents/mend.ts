import type { Patient } from "../doctor-check.ts";
import { holding, type CarryOut, type Change } from "../install/change.ts";
import { planInit, planUpdate, type Plan } from "../install/plan.ts";
import { backupOf } from "../install/record.ts";
import { ConfigTrouble } from "../install/trouble.ts";
import { machineAt, survey } from "./survey.ts";

/** Brings the agents' configuration in order, agent by agent, so that one that cannot be mended keeps no other back; what was done. */
export function mendAgents(patient: Patient): string[] {
  try {
    return holding(patient.env, (carryOut) => mendEach(patient, carryOut));
  } catch (error) {
    if (!(error instanceof ConfigTrouble)) throw error;
    return [error.message];
  }
}

function mendEach(patient: Patient, carryOut: CarryOut): string[] {
  const { root, env } = patient;
  const machine = machineAt(root, env);
  return survey(patient).flatMap(({ id, title, sign, plugin, installed }) => {
    const request = { only: [id], machine, env };
    const plans =
      installed.length === 0
        ? sign === undefined || plugin !== undefined
          ? []
          : [() => planInit({ ...request, scope: "repo" as const })]
        : installed.map(
            ({ scope }) =>
              () =>
                planUpdate({ ...request, scope }),
          );
    return plans.flatMap((plan) => attempt(title, plan, patient, carryOut));
  });
}

function attempt(title: string, plan: () => Plan, { env }: Patient, carryOut: CarryOut): string[] {
  try {
    const { changes } = plan();
    carryOut(changes);
    return changes.map((change) => told(change, env));
  } catch (error) {
    if (!(error instanceof ConfigTrouble)) throw error;
    return [`${title}: ${error.message}`];
  }
}

const told = ({ path, before }: Change, env: Patient["env"]): string =>
  before === undefined ? `wrote ${path}` : `mended ${path}; what was there is ${backupOf(path, env)}`;
