import { loadPolicy } from "../../policy/load-policy.ts";
import type { DoctorCheck } from "../doctor-check.ts";
import { registry } from "../registry.ts";

export default {
  title: "The policy is valid",
  run: async ({ root, env }) => {
    const { problems } = await loadPolicy(root, env, registry);
    return problems.map(({ file, line, column, key, text, hint, code }) => ({
      text: `${key === "" ? "" : `${key}: `}${text} (${code})`,
      place: line > 0 ? `${file}:${line}:${column}` : file,
      instead: hint,
    }));
  },
} satisfies DoctorCheck;
