import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const session = ".ralph-sessions/260215-173319";
const progress = `${session}/iterations/1/progress.md`;
const metadata = `${session}/metadata.yaml`;
const sane = "iteration: 1\norchestrator:\n  state: PLANNING\n";
const onlySessions = { options: { where: "sessions" } };
const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("S0-R16 the files of record change only to what their readers understand", () => {
  ruleTester("ralph/ssot-write-guard", {
    catches: [
      { shell: `echo '- [Z] task-1' > ${progress}`, message: "invalid" },
      { shell: `cat >> ${progress} <<'EOF'\n- [Q] task-2\nEOF`, message: "invalid" },
      {
        title: "a line behind a mapping that has that key",
        files: { [metadata]: sane },
        shell: `echo 'iteration: 2' >> ${metadata}`,
        message: "invalid",
      },
      {
        title: "text behind a file that ends in the middle of a line",
        files: { [progress]: "- [x] " },
        shell: `printf 'task-one' >> ${progress}`,
        message: "invalid",
      },
      {
        title: "two commands, of which the second makes a bad line of what the first has written",
        files: { [progress]: "- [ ] task-1\n" },
        shell: `sed -i 's/ ]/ ] /' ${progress} && sed -i 's/ ]  /Q] /' ${progress}`,
        message: "invalid",
      },
      {
        title: "a copy that breaks the schema",
        files: { [progress]: "- [ ] task-1\n", "x.md": "- [Z] task-1\n" },
        shell: `cp x.md ${progress}`,
        message: "invalid",
      },
      {
        title: "sed in place: a state nobody knows",
        files: { [metadata]: sane },
        shell: `sed -i 's/state: .*/state: DONE/' ${metadata}`,
        message: "invalid",
        data: {
          reason:
            "Invalid orchestrator.state 'DONE'. Allowed: INITIALIZING, PLANNING, REPLANNING, BATCHING, EXECUTING_BATCH, REVIEWING_BATCH, SESSION_REVIEW, KNOWLEDGE_EXTRACTION, KNOWLEDGE_APPROVAL, COMPLETE",
        },
      },
      {
        title: "sed in place: of two scripts the second",
        files: { [progress]: "- [ ] task-1\n" },
        shell: `sed -i -e 's/\\[ \\]/[x]/' -e 's/x/✓/' ${progress}`,
        message: "invalid",
      },
      {
        title: "sed in place by another sed, whose script stands behind an empty suffix",
        files: { [progress]: "- [ ] task-1\n" },
        shell: `sed -i '' 's/\\[ \\]/[Z]/' ${progress}`,
        message: "unknown",
      },
      {
        title: "sed in place with a script nobody can tell",
        files: { [progress]: "- [ ] task-1\n" },
        shell: `sed -i "s/ /$STATUS/" ${progress}`,
        message: "unknown",
      },
      {
        title: "sed in place with a pattern that would take for ever",
        files: { [progress]: `${"a".repeat(3000)}\n` },
        shell: `sed -i 's/\\(a*\\)*b/x/' ${progress}`,
        message: "unknown",
      },
      {
        write: "progress.md",
        text: "- [Z] task-1\n",
        message: "invalid",
        outcome: "block",
        data: { reason: "Invalid status '[Z]' for task-1. Allowed: [ ], [/], [P], [x], [F], [C]" },
      },
      { event: "PermissionRequest", write: progress, text: "- [Z] task-1\n" },
      { write: "docs/PROGRESS.md", text: "- [Z] task-1\n" },
      { write: `${progress}/`, text: "- [Z] task-1\n" },
      { write: `${session}/x/../iterations/1/progress.md`, text: "- [Z] task-1\n", ...onlySessions },
      { write: progress, text: "- [✓] task-1\n" },
      { write: progress, text: "- [Ｘ] task-1\n" },
      { write: progress, text: "- [👍🏽] task-1\n" },
      { write: progress, text: "\uFEFF- [Z] task-1\n" },
      { write: progress, text: "# Tasks\r\n- [x] task-1\r\n- [Z] task-2\r\n" },
      {
        title: "the same task twice is only warned of",
        write: progress,
        text: "- [x] task-1\r\n- [ ] task-1\r\n",
        message: "suspicious",
        outcome: "warn",
      },
      {
        title: "a bad line outweighs a doubtful one",
        write: progress,
        text: "- [x] task-1\n- [ ] task-1\n- [Z] task-2\n",
        message: "invalid",
      },

      {
        title: "an edit of a text that occurs several times",
        files: { [progress]: "- [ ] task-1\n- [ ] task-2\n" },
        write: progress,
        edit: { old: "[ ]", new: "[Z]" },
      },
      {
        title: "an edit of several lines in a file with Windows line ends",
        files: { [progress]: "- [ ] task-1\r\n- [ ] task-2\r\n" },
        write: progress,
        edit: { old: "task-1\n- [ ] task-2", new: "task-1\n- [Z] task-2" },
      },
      { title: "an edit that makes a new file", write: progress, edit: { old: "", new: "- [Z] task-1\n" } },
      {
        title: "an edit that finds no place, by what it brings",
        files: { [progress]: "# Progress\n" },
        write: progress,
        edit: { old: "nowhere", new: "- [Z] task-1" },
      },
      {
        title: "an edit that takes a required key away",
        files: { [metadata]: sane },
        write: metadata,
        edit: { old: "iteration: 1\n", new: "" },
        message: "invalid",
      },
      {
        title: "an edit of the state",
        files: { [metadata]: sane },
        write: metadata,
        edit: { old: "PLANNING", new: "RESTING" },
        message: "invalid",
      },
      {
        title: "the second of two edits",
        files: { [progress]: "- [ ] task-1\n" },
        operations: [
          {
            do: "edit",
            path: progress,
            edits: [
              { old: "[ ]", new: "[/]" },
              { old: "[/]", new: "[Z]" },
            ],
          },
        ],
      },
      {
        title: "an inserted line",
        files: { [progress]: "# Progress\n" },
        operations: [{ do: "insert", path: progress, line: 1, text: "- [Z] task-1" }],
      },
      { title: "a tool that does not say what it writes", write: progress, message: "unknown" },

      {
        title: "a link to the file",
        files: { [progress]: "" },
        links: { "notes.md": progress },
        write: "notes.md",
        text: "- [Z] task-1\n",
        ...onlySessions,
      },
      {
        title: "a link with the file's name",
        links: { [progress]: "../../../../notes.txt" },
        write: progress,
        text: "- [Z] task-1\n",
        ...onlySessions,
      },
      {
        title: "a linked folder",
        files: { [progress]: "- [ ] task-1\n" },
        links: { now: `${session}/iterations/1` },
        write: "now/progress.md",
        edit: { old: "[ ]", new: "[Z]" },
        ...onlySessions,
      },
      {
        title: "a dangling link to the file",
        links: { "notes.md": progress },
        write: "notes.md",
        text: "- [Z] task-1\n",
        ...onlySessions,
      },
      {
        title: "`..` behind a link into the session",
        files: { [`${session}/iterations/1/reports/x`]: "" },
        links: { r: `${session}/iterations/1/reports` },
        write: "r/../progress.md",
        text: "- [Z] task-1\n",
        ...onlySessions,
      },
      {
        title: "an edit of a link loop",
        links: { [progress]: "progress.md" },
        write: progress,
        edit: { old: "a", new: "b" },
        fails: "crash",
      },
      {
        title: "a whole text for a link loop",
        links: { [progress]: "progress.md" },
        write: progress,
        text: "- [Z] task-1\n",
        message: "invalid",
      },
      {
        title: "an edit of a folder with the file's name",
        files: { [`${progress}/x`]: "" },
        write: progress,
        edit: { old: "a", new: "b" },
        fails: "crash",
      },

      {
        title: "one of two files of a patch",
        count: 1,
        files: { [progress]: "# P\n- [ ] task-1\n" },
        patch: patch(
          "*** Add File: a.ts",
          "+x",
          `*** Update File: ${progress}`,
          "@@",
          "-- [ ] task-1",
          "+- [Z] task-1",
        ),
      },
      {
        title: "a patch of a file with Windows line ends",
        files: { [progress]: "# P\r\n- [ ] task-1\r\n" },
        patch: patch(`*** Update File: ${progress}`, "@@ # P", "-- [ ] task-1", "+- [Z] task-1"),
      },
      {
        title: "a patch without a place, by what it brings",
        files: { [progress]: "# P\n" },
        patch: patch(`*** Update File: ${progress}`, "@@", "-nowhere", "+- [Z] task-1"),
      },
      {
        title: "a file that is moved there as it is",
        files: { "draft.md": "- [Z] task-1\n" },
        patch: patch("*** Update File: draft.md", `*** Move to: ${progress}`),
      },
      {
        title: "a file that is moved there and mended only in part",
        files: { "draft.md": "- [Z] task-1\n- [Z] task-2\n" },
        patch: patch(
          "*** Update File: draft.md",
          `*** Move to: ${progress}`,
          "@@",
          "-- [Z] task-1",
          "+- [x] task-1",
        ),
      },
      { title: "a patch that adds the file", patch: patch(`*** Add File: ${metadata}`, "+iteration: 0") },

      {
        write: metadata,
        text: "iteration: 1\n",
        message: "invalid",
        data: { reason: "Required field 'orchestrator.state' is missing" },
      },
      { write: metadata, text: "- a list\n", message: "invalid" },
      { write: metadata, text: "", message: "invalid" },
      { write: metadata, text: `${sane}---\n${sane}`, message: "invalid" },
      { write: metadata, text: `${sane}iteration: 2\n`, message: "invalid" },
      { write: metadata, text: `${sane}a: &a [x, x]\nb: [*a, *nowhere]\n`, message: "invalid" },
      { write: metadata, text: `${sane}started_at: yesterday\n`, message: "suspicious", outcome: "warn" },
      { write: "chart/metadata.yaml", text: "iteration: -1\n", options: { where: "everywhere" } },
      { write: metadata, text: sane.replace("PLANNING", "ITERATION_REVIEW"), message: "invalid" },
      {
        write: metadata,
        text: sane.replace("PLANNING", "KNOWLEDGE_APPROVAL"),
        options: { profile: "later" },
        message: "invalid",
      },
    ],
    allows: [
      {
        title: "files of the same name that are no session's, in another format",
        write: "k8s/metadata.yaml",
        text: "a: 1\n---\nb: 2\n",
      },
      { files: { "chart/metadata.yaml": "a: 1\n" }, shell: "yq -i '.a = 2' chart/metadata.yaml" },
      {
        title: "a file that is written line by line",
        shell: `echo 'iteration: 1' > ${metadata}; echo 'orchestrator:' >> ${metadata}; echo '  state: PLANNING' >> ${metadata}`,
      },
      {
        title: "a snapshot that is put back",
        files: { [progress]: "- [Z] task-1\n", [`${session}/logs/failures/x/progress.md`]: "- [ ] task-1\n" },
        shell: `cp ${session}/logs/failures/x/progress.md ${progress}`,
      },
      {
        title: "a temporary file that is moved to its place",
        files: { [metadata]: sane },
        shell: `printf 'iteration: 2\norchestrator:\n  state: BATCHING\n' > ${metadata}.tmp && mv ${metadata}.tmp ${metadata}`,
      },
      { files: { [progress]: "- [ ] task-1\n" }, shell: `touch ${progress}` },
      { files: { [progress]: "- [ ] task-1\n" }, shell: `echo '- [ ] task-2' | tee -a ${progress}` },
      { write: progress, text: "- [x] task-1\r\n- [/] task-2\r\n" },
      { write: progress, text: "\uFEFF- [x] task-1 größer 文件\n" },
      { write: progress, text: "" },
      {
        title: "an edit of a text that occurs several times",
        files: { [progress]: "- [ ] task-1\n- [ ] task-2\n" },
        write: progress,
        edit: { old: "[ ]", new: "[x]" },
      },
      {
        title: "an edit of several lines in a file with Windows line ends",
        files: { [progress]: "- [ ] task-1\r\n- [ ] task-2\r\n" },
        write: progress,
        edit: { old: "task-1\n- [ ] task-2", new: "task-1\n- [x] task-2" },
      },
      {
        title: "an edit that mends a bad file",
        files: { [progress]: "- [Z] task-1\n" },
        write: progress,
        edit: { old: "[Z]", new: "[x]" },
      },
      {
        title: "two edits that are fine together",
        files: { [progress]: "- [ ] task-1\n" },
        operations: [
          {
            do: "edit",
            path: progress,
            edits: [
              { old: "[ ]", new: "[Z]" },
              { old: "[Z]", new: "[x]" },
            ],
          },
        ],
      },
      {
        title: "an edit of one key of many",
        files: { [metadata]: sane },
        write: metadata,
        edit: { old: "iteration: 1", new: "iteration: 2" },
      },
      {
        title: "a piece of YAML that is none by itself",
        files: { [metadata]: sane },
        write: metadata,
        edit: { old: "  state: PLANNING", new: "  state: BATCHING" },
      },
      {
        title: "a file that is moved there and mended",
        files: { "draft.md": "- [Z] task-1\n" },
        patch: patch(
          "*** Update File: draft.md",
          `*** Move to: ${progress}`,
          "@@",
          "-- [Z] task-1",
          "+- [x] task-1",
        ),
      },
      {
        title: "a file that is moved away",
        files: { [progress]: "- [Z] task-1\n" },
        patch: patch(`*** Update File: ${progress}`, "*** Move to: old.md"),
      },
      { write: "progress.md.bak", text: "- [Z] task-1\n" },
      { write: "my-progress.md", text: "- [Z] task-1\n" },
      { write: "docs/metadata.yml", text: "iteration: two\n" },
      { write: "progress.md", text: "- [Z] task-1\n", ...onlySessions },
      { write: ".ralph-sessions-old/progress.md", text: "- [Z] task-1\n", ...onlySessions },
      {
        title: "a link loop beside it",
        links: { loop: "loop" },
        write: "loop/notes.md",
        text: "- [Z] task-1\n",
      },
      { read: progress },
      { delete: progress },
      { shell: `echo '- [x] task-1' > ${progress}` },
      {
        files: { [progress]: "- [ ] task-1\n" },
        shell: `sed -i 's/\\[ \\] task-1$/[\\/] task-1/' ${progress}`,
      },
      { files: { [metadata]: sane }, shell: `sed -i '/state:/s/PLANNING/BATCHING/' ${metadata}` },
      { write: metadata, text: sane.replace("PLANNING", "ITERATION_REVIEW"), options: { profile: "later" } },
      { write: metadata, text: `${sane}started_at: 2026-02-15\nfinished_at: null\n` },
    ],
  });
});
