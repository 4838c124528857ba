import { lookOf, survey } from "../agents/survey.ts";
import type { DoctorCheck } from "../doctor-check.ts";

export default {
  title: "The agents run the hooks in their configuration",
  run: async (patient) => {
    const look = lookOf(patient);
    return survey(patient).flatMap(({ title, installed, checkup }) =>
      installed.flatMap((each) =>
        [...(checkup?.distrust?.(look, each) ?? []), ...(checkup?.advice?.(look, each) ?? [])].map(
          ({ text, ...rest }) => ({ text: `${title}: ${text}`, ...rest }),
        ),
      ),
    );
  },
} satisfies DoctorCheck;
