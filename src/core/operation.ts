import type { Edit, Shell, Todo } from "./action.ts";
import { guessOperations } from "./guess-operations.ts";
import { asText, type Json } from "./json.ts";

/**
 * What a host says a tool call does, in the tool's own terms: paths as given, nothing looked up.
 * `understand` turns operations into actions.
 */
export type Operation =
  | { readonly do: "write"; readonly path: string; readonly text?: string; readonly fragment?: string }
  | { readonly do: "edit"; readonly path: string; readonly edits: readonly Edit[] }
  | { readonly do: "insert"; readonly path: string; readonly line: number; readonly text: string }
  | { readonly do: "patch"; readonly text: string }
  | { readonly do: "delete"; readonly path: string; readonly recursive?: boolean }
  | { readonly do: "read"; readonly path: string }
  | { readonly do: "exec"; readonly command: string; readonly shell?: Shell; readonly cwd?: string }
  | { readonly do: "fetch"; readonly url: string }
  | { readonly do: "delegate"; readonly agent?: string; readonly prompt: string }
  | { readonly do: "todo"; readonly items: readonly Todo[]; readonly whole?: true };

/** How a host describes its tools: for each name, what its arguments ask for. */
export type ToolTable = Readonly<Record<string, (input: Json) => Operation[]>>;

/** The operations of a call, by the host's table or, for a tool it does not know, by a guess. */
export function operationsOf(table: ToolTable, tool: string, input: Json): Operation[] {
  const known = Object.hasOwn(table, tool) ? table[tool]?.(input) : undefined;
  const found = whole(known ?? guessOperations(tool, input));
  if (found.length > 0 || !known?.some(changesFile) || Object.keys(input).length === 0) return found;
  // A tool that changes files, called in words we do not know: other words for the same, or nobody knows which file.
  const guessed = whole(guessOperations(tool, input));
  return guessed.length > 0 ? guessed : [{ do: "patch", text: "" }];
}

/** On a drive of Windows the terminal is PowerShell's, whatever the tool is called. */
export const onDrive =
  (cwd: unknown) =>
  (operation: Operation): Operation =>
    operation.do === "exec" && operation.shell === undefined && /^[A-Za-z]:[\\/]/.test(asText(cwd) ?? "")
      ? { ...operation, shell: "powershell" }
      : operation;

const changesFile = ({ do: what }: Operation): boolean =>
  what === "write" || what === "edit" || what === "insert";

/** A call without its path or command is refused by the tool itself; it does nothing we could judge. */
function whole(operations: readonly Operation[]): Operation[] {
  const found: Operation[] = [];
  for (const operation of operations) {
    const isEmpty =
      ("path" in operation && operation.path === "") || (operation.do === "exec" && operation.command === "");
    if (!isEmpty) found.push(operation);
  }
  return found;
}
