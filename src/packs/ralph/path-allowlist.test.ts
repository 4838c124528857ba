import { describe } from "bun:test";
import { ruleTester } from "../../testing/rule-tester.ts";

const id = "260215-173319";
const other = "260216-000000";
const own = `.ralph-sessions/${id}`;
const active = { ".ralph-sessions/.active-session": id };
const bound = { ".ralph-sessions/.hook-bindings/host-1.json": JSON.stringify({ ralph_session_id: id }) };
const mayEdit = (...entries: string[]) => ({
  ...active,
  [`${own}.instructions.md`]: [
    "# Session",
    "## Target Files",
    ...entries.map((entry) => `- ${entry}`),
    "## Agent Skills",
    "- src",
  ].join("\n"),
});
const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

describe("S0-R15 S0-C8 edits stay in the session's own files unless its Target Files or the policy allow more", () => {
  ruleTester("ralph/path-allowlist", {
    catches: [
      { title: "a shell redirection", files: active, shell: "echo x > src/app.ts", message: "refused" },
      { title: "sed in place", files: active, shell: "sed -i s/a/b/ src/app.ts", message: "refused" },
      {
        title: "source, the session known by the marker",
        files: active,
        write: "src/app.ts",
        text: "",
        message: "refused",
        data: { reason: `Path is not in the allowlist of session ${id}` },
      },
      {
        title: "source, the session known by its binding",
        session: "host-1",
        files: bound,
        write: "src/app.ts",
        text: "",
        message: "refused",
      },
      {
        title: "the marker's session, which is not the bound one",
        session: "host-1",
        files: { ...bound, ".ralph-sessions/.active-session": other },
        write: `.ralph-sessions/${other}/plan.md`,
        text: "",
      },
      {
        title: "source, the session known as the only one",
        files: { [`${own}/x`]: "" },
        write: "src/app.ts",
        text: "",
      },
      {
        title: "source, half a binding beside the marker",
        session: "host-1",
        files: { ...active, ".ralph-sessions/.hook-bindings/host-1.json": "{" },
        write: "src/app.ts",
        text: "",
      },
      {
        title: "source, a host session that is no file name",
        session: "../../host-1",
        files: active,
        write: "src/app.ts",
        text: "",
      },
      {
        title: "anything of a session with a bad name",
        files: { ".ralph-sessions/.active-session": "my-session" },
        write: ".ralph-sessions/my-session/plan.md",
        text: "",
      },
      { event: "PermissionRequest", files: active, write: "src/app.ts", text: "" },
      {
        title: "an edit",
        files: { ...active, "src/app.ts": "a" },
        write: "src/app.ts",
        edit: { old: "a", new: "b" },
      },

      { files: active, write: `${own}-evil/x`, text: "" },
      { files: active, write: `${own}.instructions.md.bak`, text: "" },
      { files: active, write: "agents/ralph-v2-evil/x.md", text: "" },
      { files: active, write: "agents/ralph-v2/../other.md", text: "" },
      { files: active, write: `${own}/../${other}/plan.md`, text: "" },
      {
        files: active,
        write: "~/notes.md",
        text: "",
        data: { reason: "Path resolves outside workspace root after normalization" },
      },
      { files: active, delete: own },
      { files: active, delete: ".ralph-sessions/" },
      { files: active, delete: ".ralph-sessions/.active-session" },
      { files: active, delete: "." },
      {
        title: "a link out of the session",
        files: active,
        links: { [`${own}/out`]: "../../src" },
        write: `${own}/out/app.ts`,
        text: "",
      },
      {
        title: "a link out of the workspace",
        files: active,
        links: { [`${own}/out`]: "/etc" },
        write: `${own}/out/hosts`,
        text: "",
      },
      {
        title: "a dangling link",
        files: active,
        links: { [`${own}/later.md`]: "../../src/later.md" },
        write: `${own}/later.md`,
        text: "",
      },
      {
        title: "`..` behind a link out of the session",
        files: { ...active, "src/deep/x": "" },
        links: { [`${own}/out`]: "../../src/deep" },
        write: `${own}/out/../app.ts`,
        text: "",
      },
      {
        title: "a link loop",
        files: active,
        links: { [`${own}/loop`]: "loop" },
        write: `${own}/loop/x`,
        text: "",
        fails: "crash",
      },
      {
        title: "a link loop in place of the sessions",
        links: { ".ralph-sessions": ".ralph-sessions" },
        write: "src/app.ts",
        text: "",
        fails: "crash",
      },
      ...(process.platform === "linux" ? [{ files: active, write: "Agents/Ralph-V2/x.md", text: "" }] : []),

      {
        title: "two of three files of a patch",
        files: active,
        count: 2,
        patch: patch(
          `*** Add File: ${own}/a.md`,
          "+x",
          "*** Add File: src/a.ts",
          "+x",
          "*** Delete File: README.md",
        ),
      },
      {
        title: "a move out of the session",
        files: active,
        count: 1,
        data: { path: "src/a.ts" },
        patch: patch(`*** Update File: ${own}/a.ts`, "*** Move to: src/a.ts", "@@", "-x", "+y"),
      },
      { title: "a patch without a readable heading", files: active, patch: "@@\n-x\n+y", message: "unknown" },

      {
        title: "a longer name than the target file's",
        files: mayEdit("`src/app.ts`"),
        write: "src/app.tsx",
        text: "",
      },
      { title: "what stands below another heading", files: mayEdit("`docs`"), write: "src/app.ts", text: "" },
      {
        title: "a target file outside the workspace",
        files: mayEdit("../other/x.ts"),
        write: "../other/x.ts",
        text: "",
      },
      {
        title: "a link out of a target folder",
        files: mayEdit("docs/"),
        links: { "docs/src": "../src" },
        write: "docs/src/app.ts",
        text: "",
      },
      {
        title: "deeper than the target glob",
        files: mayEdit("src/*.ts"),
        write: "src/deep/app.ts",
        text: "",
      },
      { files: active, write: "docs/a.md", text: "", options: { allow: ["doc"] } },
    ],
    allows: [
      {
        title: "everything, when two sessions are there and none is known",
        files: { [`${own}/x`]: "", [`.ralph-sessions/${other}/x`]: "" },
        write: "src/app.ts",
        text: "",
      },
      {
        title: "everything, when the binding is another's",
        session: "host-2",
        files: bound,
        write: "src/app.ts",
        text: "",
      },
      {
        title: "everything, when the marker is empty",
        files: { ".ralph-sessions/.active-session": " \n" },
        write: "src/app.ts",
        text: "",
      },
      {
        title: "the bound session, not the marker's",
        session: "host-1",
        files: { ...bound, ".ralph-sessions/.active-session": other },
        write: `${own}/plan.md`,
        text: "",
      },
      {
        title: "the only session's own files",
        files: { [`${own}/x`]: "" },
        write: `${own}/plan.md`,
        text: "",
      },
      {
        title: "a folder that does not exist yet",
        files: active,
        write: `${own}/iterations/7/größe/文件.md`,
        text: "",
      },
      {
        title: "a path given from elsewhere",
        files: active,
        cwd: "src/deep",
        write: `../../${own}/plan.md`,
        text: "",
      },
      { title: "a trailing slash", files: active, write: `${own}/iterations/`, text: "" },
      { title: "deleting in the session", files: active, delete: `${own}/iterations/1` },
      {
        title: "a link inside the session",
        files: active,
        links: { [`${own}/latest`]: "iterations/1" },
        write: `${own}/latest/plan.md`,
        text: "",
      },
      {
        title: "a marker with Windows line ends",
        files: { ".ralph-sessions/.active-session": `${id}\r\n` },
        write: `${own}/plan.md`,
        text: "",
      },
      {
        title: "a patch that stays in the session",
        files: active,
        patch: patch(
          `*** Update File: ${own}/a.md`,
          `*** Move to: ${own}/b.md`,
          "@@",
          "-x",
          "+y",
          "*** Add File: agents/ralph-v2/c.md",
          "+x",
        ),
      },
      { title: "a target folder", files: mayEdit("src/"), write: "src/deep/app.ts", text: "" },
      { title: "a target glob", files: mayEdit("`src/**/*.ts`"), write: "src/deep/app.ts", text: "" },
      {
        title: "a target file with an unusual name",
        files: mayEdit("`src/größe.ts`"),
        write: "src/größe.ts",
        text: "",
      },
      {
        title: "a target file in instructions with Windows line ends",
        files: {
          ...active,
          [`${own}.instructions.md`]: "## Target Files\r\n- `src/app.ts`\r\n\r\n## Next\r\n",
        },
        write: "src/app.ts",
        text: "",
      },
      { files: active, write: "docs/deep/a.md", text: "", options: { allow: ["docs"] } },
      { files: active, write: "notes.md", text: "", options: { allow: ["*.md"] } },
    ],
  });
});
