import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";
import { session, writesMetadata } from "./_state-examples.ts";

const metadata = ".ralph-sessions/260215-173319/metadata.yaml";
const reviewed = "version: 2\niteration: 1\norchestrator:\n  state: SESSION_REVIEW\n";

describe("S0-R34 a session is not reviewed while a task is [ ], [/] or [P]", () => {
  ruleTester("ralph/session-review-gate", {
    catches: [
      ...[" ", "/", "P"].map((status) => ({
        files: session("BATCHING", `- [x] task-1\n- [${status}] task-2\n`),
        ...writesMetadata("BATCHING", "SESSION_REVIEW"),
        message: "open",
        data: { tasks: `task-2 [${status}]`, file: "iterations/1/progress.md" },
      })),
      {
        title: "by sed",
        files: session("BATCHING", "- [ ] task-1\n"),
        shell: `sed -i 's/BATCHING/SESSION_REVIEW/' ${metadata}`,
        message: "open",
      },
      {
        title: "by a redirection",
        files: session("BATCHING", "- [ ] task-1\n"),
        shell: `printf 'version: 2\\niteration: 1\\norchestrator:\\n  state: SESSION_REVIEW\\n' > ${metadata}`,
        message: "open",
      },
      {
        title: "by a file that is moved into place",
        files: { ...session("BATCHING", "- [ ] task-1\n"), "new.yaml": reviewed },
        shell: `mv new.yaml ${metadata}`,
        message: "open",
      },
      {
        title: "without a progress.md",
        files: session("BATCHING"),
        write: metadata,
        text: reviewed,
        outcome: "warn",
        message: "unknown",
      },
      {
        title: "the iteration that is written counts",
        files: session("BATCHING", "- [x] task-1\n", { "iterations/2/progress.md": "- [P] task-9\n" }),
        write: metadata,
        text: reviewed.replace("iteration: 1", "iteration: 2"),
        data: { tasks: "task-9 [P]" },
      },
    ],
    allows: [
      {
        title: "a failed attempt stays as history, the last line counts",
        files: session("BATCHING", "- [/] task-1 (Attempt 1)\n- [x] task-1 (Attempt 2)\n- [ ] plan-x\n"),
        ...writesMetadata("BATCHING", "SESSION_REVIEW"),
      },
      {
        title: "a session that is in review already",
        files: session("SESSION_REVIEW", "- [ ] task-1\n"),
        write: metadata,
        edit: { old: "version: 1", new: "version: 2" },
      },
      {
        title: "tasks finished by the same call",
        files: session("BATCHING", "- [P] task-1\n"),
        operations: [
          {
            do: "edit",
            path: ".ralph-sessions/260215-173319/iterations/1/progress.md",
            edits: [{ old: "[P]", new: "[x]" }],
          },
          { do: "edit", path: metadata, edits: [{ old: "BATCHING", new: "SESSION_REVIEW" }] },
        ],
      },
      { title: "another metadata.yaml", write: "chart/metadata.yaml", text: reviewed },
    ],
  });
});
