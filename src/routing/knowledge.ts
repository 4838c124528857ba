import type { Stage } from "../core/hook.ts";

/** An entry of `route_indexes`: which file has the routes of a topic. */
export interface RouteIndex {
  readonly scope: string;
  readonly topic: string;
  readonly summary: string;
  /** Below the workspace. Nothing when there is none. */
  readonly routeFile?: string;
  readonly file: string;
  readonly line: number;
}

/** A scenario of a topic, with the documents that help in it. */
export interface Route {
  readonly scope: string;
  readonly topic: string;
  readonly whenToUse: string;
  readonly documents: readonly RelatedDocument[];
  readonly file: string;
  readonly line: number;
}

export interface RelatedDocument {
  /** Below the workspace. */
  readonly path: string;
  /** None: any stage. */
  readonly stages: readonly Stage[];
  readonly usage: string;
  readonly file: string;
  readonly line: number;
}

/** Soft: a document of another type is read all the same. */
export const documentTypes = ["skill", "workflow", "example", "alignment"] as const;

/** What a knowledge document says of itself. */
export interface KnowledgeHead {
  readonly id: string;
  readonly scope: string;
  readonly summary: string;
  readonly type?: string;
  readonly topics: readonly string[];
  readonly stages: readonly Stage[];
  readonly file: string;
  readonly line: number;
}

/** What somebody wants to know, as a hook or a command line says it. All but the intent may be left to be found out. */
export interface Intent {
  readonly intent: string;
  readonly scope?: string;
  readonly topic?: string;
  readonly stage?: Stage;
  readonly signals?: Readonly<Record<string, unknown>>;
}
