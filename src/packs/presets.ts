/** The presets a policy can extend, and what each includes. Rules say themselves which they belong to. */
export const presets: Readonly<
  Record<string, { summary: string; includes: readonly string[]; mode?: "observe" }>
> = {
  recommended: { summary: "Guards every team wants, quiet in daily work.", includes: [] },
  strict: { summary: "Recommended, and what costs some comfort.", includes: ["recommended"] },
  observe: { summary: "Recommended, but only recorded.", includes: ["recommended"], mode: "observe" },
  preview: { summary: "New rules that have yet to prove quiet.", includes: [] },
  "ralph/p0": { summary: "The Ralph hooks that prevent a broken session.", includes: [] },
  "ralph/p1": { summary: "p0, and the hooks for audit, safety and recovery.", includes: ["ralph/p0"] },
  "ralph/all": { summary: "Every Ralph hook.", includes: ["ralph/p1"] },
  ralph: { summary: "The same as ralph/all.", includes: ["ralph/all"] },
  workflow: { summary: "The rules of workflows; on by itself where the policy declares one.", includes: [] },
  pipeline: { summary: "The guardrails of a phased pipeline in `.specs`.", includes: [] },
};

/** The names a list of presets stands for, each once, included ones first. */
export function expandPresets(names: readonly string[]): string[] {
  const all = names.flatMap((name) => [...expandPresets(presets[name]?.includes ?? []), name]);
  return [...new Set(all)];
}
