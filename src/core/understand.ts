import type { Action, Change } from "./action.ts";
import type { Operation } from "./operation.ts";
import { parsePatch } from "./patch.ts";
import { toTarget } from "./paths.ts";
import type { World } from "./world.ts";

/** Turns what a tool says it does into what will happen, with every path resolved. */
export function understand(operations: readonly Operation[], cwd: string, world: World): Action[] {
  return operations.flatMap((operation) => actionsOf(operation, cwd, world));
}

function actionsOf(operation: Operation, cwd: string, world: World): Action[] {
  const target = (given: string) => toTarget(given, cwd, world);
  switch (operation.do) {
    case "write":
      return [{ kind: "write", target: target(operation.path), change: writeChange(operation) }];
    case "edit":
      return [{ kind: "write", target: target(operation.path), change: { by: "edits", edits: operation.edits } }];
    case "insert":
      return [
        {
          kind: "write",
          target: target(operation.path),
          change: { by: "insert", line: operation.line, text: operation.text },
        },
      ];
    case "patch":
      return patchActions(operation.text, target);
    case "delete":
      return [{ kind: "delete", target: target(operation.path), recursive: operation.recursive ?? false }];
    case "read":
      return [{ kind: "read", target: target(operation.path) }];
    case "exec":
      return [{ kind: "exec", command: operation.command, shell: operation.shell ?? "posix", cwd }];
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
  }
}

function writeChange(operation: Operation & { do: "write" }): Change {
  if (operation.text !== undefined) return { by: "text", text: operation.text };
  return operation.fragment === undefined ? { by: "unknown" } : { by: "unknown", fragment: operation.fragment };
}

function patchActions(text: string, target: (given: string) => ReturnType<typeof toTarget>): Action[] {
  const files = parsePatch(text);
  // A patch without a readable heading may still be one to its tool: a write to nobody knows where.
  if (files.length === 0) return [{ kind: "write", change: { by: "unknown", fragment: text } }];
  return files.flatMap((file): Action[] => {
    const at = target(file.path);
    if (file.kind === "delete") return [{ kind: "delete", target: at, recursive: false }];
    if (file.kind === "add") return [{ kind: "write", target: at, change: { by: "text", text: file.text } }];
    const change: Change = { by: "hunks", hunks: file.hunks, from: at.real };
    if (file.moveTo === undefined) return [{ kind: "write", target: at, change }];
    return [
      { kind: "write", target: target(file.moveTo), change },
      { kind: "delete", target: at, recursive: false },
    ];
  });
}
