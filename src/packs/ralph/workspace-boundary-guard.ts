import { beforeTool } from "../../core/event.ts";
import { isInside, isSink } from "../../core/paths.ts";
import { defineRule } from "../../core/rule.ts";
import { logHookError } from "./_hook-errors.ts";

export default defineRule({
  summary: "Rejects edits that resolve outside the workspace root, also where no path allowlist is on.",
  why: "A session works on its own workspace; what it leaves elsewhere is in no record of it.",
  since: "0.1.0",
  outcome: "block",
  presets: { "ralph/p1": {} },
  on: { events: beforeTool, actions: ["write", "delete"] },
  options: (v) => v.strictObject({}),
  catalogue: {
    number: 12,
    title: "Workspace Boundary Guard",
    tier: "P1",
    lifecycle: "PreTool",
    serves: "scope",
  },
  // The allowlist and the general boundary say the same of the same path; one denial is enough.
  yieldsTo: ["ralph/path-allowlist", "safety/workspace-boundary"],
  messages: {
    outside: {
      what: "Path resolves outside workspace root after normalization: `{path}`.",
      instead: "Edit files of the workspace.",
    },
  },
  examples: {
    catches: [
      { write: "../../etc/passwd", text: "" },
      { shell: "echo x > ../neighbour" },
      { links: { out: "/etc" }, write: "out/hosts", text: "" },
    ],
    allows: [
      { write: "src/a.ts", text: "" },
      { write: "src/../a.ts", text: "" },
      { shell: "cat ../neighbour" },
      { shell: "echo x > /dev/null" },
    ],
  },
  onFailure: logHookError(12),
  *check({ event, world }) {
    const root = world.realPath(event.root);
    for (const action of event.actions) {
      if ((action.kind !== "write" && action.kind !== "delete") || !action.target) continue;
      const { target } = action;
      if (isInside(root, target.real) || (action.kind === "write" && isSink(target))) continue;
      yield { message: "outside", data: { path: target.given } };
    }
  },
});
