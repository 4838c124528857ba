import { isObject } from "../core/json.ts";
import { parseText } from "../core/yaml-document.ts";
import type { Path } from "../core/yaml-place.ts";
import { fileNamed, folderOf, type Files, type Text } from "./_files.ts";
import { partsOf } from "./_frontmatter.ts";
import type { RouteIndex } from "./knowledge.ts";
import type { RoutingProblem } from "./problem.ts";
import { misspelt, notYaml, reportsOf, textAt, type Reports } from "./_reports.ts";

const keys = ["scope", "topic", "summary", "route_file"];

export interface ReadIndexes {
  readonly indexes: readonly RouteIndex[];
  readonly problems: readonly RoutingProblem[];
}

/** The `route_indexes` of a `ROUTING.md`: in a code block, between `---` lines, or as they are between paragraphs. */
export function readRoutingDocument({ file, text }: Text, root: string, files: Files): ReadIndexes {
  const blocks = blocksIn(text);
  if (blocks.length === 0)
    return {
      indexes: [],
      problems: [
        {
          file,
          line: 1,
          level: "error",
          text: "no route_indexes",
          hint: `Expected a YAML list \`route_indexes:\` of ${keys.join(", ")}.`,
          code: "HL_ROUTING_FIELD",
        },
      ],
    };
  const problems: RoutingProblem[] = [];
  const indexes = blocks.flatMap(({ yaml, above }) => {
    const parsed = parseText(yaml);
    if (parsed.error) {
      problems.push(notYaml(file, parsed.error, above));
      return [];
    }
    const reports = reportsOf(file, parsed, above);
    const list = isObject(parsed.value) ? parsed.value["route_indexes"] : undefined;
    const found = Array.isArray(list)
      ? list.flatMap((each: unknown, at) => toIndex(each, ["route_indexes", at], reports, root, files) ?? [])
      : (reports.error(
          ["route_indexes"],
          "HL_ROUTING_FIELD",
          "not a list",
          `Expected a list of ${keys.join(", ")}.`,
        ) ?? []);
    problems.push(...reports.problems);
    return found;
  });
  return { indexes: unique(indexes, problems), problems };
}

function toIndex(
  value: unknown,
  path: Path,
  reports: Reports,
  root: string,
  files: Files,
): RouteIndex | undefined {
  if (!isObject(value))
    return reports.error(path, "HL_ROUTING_FIELD", "not a mapping", `Expected ${keys.join(", ")}.`);
  misspelt(value, keys, path, reports);
  const scope = textAt(value, "scope", path, reports);
  const topic = textAt(value, "topic", path, reports);
  if (scope === undefined || topic === undefined)
    return reports.error(
      path,
      "HL_ROUTING_FIELD",
      `no ${scope === undefined ? "scope" : "topic"}`,
      "Expected for example `scope: execution.quality_gates` and `topic: pre_commit_checks`.",
    );
  const given = textAt(value, "route_file", path, reports) ?? `routes/${scope}.${topic}.yaml`;
  const named = fileNamed(given, folderOf(reports.file), root, files);
  if ("outside" in named)
    reports.error(
      [...path, "route_file"],
      "HL_ROUTING_OUTSIDE",
      `${JSON.stringify(given)} is not followed: ${named.outside}`,
      "Expected a file of this workspace.",
    );
  if ("missing" in named)
    reports.error(
      [...path, "route_file"],
      "HL_ROUTING_MISSING",
      `there is no route file ${given}`,
      "Write the file, or take the entry out.",
    );
  return {
    scope,
    topic,
    summary: textAt(value, "summary", path, reports) ?? "",
    ...("found" in named ? { routeFile: named.found } : {}),
    file: reports.file,
    line: reports.lineOf(path),
  };
}

function unique(indexes: readonly RouteIndex[], problems: RoutingProblem[]): RouteIndex[] {
  const first = new Map<string, RouteIndex>();
  return indexes.filter((index) => {
    const key = `${index.scope} ${index.topic}`;
    const before = first.get(key);
    if (!before) {
      first.set(key, index);
      return true;
    }
    problems.push({
      file: index.file,
      line: index.line,
      level: "error",
      text: `the topic ${index.topic} of ${index.scope} stands in line ${before.line} already`,
      hint: "Put their routes into one file; the first counts.",
      code: "HL_ROUTING_DUPLICATE",
    });
    return false;
  });
}

interface Block {
  readonly yaml: string;
  /** How many lines stand before it. */
  readonly above: number;
}

const begins = /^route_indexes[ \t]*:/;

function blocksIn(text: string): Block[] {
  const { head, headAbove, body, bodyAbove } = partsOf(text);
  const blocks: Block[] = [];
  if (head !== undefined && head.split("\n").some((line) => begins.test(line)))
    blocks.push({ yaml: head, above: headAbove });
  const lines = body.split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at++) {
    const fence = /^\s{0,3}(`{3,}|~{3,})/.exec(lines[at] ?? "")?.[1];
    if (fence !== undefined) {
      const end = fenceEnd(lines, at + 1, fence);
      const inside = lines.slice(at + 1, end);
      if (inside.some((line) => begins.test(line)))
        blocks.push({ yaml: inside.join("\n"), above: bodyAbove + at + 1 });
      at = end;
    } else if (begins.test(lines[at] ?? "")) {
      let end = at + 1;
      while (end < lines.length && /^(?:\s|-|$)/.test(lines[end] ?? "")) end++;
      blocks.push({ yaml: lines.slice(at, end).join("\n"), above: bodyAbove + at });
      at = end - 1;
    }
  }
  return blocks;
}

/** Where a fence is closed; the end of the text when it never is. */
function fenceEnd(lines: readonly string[], from: number, fence: string): number {
  for (let at = from; at < lines.length; at++) if (lines[at]?.trimStart().startsWith(fence)) return at;
  return lines.length;
}
