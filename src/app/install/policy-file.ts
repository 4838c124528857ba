import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sessionsFolder } from "../../workflow/ralph-layout.ts";
import { specsFolder } from "../../workflow/pipeline-state.ts";

/** The presets that fit a repository, and why. */
export interface Choice {
  readonly presets: readonly string[];
  readonly why: string;
}

export function choosePresets(root: string): Choice {
  const ralph = existsSync(join(root, sessionsFolder));
  const pipeline = hasPipeline(join(root, specsFolder));
  const presets = ["recommended", ...(ralph ? ["ralph"] : []), ...(pipeline ? ["pipeline"] : [])];
  const signs = [
    ...(ralph ? [`there are Ralph sessions in ${sessionsFolder}`] : []),
    ...(pipeline ? [`there are pipelines in ${specsFolder}`] : []),
  ];
  return { presets, why: signs.join(", and ") || "what every team wants, quiet in daily work" };
}

/** Specifications alone are no pipeline; its state is what makes one. */
function hasPipeline(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => existsSync(join(folder, name, "state.json")));
  } catch {
    return false;
  }
}

export const policyText = ({
  presets,
  why,
}: Choice): string => `# Hookline's policy for this repository. Every key: hookline schema, docs/policy.md
# Agents may not change this file; ask before you do: hookline check '<command>', hookline explain

# ${presets.join(", ")}: ${why}.
extends: [${presets.join(", ")}]

# observe records what would have been blocked, and blocks nothing.
mode: enforce

# rules:
#   safety/workspace-boundary:
#     options:
#       allow: [../common]      # paths outside the repository that agents may write to
#   safety/publish: ask         # off, warn, ask or block
`;
