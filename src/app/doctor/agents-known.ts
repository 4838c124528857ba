import type { Failing } from "../../core/host.ts";
import { hostFacts } from "../../hosts/facts.generated.ts";
import { isOlder, programVersion } from "../agents/program-version.ts";
import { survey, type Surveyed } from "../agents/survey.ts";
import type { Ailment, DoctorCheck, Patient } from "../doctor-check.ts";

/** Versions, blind spots and what happens without an answer are worth knowing; only a version that lacks what we rely on is something wrong. */
export default {
  title: "The agents' versions hold what Hookline relies on",
  run: async (patient) =>
    survey(patient)
      .filter(({ installed }) => installed.length > 0)
      .flatMap((agent) => [...version(agent, patient), ...blind(agent), ...failing(agent)]),
} satisfies DoctorCheck;

function version({ id, title, install, checkup }: Surveyed, { env }: Patient): Ailment[] {
  const program = programVersion(install.signs.programs, env);
  const checked = hostFacts[id]?.version;
  if (!program)
    return [
      {
        isNote: true,
        text: `${title}: its program is not on the PATH, so its version is not known`,
        instead: `Checked at ${checked}.`,
      },
    ];
  if (program.version === undefined)
    return [
      {
        isNote: true,
        text: `${title}: the version of ${program.path} is not known`,
        instead: `Checked at ${checked}.`,
      },
    ];
  if (checkup?.needs && isOlder(program.version, checkup.needs.version))
    return [
      {
        text: `${title} ${program.version} is older than ${checkup.needs.version}: ${checkup.needs.why}`,
        place: program.path,
        instead: "Update it.",
      },
    ];
  return [{ isNote: true, text: `${title} is ${program.version}`, instead: `Checked at ${checked}.` }];
}

/** What never reaches the agent's hooks, whoever listens. */
function blind({ id, title }: Surveyed): Ailment[] {
  const tools = (hostFacts[id]?.blind ?? []).map(({ tool }) => tool);
  if (tools.length === 0) return [];
  return [
    {
      isNote: true,
      text: `${title}: its hooks do not see ${tools.join("; ")}`,
      instead: "docs/hosts.md says why.",
    },
  ];
}

const does: Readonly<Record<Failing, string>> = {
  open: "makes a call",
  closed: "refuses a call",
  waits: "waits with a call until Hookline has ended, then makes it,",
};

/** What the agent does when it gets no answer from us. */
function failing({ id, title }: Surveyed): Ailment[] {
  const { installed } = hostFacts[id] ?? {};
  if (!installed) return [];
  const { crash, late } = installed;
  const what =
    crash === late
      ? `${does[crash]} when Hookline crashes or gives no answer in time`
      : `${does[crash]} when Hookline crashes, and ${does[late]} when it gives no answer in time`;
  return [{ isNote: true, text: `${title}: it ${what}`, instead: "docs/hosts.md has the table." }];
}
