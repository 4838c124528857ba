import { isObject } from "../core/json.ts";
import { parseText } from "../core/yaml-document.ts";
import type { Text } from "./_files.ts";
import { partsOf } from "./_frontmatter.ts";
import { documentTypes, type KnowledgeHead } from "./knowledge.ts";
import type { RoutingProblem } from "./problem.ts";
import { misspelt, notYaml, reportsOf, textAt, textsAt } from "./_reports.ts";
import { stagesAt } from "./_stages.ts";

const keys = ["id", "doc_type", "scope", "topics", "stages", "summary"];
const required = ["id", "scope", "summary"] as const;

export interface ReadDocument {
  readonly head?: KnowledgeHead;
  /** What stands below the head. */
  readonly body: string;
  readonly problems: readonly RoutingProblem[];
}

/** The head of a knowledge document. One that lacks something is read all the same. */
export function readKnowledgeDocument({ file, text }: Text): ReadDocument {
  const { head, headAbove, body } = partsOf(text);
  const lacking = (line: number, said: string): RoutingProblem => ({
    file,
    line,
    level: "error",
    text: said,
    hint: `Expected ${keys.join(", ")} between \`---\` lines at the top; ${required.join(", ")} are the least.`,
    code: "HL_ROUTING_FIELD",
  });
  if (head === undefined) return { body, problems: [lacking(1, "the document has no head")] };
  const parsed = parseText(head);
  if (parsed.error) return { body, problems: [notYaml(file, parsed.error, headAbove)] };
  if (!isObject(parsed.value))
    return { body, problems: [lacking(headAbove, "the head is no mapping of keys")] };
  const reports = reportsOf(file, parsed, headAbove);
  const value = parsed.value;
  misspelt(value, keys, [], reports);
  const missing = required.filter((key) => (textAt(value, key, [], reports) ?? "") === "");
  for (const key of missing) reports.problems.push(lacking(headAbove, `the head has no ${key}`));
  const type = textAt(value, "doc_type", [], reports);
  if (type !== undefined && !(documentTypes as readonly string[]).includes(type))
    reports.warn(
      ["doc_type"],
      "HL_ROUTING_KIND",
      `unknown doc_type ${JSON.stringify(type)}`,
      `Expected ${documentTypes.join(", ")}.`,
    );
  return {
    head: {
      id: textAt(value, "id", [], reports) ?? "",
      scope: textAt(value, "scope", [], reports) ?? "",
      summary: textAt(value, "summary", [], reports) ?? "",
      topics: textsAt(value, "topics", [], reports),
      stages: stagesAt(value, "stages", [], reports),
      file,
      line: reports.lineOf(["id"]),
      ...(type === undefined ? {} : { type }),
    },
    body,
    problems: reports.problems,
  };
}
