import { watchedLimits } from "../../platform/limits.ts";
import { runLints } from "../../lint/run-lints.ts";
import { loadPolicy } from "../../policy/load-policy.ts";
import { placed } from "../../sources/inline.ts";
import { loadHooks } from "../../sources/load-hooks.ts";
import { trustedFiles } from "../../sources/trust.ts";
import type { DoctorCheck } from "../doctor-check.ts";
import { subjectOf } from "../linting/subjects.ts";
import { timingsOf } from "../linting/timings.ts";
import { registry } from "../registry.ts";

/** Also hooks that only their agents run: what is wrong with them is wrong wherever they run. */
export default {
  title: "No hook of the workspace is a danger itself",
  run: async ({ root, env }) => {
    const { policy } = await loadPolicy(root, env, registry);
    const { definitions } = loadHooks(
      root,
      policy.sources,
      trustedFiles(root, env),
      undefined,
      watchedLimits,
    );
    const timings = timingsOf(root);
    const all = [...definitions, ...placed(policy.hooks, root)];
    const subjects = await Promise.all(all.map((hook) => subjectOf(hook, root, env, timings)));
    return runLints(subjects, [])
      .filter(({ severity }) => severity === "error")
      .map(({ rule, file, line, message, fix }) => ({
        text: `${message} (${rule})`,
        place: `${file}:${line}`,
        instead: fix,
      }));
  },
} satisfies DoctorCheck;
