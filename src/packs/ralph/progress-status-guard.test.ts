import { describe, expect, test } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";
import { statusesIn } from "../../workflow/ralph-progress.ts";
import { changesBetween } from "./_transitions.ts";

const progress = ".ralph-sessions/260215-173319/iterations/1/progress.md";
const before = (text: string) => ({ files: { [progress]: text }, write: progress });
const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const task = (status: string, id = "task-1") => `- [${status}] ${id}\n`;

describe("S0-R22 S0-R94..R96 no status but the six is written into progress.md", () => {
  ruleTester("ralph/progress-status-guard", {
    catches: [
      {
        write: progress,
        text: "# Progress\r\n- [✓] task-1 (completed)\r\n",
        message: "invalid",
        outcome: "block",
        data: { reason: "Invalid status '✓' for task-1. Use [x] for completed tasks." },
      },
      { write: "progress.md", text: task("👍🏽"), message: "invalid" },
      { write: "a/PROGRESS.md", text: task("Z"), message: "invalid" },
      { write: progress, text: task("✔️"), message: "invalid" },
      { write: progress, text: task(""), message: "invalid" },
      { write: progress, text: "* [Z] task-1\n", message: "invalid" },
      { event: "PermissionRequest", write: progress, text: task("-") },
      {
        title: "the first three of many are named",
        write: progress,
        text: ["a", "b", "d", "e", "g"].map((status, at) => task(status, `task-${at}`)).join(""),
        count: 1,
        data: {
          reason: `${[..."abd"]
            .map(
              (status, at) =>
                `Invalid status '${status}' for task-${at}. Allowed: [ ], [/], [P], [x], [F], [C].`,
            )
            .join(" ")} And 2 more.`,
        },
      },
      {
        title: "an edit of the sign alone",
        ...before(task("/")),
        edit: { old: "/", new: "✓" },
        message: "invalid",
      },
      {
        title: "an edit of a file with Windows line ends",
        ...before("- [x] task-1\r\n- [/] task-2\r\n"),
        edit: { old: "task-1\n- [/]", new: "task-1\n- [?]" },
        message: "invalid",
      },
      {
        title: "an edit that finds no place, by what it brings",
        ...before("# Progress\n"),
        edit: { old: "nowhere", new: task("Z") },
        message: "invalid",
      },
      {
        title: "a patch",
        files: { [progress]: `# P\n${task("/")}` },
        patch: patch(`*** Update File: ${progress}`, "@@", "-- [/] task-1", "+- [Q] task-1"),
        message: "invalid",
      },
      {
        title: "an inserted line",
        files: { [progress]: "# P\n" },
        operations: [{ do: "insert", path: progress, line: 1, text: "- [Z] task-1" }],
        message: "invalid",
      },
      {
        title: "a draft that becomes the file",
        files: { "draft.md": task("Z") },
        patch: patch("*** Update File: draft.md", `*** Move to: ${progress}`),
        message: "invalid",
      },
      { shell: `printf -- '- [%s] task-1\\n' Z > ${progress}`, message: "invalid" },
      { shell: `cat >> ${progress} <<'EOF'\n- [Q] task-2\nEOF`, message: "invalid" },
      { shell: `python3 -c "open('${progress}','w').write('- [Z] task-1')"`, message: "invalid" },
      {
        title: "a link to the file",
        files: { [progress]: "" },
        links: { "notes.md": progress },
        write: "notes.md",
        text: task("Z"),
        message: "invalid",
      },
      {
        title: "a link with the file's name",
        links: { "progress.md": "notes.txt" },
        write: "progress.md",
        text: task("Z"),
        message: "invalid",
      },
      {
        title: "a whole text for a link loop",
        links: { [progress]: "progress.md" },
        write: progress,
        text: task("Z"),
        message: "invalid",
      },
      {
        title: "a whole text that keeps a bad line",
        ...before(task("Z")),
        text: `${task("Z")}${task(" ", "task-2")}`,
        message: "invalid",
      },
      {
        title: "sed in place, by the status before and after",
        files: { [progress]: task(" ") },
        shell: `sed -i 's/\\[ \\] task-1/[x] task-1/' ${progress}`,
        message: "transition",
        outcome: "warn",
      },
      {
        title: "sed in place with a bad status",
        files: { [progress]: task(" ") },
        shell: `sed -E -i.bak 's/^(- \\[)[ \\/](\\] task-1)$/\\1~\\2/' ${progress}`,
        message: "invalid",
      },
      {
        title: "a command whose result nobody can tell is only warned of",
        files: { [progress]: task(" ") },
        shell: `sed -i 'N;s/x/y/' ${progress}`,
        message: "unknown",
        outcome: "warn",
      },
      {
        title: "S0-R98 an edit of a folder",
        files: { [`${progress}/x`]: "" },
        write: progress,
        edit: { old: "a", new: "b" },
        fails: "crash",
      },
      {
        title: "S0-R98 a good text for a link loop",
        links: { [progress]: "progress.md" },
        write: progress,
        text: task("x"),
        fails: "crash",
      },
    ],
    allows: [
      {
        title: "two steps in one command line",
        files: { [progress]: "- [ ] task-1\n" },
        shell: `sed -i 's/\\[ \\] task-1/[\\/] task-1/' ${progress} && sed -i 's/\\[\\/\\] task-1/[P] task-1/' ${progress}`,
      },
      { write: progress, text: [..." /PxFC"].map((status, at) => task(status, `task-${at}`)).join("") },
      {
        write: progress,
        text: "## Legend\r\n- `[✓]` nothing\r\n\r\n- [?] plan-init\r\n- [✓] All tests pass\r\n",
      },
      { write: progress, text: "see - [Z] task-1\n- task-1\n- [Z] a task-1\n" },
      { write: progress, text: "" },
      { write: "my-progress.md", text: task("Z") },
      { write: "progress.md.bak", text: task("Z") },
      { title: "a bad line that is mended", ...before(task("Z")), edit: { old: "[Z]", new: "[x]" } },
      {
        title: "a bad line that somebody else left",
        ...before(`${task("Z")}${task(" ", "task-2")}`),
        edit: { old: "- [ ] task-2", new: "- [/] task-2" },
      },
      { read: progress },
      { delete: progress },
      { shell: `grep '\\[Z\\] task-1' ${progress}` },
    ],
  });
});

describe("S0-R97 S0-C3 a step that skips another is warned of", () => {
  const step = (from: string, to: string) => ({
    title: `[${from}] to [${to}]`,
    ...before(`# Progress\n${task(from)}${task("x", "task-2")}`),
    edit: { old: task(from), new: task(to) },
  });
  const statuses = [..." /PxFC"];
  const valid = ["[ ] -> [/]", "[/] -> [P]", "[/] -> [F]", "[P] -> [x]", "[P] -> [/]"];
  const origin = ["[P] -> [F]", "[F] -> [/]", "[F] -> [ ]", "[ ] -> [C]"];
  const pairs = statuses.flatMap((from) =>
    statuses.filter((to) => to !== from).map((to) => [from, to] as const),
  );
  const isOf =
    (list: readonly string[]) =>
    ([from, to]: readonly [string, string]) =>
      list.includes(`[${from}] -> [${to}]`);
  const warned = { message: "transition", outcome: "warn", count: 1 } as const;
  const note = (steps: string) =>
    `Ralph's own workflow uses ${steps}: the option \`extra_transitions\` allows that, and is off by default.`;

  ruleTester("ralph/progress-status-guard", {
    catches: [
      ...pairs.filter((pair) => !isOf(valid)(pair)).map(([from, to]) => ({ ...step(from, to), ...warned })),
      {
        ...before(task(" ", "task-3")),
        text: task("x", "task-3"),
        ...warned,
        data: { reason: "Unexpected status transition for task-3: [ ] -> [x]. Expected after [ ]: [/]." },
      },
      {
        ...before(task("x", "task-3")),
        text: task("/", "task-3"),
        ...warned,
        data: {
          reason: "Unexpected status transition for task-3: [x] -> [/]. Expected after [x]: no other status.",
        },
      },
      {
        title: "the workflow's own steps, with a word about the option",
        ...before(`${task("P")}${task("F", "task-2")}`),
        text: `${task("F")}${task(" ", "task-2")}`,
        ...warned,
        data: {
          reason: `Unexpected status transition for task-1: [P] -> [F]. Expected after [P]: [x] or [/]. Unexpected status transition for task-2: [F] -> [ ]. Expected after [F]: no other status. ${note("[P] -> [F] and [F] -> [ ]")}`,
        },
      },
      {
        title: "one of them when another is allowed",
        ...before(`${task("P")}${task("F", "task-2")}`),
        text: `${task("F")}${task(" ", "task-2")}`,
        options: { extra_transitions: ["[P] -> [F]", "[F] -> [/]"] },
        ...warned,
        data: {
          reason: `Unexpected status transition for task-2: [F] -> [ ]. Expected after [F]: [/]. ${note("[F] -> [ ]")}`,
        },
      },
      {
        title: "a step that is nobody's, although all of the workflow's own are allowed",
        ...before(task("x")),
        text: task(" "),
        options: { extra_transitions: origin },
        ...warned,
        data: {
          reason: "Unexpected status transition for task-1: [x] -> [ ]. Expected after [x]: no other status.",
        },
      },
      {
        title: "more than five",
        ...before(Array.from({ length: 7 }, (_, at) => task(" ", `task-${at}`)).join("")),
        text: Array.from({ length: 7 }, (_, at) => task("x", `task-${at}`)).join(""),
        ...warned,
      },
      {
        title: "by a patch",
        files: { [progress]: task(" ") },
        patch: patch(`*** Update File: ${progress}`, "@@", "-- [ ] task-1", "+- [P] task-1"),
        ...warned,
      },
      {
        title: "by a redirection",
        files: { [progress]: task(" ") },
        shell: `echo '- [x] task-1' > ${progress}`,
        ...warned,
      },
      {
        title: "by a line below the old one",
        files: { [progress]: task(" ") },
        shell: `echo '- [x] task-1' >> ${progress}`,
        ...warned,
      },
      {
        title: "of the open one of two lines",
        ...before(`${task("F")}${task(" ")}`),
        text: `${task("F")}${task("P")}`,
        ...warned,
      },
    ],
    allows: [
      ...pairs.filter(isOf(valid)).map(([from, to]) => step(from, to)),
      ...pairs.filter(isOf(origin)).map(([from, to]) => ({
        ...step(from, to),
        title: `[${from}] to [${to}] when allowed`,
        options: { extra_transitions: origin },
      })),
      { title: "a new task, done", ...before(task(" ")), text: `${task(" ")}${task("x", "task-2")}` },
      { title: "a task that goes", ...before(`${task(" ")}${task("/", "task-2")}`), text: task(" ") },
      { title: "a task with another id", ...before(task(" ")), text: task("x", "task-1a") },
      {
        title: "another order",
        ...before(`${task(" ")}${task("x", "task-2")}`),
        text: `${task("x", "task-2")}${task(" ")}`,
      },
      {
        title: "another text behind the id",
        ...before(task("/")),
        text: "- [/] task-1 (Attempt 2, Iteration 1)\r\n",
      },
      {
        title: "a fresh line above a failed attempt",
        ...before(task("F")),
        text: `${task(" ")}${task("F")}`,
      },
      {
        title: "the fresh one of two lines",
        ...before(`${task("F")}${task(" ")}`),
        text: `${task("F")}${task("/")}`,
      },
      { title: "a status that was none", ...before(task("Z")), text: task("x") },
      { title: "a first file", write: progress, text: task("x") },
    ],
  });
});

test("lines of one task are matched in a moment, however many there are", () => {
  const lines = (count: number, status: string) => statusesIn(task(status).repeat(count));
  expect(changesBetween(lines(100_000, " "), lines(100_000, "/"))).toHaveLength(100_000);
});
