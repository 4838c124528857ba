import { watchedLimits } from "../../platform/limits.ts";
import type { HookDefinition } from "../../core/hook.ts";
import { find } from "../../ledger/query/find.ts";
import { ask } from "../../ledger/query/index-ledger.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { placed } from "../../sources/inline.ts";
import { loadHooks, switchedOn } from "../../sources/load-hooks.ts";
import { trustOf, trustedFiles } from "../../sources/trust.ts";
import type { Ailment, DoctorCheck, Patient } from "../doctor-check.ts";
import { missingOf } from "../linting/subjects.ts";
import { registry } from "../registry.ts";

/**
 * The four questions of a hook that does not run: is it on, is it registered, can it be started, and does anybody fire its event? One
 * that is switched off on purpose is well.
 */
export default {
  title: "Every hook that is switched on can run, and its events arrive",
  run: async (patient) => {
    const { root, env } = patient;
    const { policy } = await loadPolicy(root, env, registry);
    const { definitions, problems } = loadHooks(
      root,
      policy.sources,
      trustedFiles(root, env),
      switchedOn(policy.sources),
      watchedLimits,
    );
    const enabled = [...definitions, ...placed(policy.hooks, root)].filter(
      (definition) => definition.enabled,
    );
    return [
      ...problems
        .filter(({ level }) => level === "error")
        .map(({ file, line, text, hint }) => ({ text, place: `${file}:${line}`, instead: hint })),
      ...enabled.flatMap((definition) => unable(definition, patient)),
      ...unheard(enabled, patient),
    ];
  },
} satisfies DoctorCheck;

function unable(definition: HookDefinition, { root, env }: Patient): Ailment[] {
  const place = `${definition.file}:${definition.line}`;
  const missing = missingOf(definition, root);
  if (missing !== undefined)
    return [
      {
        text: `${definition.id}: ${missing}`,
        place,
        instead: "Put the file in place; `chmod +x` makes it executable.",
      },
    ];
  const { state, why } = trustOf(definition, root, env);
  return state === "trusted"
    ? []
    : [
        {
          text: `${definition.id} does not run: ${why}`,
          place,
          instead: "Look at it with `hookline trust`.",
        },
      ];
}

/** An orchestrator has to fire its events itself; agents are the host's business. */
function unheard(definitions: readonly HookDefinition[], { env, ledgers }: Patient): Ailment[] {
  const own = definitions.filter(({ source }) => source === "registry");
  const events = [...new Set(own.flatMap((definition) => definition.events))];
  return events
    .filter((event) =>
      ledgers.every(({ folder }) => ask(folder, env, (index) => find(index, { event }, 1)).length === 0),
    )
    .map((event) => ({
      text: `no ${event} has ever arrived, so its hooks have never run`,
      instead: `Fire it with \`hookline emit ${event}\`, or let the agent call \`hookline run\` at it.`,
    }));
}
