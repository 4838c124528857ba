import type { Json } from "../../core/json.ts";
import type { TaskStore } from "../abilities/task-store.ts";

/** One call of a tool: where, and with what it may reach whoever called. */
export interface ToolCall extends TaskStore {
  /** Given when the call is not wanted any more. */
  readonly cancel: AbortSignal;
  /** Asks the person behind the client; absent where the client cannot. */
  readonly confirm?: (question: string) => Promise<boolean>;
}

/** A tool other programs can call over MCP. */
export interface McpTool {
  readonly title: string;
  readonly description: string;
  /** A JSON schema; what does not fit never gets to `run`. */
  readonly input: Json;
  /** It changes nothing. */
  readonly reads?: true;
  run(input: Json, call: ToolCall): Promise<Json> | Json;
}

export const defineTool = (tool: McpTool): McpTool => tool;

/** What went wrong in words for whoever called. Everything else that is thrown is a bug of ours. */
export class ToolTrouble extends Error {
  override readonly name = "ToolTrouble";
}

export const objectOf = (properties: Json, required: readonly string[] = []): Json => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

export const text = (description: string, most = 10_000): Json => ({
  type: "string",
  description,
  maxLength: most,
});

export const oneOf = (values: readonly string[], description: string): Json => ({
  type: "string",
  enum: values,
  description,
});

/** A field of an input that its schema has made sure of. */
export const textIn = (input: Json, name: string): string | undefined => {
  const value = input[name];
  return typeof value === "string" ? value : undefined;
};

/** The fields that are there, by the names they have where they go. */
export const given = <T extends string>(
  input: Json,
  names: Readonly<Record<T, string>>,
): Partial<Record<T, string>> =>
  Object.fromEntries(
    Object.entries<string>(names).flatMap(([ours, theirs]) => {
      const value = textIn(input, theirs);
      return value === undefined ? [] : [[ours, value]];
    }),
  ) as Partial<Record<T, string>>; // keys of the table, each a text
