import { resolve } from "node:path";
import { asText, isObject } from "../../core/json.ts";
import { isInside } from "../../core/paths.ts";
import type { World } from "../../core/world.ts";
import { unfold } from "../../shell/unfold.ts";
import { readPipeline, specsFolder, type Pipeline } from "../../workflow/pipeline-state.ts";
import { hasText } from "./board.ts";
import { finalize, type Finalized } from "./finalize.ts";

/**
 * The final commit as a hook behind shell commands: when one has completed `post-to-source`, summary and state go into the last
 * commit. Nothing where the command was another one, or the pipeline is none that commits.
 */
export async function commitAfter(text: string, root: string, world: World): Promise<Finalized | undefined> {
  const pipeline = completedBy(text, root, world);
  if (!pipeline || pipeline.state["taskType"] === "investigation") return undefined;
  return hasText(pipeline.folder, "summary.md", world) ? finalize(pipeline, root, world) : undefined;
}

/** The pipeline whose `post-to-source` a payload's command has completed. */
function completedBy(text: string, root: string, world: World): Pipeline | undefined {
  const payload = parsed(text);
  const input = isObject(payload) && payload["tool_name"] === "Bash" ? payload["tool_input"] : undefined;
  const command = isObject(input) ? asText(input["command"]) : undefined;
  if (!isObject(payload) || !command?.includes("phase-complete")) return undefined;
  const cwd = resolve(asText(payload["cwd"]) ?? process.cwd());
  const { runs } = unfold(command, { cwd, home: world.folders().home, root });
  for (const { program, args, cwd: at = cwd } of runs) {
    const words = args.map((arg) => arg.text);
    const found = words.indexOf("phase-complete");
    if (found === -1 || words[found + 2] !== "post-to-source" || program === "echo" || program === "printf")
      continue;
    const named = words[found + 1] ?? "";
    for (const folder of [resolve(at, named), resolve(root, named)]) {
      const pipeline = isOurs(folder, root, world) ? readPipeline(folder, world) : undefined;
      if (pipeline) return pipeline;
    }
  }
  return undefined;
}

// The command comes from the agent: a folder elsewhere is none of the project's.
function isOurs(folder: string, root: string, world: World): boolean {
  try {
    const specs = world.realPath(resolve(root, specsFolder));
    const real = world.realPath(folder);
    return isInside(specs, real) && real !== specs;
  } catch {
    return false;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
