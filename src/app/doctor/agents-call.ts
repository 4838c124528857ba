import { survey } from "../agents/survey.ts";
import type { DoctorCheck } from "../doctor-check.ts";

export default {
  title: "Every agent in use calls Hookline",
  run: async (patient) =>
    survey(patient).flatMap(({ id, title, sign, plugin, installed }) =>
      sign === undefined || plugin !== undefined || installed.length > 0
        ? []
        : [
            {
              text: `${title} is in use (${sign}) and does not call Hookline`,
              instead: `hookline init --host ${id}`,
            },
          ],
    ),
} satisfies DoctorCheck;
