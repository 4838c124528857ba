import { plainName, plainText } from "../core/plain-name.ts";

/** Stable names of what can be wrong with a registry, a routing document or a knowledge document. */
export type RoutingCode =
  | "HL_ROUTING_UNREADABLE"
  | "HL_ROUTING_SYNTAX"
  | "HL_ROUTING_TABLE"
  | "HL_ROUTING_FIELD"
  | "HL_ROUTING_KIND"
  | "HL_ROUTING_STAGE"
  | "HL_ROUTING_MISSING"
  | "HL_ROUTING_OUTSIDE"
  | "HL_ROUTING_MISMATCH"
  | "HL_ROUTING_DUPLICATE"
  | "HL_ROUTING_ORPHAN";

/** A mistake in a file that routing reads, or something that is probably one. */
export interface RoutingProblem {
  /** Below the workspace, with slashes. */
  readonly file: string;
  readonly line: number;
  readonly level: "error" | "warning";
  readonly text: string;
  readonly hint: string;
  readonly code: RoutingCode;
}

/** `ABILITY.md:7  Registry path: … (HL_ROUTING_MISSING)` and, below it, what to do. */
export const showRoutingProblem = ({ file, line, level, text, hint, code }: RoutingProblem): string =>
  plainText(
    `${plainName(file)}:${line}  ${level === "warning" ? "warning: " : ""}${text} (${code})\n  ${hint}`,
  );
