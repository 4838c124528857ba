import { dirname, join } from "node:path";
import { isInside, pathBelow } from "../core/paths.ts";
import { folderOf, readFile, type Files } from "./_files.ts";
import { readKnowledgeDocument, type ReadDocument } from "./knowledge-document.ts";
import type { Route, RouteIndex } from "./knowledge.ts";
import type { RoutingProblem } from "./problem.ts";
import { readRouteFile } from "./route-file.ts";
import { readRoutingDocument } from "./routing-document.ts";

export interface LoadedIndexes {
  readonly indexes: readonly RouteIndex[];
  readonly problems: readonly RoutingProblem[];
  /** The `ROUTING.md` that counts here, below the workspace. */
  readonly document?: string;
}

/** The index of topics as seen from a folder of the workspace: that of the nearest `ROUTING.md` above it. */
export function loadIndexes(root: string, files: Files, from: string = root): LoadedIndexes {
  const document = routingDocumentFor(root, files, from);
  if (document === undefined) return { indexes: [], problems: [] };
  return { ...readIndexes(document, root, files), document };
}

export function readIndexes(document: string, root: string, files: Files): Omit<LoadedIndexes, "document"> {
  const { text, problems } = readFile(document, root, files);
  if (text === undefined) return { indexes: [], problems };
  return readRoutingDocument({ file: document, text }, root, files);
}

/** The routes of a topic. */
export function loadRoutes(
  { scope, topic, routeFile, file, line }: RouteIndex,
  root: string,
  files: Files,
): { readonly routes: readonly Route[]; readonly problems: readonly RoutingProblem[] } {
  if (routeFile === undefined) return { routes: [], problems: [] };
  const { text, problems } = readFile(routeFile, root, files);
  if (text === undefined) return { routes: [], problems };
  const read = readRouteFile({ file: routeFile, text }, folderOf(file), root, files);
  const differs =
    (read.scope !== undefined && read.scope !== scope) || (read.topic !== undefined && read.topic !== topic);
  const mismatch: RoutingProblem = {
    file,
    line,
    level: "error",
    text: `${routeFile} is about ${read.topic ?? topic} of ${read.scope ?? scope}, not ${topic} of ${scope}`,
    hint: "Make the index and the file agree.",
    code: "HL_ROUTING_MISMATCH",
  };
  return {
    routes: read.routes.map((route) => ({ ...route, scope, topic })),
    problems: [...read.problems, ...(differs ? [mismatch] : [])],
  };
}

/** A knowledge document by its path below the workspace. Nothing when it is gone. */
export function loadDocument(
  path: string,
  root: string,
  files: Files,
): (ReadDocument & { readonly text: string }) | { readonly problems: readonly RoutingProblem[] } {
  const { text, problems } = readFile(path, root, files);
  return text === undefined ? { problems } : { ...readKnowledgeDocument({ file: path, text }), text };
}

function routingDocumentFor(root: string, files: Files, from: string): string | undefined {
  for (let folder = isInside(root, from) ? from : root; isInside(root, folder); folder = dirname(folder)) {
    const path = join(folder, "ROUTING.md");
    if (files.stat(path)) return pathBelow(root, path);
    if (folder === root) break;
  }
  return undefined;
}
