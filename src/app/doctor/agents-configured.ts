import type { Json } from "../../core/json.ts";
import { limitSeconds } from "../../core/install.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { machineAt, survey, type Configuration, type Surveyed } from "../agents/survey.ts";
import type { Ailment, DoctorCheck, Patient } from "../doctor-check.ts";
import { executableOf } from "../../core/command-lines.ts";
import { oursIn, readConfig } from "../install/json-edit.ts";
import { wantedEntries } from "../install/wanted.ts";
import { registry } from "../registry.ts";

export default {
  title: "The agents' configuration can be read, and is as this version would write it",
  run: async (patient) => [
    ...survey(patient).flatMap((agent) => [
      ...agent.configurations.flatMap(({ file, trouble }) =>
        trouble === undefined
          ? []
          : [
              {
                text: `${agent.title}: this file ${trouble}`,
                place: file.path,
                instead: "Mend it; the agent may ignore all of it.",
              },
            ],
      ),
      ...agent.installed.flatMap((each) => outdated(agent, each, patient)),
    ]),
    ...(await tooPatient(patient)),
  ],
} satisfies DoctorCheck;

/** What differs from what would be written now, by what it means. */
function outdated(
  agent: Surveyed,
  { file, text, scope, lines }: Configuration,
  { root, env }: Patient,
): Ailment[] {
  const executable = executableOf(lines[0] ?? "") ?? "hookline";
  const differences =
    file.layout.kind === "program"
      ? file.layout.text(executable) === text
        ? []
        : ["the file is not as this version would write it"]
      : differencesIn(
          readConfig(text),
          wantedEntries(agent.id, agent.install, executable, machineAt(root, env)),
        );
  return differences.map((difference) => ({
    text: `${agent.title}: ${difference}`,
    place: file.path,
    instead: `hookline update --scope ${scope} --host ${agent.id}`,
  }));
}

function differencesIn(config: Json, wanted: Readonly<Record<string, Json>>): string[] {
  const ours = oursIn(config);
  const missing = Object.keys(wanted).filter((event) => ours.every((each) => each.event !== event));
  const unknown = ours.filter(({ event }) => !Object.hasOwn(wanted, event)).map(({ event }) => event);
  const twice = Object.keys(wanted).filter((event) => ours.filter((each) => each.event === event).length > 1);
  const other = ours.filter(
    ({ event, entry }) =>
      wanted[event] !== undefined && !twice.includes(event) && !Bun.deepEquals(entry, wanted[event], true),
  );
  return [
    ...(missing.length > 0 ? [`it does not call Hookline at ${missing.join(", ")}`] : []),
    ...(unknown.length > 0
      ? [`it has entries at ${unknown.join(", ")} that this version does not want`]
      : []),
    ...(twice.length > 0 ? [`it calls Hookline more than once at ${twice.join(", ")}`] : []),
    ...other.map(
      ({ event, entry }) => `the entry at ${event} is another: ${difference(entry, wanted[event] ?? {})}`,
    ),
  ];
}

/** The first thing in which two entries differ, by its name. */
function difference(have: Json, want: Json, name = ""): string {
  const keys = [...new Set([...Object.keys(want), ...Object.keys(have)])];
  const key = keys.find((each) => !Bun.deepEquals(have[each], want[each], true)) ?? "";
  const [mine, theirs] = [have[key], want[key]];
  if (Array.isArray(mine) && Array.isArray(theirs))
    return difference(Object(mine[0]) as Json, Object(theirs[0]) as Json, `${name}${key}.`);
  return `${name}${key} is ${JSON.stringify(mine) ?? "missing"}, expected ${JSON.stringify(theirs) ?? "none"}`;
}

/** The policy lets hooks take longer than agents wait for us. */
async function tooPatient(patient: Patient): Promise<Ailment[]> {
  const { policy } = await loadPolicy(patient.root, patient.env, registry);
  const { deadlineMs } = policy.handlers;
  const isCalled = survey(patient).some(({ installed }) => installed.length > 0);
  if (deadlineMs === undefined || !isCalled || deadlineMs + 2000 <= limitSeconds * 1000) return [];
  return [
    {
      text: `the policy waits ${deadlineMs} ms for hooks (handlers.deadlineMs), and agents wait ${limitSeconds} seconds for us; then most of them go ahead`,
      instead: `Set it to ${limitSeconds * 1000 - 2000} or less.`,
    },
  ];
}
