import { sing } from "../agents/canary.ts";
import { survey } from "../agents/survey.ts";
import type { DoctorCheck } from "../doctor-check.ts";

export default {
  title: "Through each agent's own command line a dangerous call is refused and a safe one passes",
  run: async (patient) => {
    const { root, env } = patient;
    const all = await Promise.all(
      survey(patient).map(async (agent) =>
        (await sing(agent, root, env)).flatMap(({ scope, path, text }) =>
          text === undefined
            ? []
            : [
                {
                  text: `${agent.title}: ${text}`,
                  place: path,
                  instead: `hookline update --scope ${scope} --host ${agent.id}`,
                },
              ],
        ),
      ),
    );
    return all.flat();
  },
} satisfies DoctorCheck;
