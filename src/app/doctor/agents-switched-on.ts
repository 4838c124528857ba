import { lookOf, survey } from "../agents/survey.ts";
import type { DoctorCheck } from "../doctor-check.ts";

export default {
  title: "No setting switches the agents' hooks off",
  run: async (patient) => {
    const look = lookOf(patient);
    return survey(patient).flatMap(({ title, installed, checkup }) =>
      installed.length === 0
        ? []
        : (checkup?.switchedOff(look, installed) ?? []).map(({ text, ...rest }) => ({
            text: `${title}: ${text}`,
            ...rest,
          })),
    );
  },
} satisfies DoctorCheck;
