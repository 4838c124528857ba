import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parse } from "yaml";
import { readWorkflow } from "../../src/policy/read-workflow.ts";
import type { Workflow } from "../../src/workflow/declared/model.ts";

/** A workflow that comes with Hookline, compiled as a policy's is. */
export function shippedWorkflow(file: string): Workflow {
  const problems: string[] = [];
  const value: unknown = parse(readFileSync(file, "utf8"));
  const workflow = readWorkflow(basename(file, ".yaml"), value, (path, code, text, hint) => {
    problems.push(`${file}  ${path.join(".")}: ${text} (${code})\n  ${hint}`);
  });
  if (!workflow || problems.length > 0) throw new Error(problems.join("\n"));
  return workflow;
}
