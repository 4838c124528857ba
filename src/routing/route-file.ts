import { isObject, type Json } from "../core/json.ts";
import { parseText } from "../core/yaml-document.ts";
import type { Path } from "../core/yaml-place.ts";
import { fileNamed, folderOf, type Files, type Text } from "./_files.ts";
import { partsOf } from "./_frontmatter.ts";
import type { RelatedDocument, Route } from "./knowledge.ts";
import type { RoutingProblem } from "./problem.ts";
import { misspelt, notYaml, reportsOf, textAt, type Reports } from "./_reports.ts";
import { stagesAt } from "./_stages.ts";

export interface ReadRoutes {
  readonly scope?: string;
  readonly topic?: string;
  readonly routes: readonly Route[];
  readonly problems: readonly RoutingProblem[];
}

const routeKeys = ["when_to_use", "related_docs"];
const documentKeys = ["path", "stage", "doc_usage"];

/**
 * `routes/<scope>.<topic>.yaml`: scope and topic between `---` lines and the routes below, or all in one document. `folder` is where
 * the `ROUTING.md` lies that names it: paths of documents go from there, or else from the workspace.
 */
export function readRouteFile({ file, text }: Text, folder: string, root: string, files: Files): ReadRoutes {
  const { head, headAbove, body, bodyAbove } = partsOf(text);
  const problems: RoutingProblem[] = [];
  const part = (yaml: string, above: number): { value: Json; reports: Reports } | undefined => {
    const parsed = parseText(yaml);
    if (parsed.error) {
      problems.push(notYaml(file, parsed.error, above));
      return undefined;
    }
    const reports = reportsOf(file, parsed, above);
    return { value: isObject(parsed.value) ? parsed.value : {}, reports };
  };
  const top = head === undefined ? undefined : part(head, headAbove);
  const rest = part(body, bodyAbove);
  const about = top ?? rest;
  if (!about || !rest) return { routes: [], problems };
  const scope = textAt(about.value, "scope", [], about.reports);
  const topic = textAt(about.value, "topic", [], about.reports);
  if (scope === undefined || topic === undefined)
    about.reports.error(
      [],
      "HL_ROUTING_FIELD",
      `no ${scope === undefined ? "scope" : "topic"}`,
      "Expected `scope` and `topic` between `---` lines at the top.",
    );
  const list = rest.value["routes"] ?? top?.value["routes"];
  const holder = rest.value["routes"] === undefined && top ? top : rest;
  const routes = Array.isArray(list)
    ? list.flatMap(
        (each: unknown, at) =>
          toRoute(
            each,
            ["routes", at],
            { scope: scope ?? "", topic: topic ?? "" },
            holder.reports,
            folder,
            root,
            files,
          ) ?? [],
      )
    : (holder.reports.error(
        ["routes"],
        "HL_ROUTING_FIELD",
        list === undefined ? "missing" : "not a list",
        `Expected a list of ${routeKeys.join(", ")}.`,
      ) ?? []);
  problems.push(...(top ? top.reports.problems : []), ...rest.reports.problems);
  return {
    ...(scope === undefined ? {} : { scope }),
    ...(topic === undefined ? {} : { topic }),
    routes,
    problems,
  };
}

function toRoute(
  value: unknown,
  path: Path,
  about: { readonly scope: string; readonly topic: string },
  reports: Reports,
  folder: string,
  root: string,
  files: Files,
): Route | undefined {
  if (!isObject(value))
    return reports.error(path, "HL_ROUTING_FIELD", "not a mapping", `Expected ${routeKeys.join(", ")}.`);
  misspelt(value, routeKeys, path, reports);
  const whenToUse = textAt(value, "when_to_use", path, reports);
  if (whenToUse === undefined || whenToUse === "")
    reports.error([...path, "when_to_use"], "HL_ROUTING_FIELD", "missing", "Say when this route is of use.");
  const list = value["related_docs"];
  if (!Array.isArray(list)) {
    reports.error(
      [...path, "related_docs"],
      "HL_ROUTING_FIELD",
      list === undefined ? "missing" : "not a list",
      `Expected a list of ${documentKeys.join(", ")}.`,
    );
    return undefined;
  }
  const documents = list.flatMap(
    (each: unknown, at) =>
      toDocument(each, [...path, "related_docs", at], reports, folder, root, files) ?? [],
  );
  return { ...about, whenToUse: whenToUse ?? "", documents, file: reports.file, line: reports.lineOf(path) };
}

function toDocument(
  value: unknown,
  path: Path,
  reports: Reports,
  folder: string,
  root: string,
  files: Files,
): RelatedDocument | undefined {
  const given = typeof value === "string" ? { path: value } : value;
  if (!isObject(given))
    return reports.error(path, "HL_ROUTING_FIELD", "not a mapping", `Expected ${documentKeys.join(", ")}.`);
  misspelt(given, documentKeys, path, reports);
  const reference = textAt(given, "path", path, reports);
  const stages = stagesAt(given, "stage", path, reports);
  const usage = textAt(given, "doc_usage", path, reports) ?? "";
  if (reference === undefined || reference === "")
    return reports.error(
      [...path, "path"],
      "HL_ROUTING_FIELD",
      "missing",
      "Expected the path of a document.",
    );
  const named = fileNamed(reference, folder, root, files);
  if ("outside" in named)
    return reports.error(
      [...path, "path"],
      "HL_ROUTING_OUTSIDE",
      `${JSON.stringify(reference)} is not followed: ${named.outside}`,
      "Expected a document of this workspace.",
    );
  if ("missing" in named) {
    // A path may also go from the file it stands in.
    const beside = fileNamed(reference, folderOf(reports.file), root, files);
    if (!("found" in beside))
      return reports.error(
        [...path, "path"],
        "HL_ROUTING_MISSING",
        `there is no document ${reference}`,
        "Write the document, or take the entry out.",
      );
    return { path: beside.found, stages, usage, file: reports.file, line: reports.lineOf(path) };
  }
  return { path: named.found, stages, usage, file: reports.file, line: reports.lineOf(path) };
}
