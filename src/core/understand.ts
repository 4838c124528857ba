import { resolve } from "node:path";
import type { Action, Change, Target } from "./action.ts";
import type { Operation } from "./operation.ts";
import { parsePatch } from "./patch.ts";
import { toTargets } from "./paths.ts";
import type { World } from "./world.ts";

/** Turns what a tool says it does into what will happen, with every path resolved. */
export function understand(operations: readonly Operation[], cwd: string, world: World): Action[] {
  const all: Action[] = [];
  for (const operation of operations) all.push(...actionsOf(operation, cwd, world));
  return all;
}

function actionsOf(operation: Operation, cwd: string, world: World): Action[] {
  const targets = (given: string) => toTargets(given, cwd, world);
  switch (operation.do) {
    case "write":
      return writes(targets(operation.path), writeChange(operation));
    case "edit":
      return writes(targets(operation.path), { by: "edits", edits: operation.edits });
    case "insert":
      return writes(targets(operation.path), { by: "insert", line: operation.line, text: operation.text });
    case "patch":
      return patchActions(operation.text, targets);
    case "delete":
      return deletes(targets(operation.path), operation.recursive ?? false);
    case "read":
      return targets(operation.path).map((target) => ({ kind: "read", target }));
    case "exec":
      return [
        {
          kind: "exec",
          command: operation.command,
          shell: operation.shell ?? "posix",
          cwd: operation.cwd === undefined ? cwd : resolve(cwd, operation.cwd),
          commands: [],
          troubles: [],
        },
      ];
    case "fetch":
      return [{ kind: "fetch", url: operation.url }];
    case "delegate":
      return [
        {
          kind: "delegate",
          prompt: operation.prompt,
          ...(operation.agent === undefined ? {} : { agent: operation.agent }),
        },
      ];
    case "todo":
      return [{ kind: "todo", items: operation.items, ...(operation.whole ? { whole: true } : {}) }];
  }
}

const writes = (targets: readonly Target[], change: Change): Action[] =>
  targets.map((target) => ({ kind: "write", target, change }));

const deletes = (targets: readonly Target[], recursive: boolean): Action[] =>
  targets.map((target) => ({ kind: "delete", target, recursive }));

function writeChange(operation: Operation & { do: "write" }): Change {
  if (operation.text !== undefined) return { by: "text", text: operation.text };
  return operation.fragment === undefined
    ? { by: "unknown" }
    : { by: "unknown", fragment: operation.fragment };
}

function patchActions(text: string, targets: (given: string) => Target[]): Action[] {
  const files = parsePatch(text);
  // A patch without a readable heading may still be one to its tool: a write to nobody knows where.
  if (files.length === 0) return [{ kind: "write", change: { by: "unknown", fragment: text } }];
  return files.flatMap((file): Action[] => {
    const at = targets(file.path);
    if (file.kind === "delete") return deletes(at, false);
    if (file.kind === "add") return writes(at, { by: "text", text: file.text });
    const change: Change = { by: "hunks", hunks: file.hunks, from: at[0]?.real ?? file.path };
    if (file.moveTo === undefined) return writes(at, change);
    return [...writes(targets(file.moveTo), change), ...deletes(at, false)];
  });
}
