import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ruleTester } from "../../testing/rule-tester.ts";

const git = (cwd: string, ...args: string[]): void => {
  // The user's own git configuration must not decide what a test sees.
  const env = { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
    cwd,
    env,
    stdio: "pipe",
  });
};

function repository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet");
  git(folder, "commit", "--quiet", "--allow-empty", "--message=start");
}

/** The workspace is a repository with a linked worktree beside it. */
function withWorktree(workspace: string): void {
  repository(workspace);
  git(workspace, "worktree", "add", "--quiet", "../tree");
}

/** A folder that says it is a worktree of the workspace, though the repository knows nothing of it. */
function withForgedWorktree(workspace: string): void {
  withWorktree(workspace);
  mkdirSync(join(workspace, "../forged"));
  writeFileSync(join(workspace, "../forged/.git"), `gitdir: ${workspace}/.git/worktrees/tree\n`);
}

function withForeignWorktree(workspace: string): void {
  repository(workspace);
  repository(join(workspace, "../other"));
  git(join(workspace, "../other"), "worktree", "add", "--quiet", "../tree");
}

const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

ruleTester("safety/workspace-boundary", {
  catches: [
    { shell: "echo x > /etc/hosts", message: "outside" },
    { shell: "cd .. && touch neighbour", message: "outside" },
    // Whatever fits the pattern now is in what is said of the pattern.
    { shell: "touch /etc/*.conf", message: "outside", count: 1, data: { path: "/etc/*.conf" } },
    { shell: "touch /etc/*.conf /etc/hosts", message: "outside", count: 2 },
    { links: { "!a.conf": "/etc/hosts" }, shell: "touch !*.conf", message: "outside", count: 1 },
    { links: { "a.conf": "/etc/hosts" }, shell: "touch *.conf", message: "outside", count: 1 },
    { shell: "cp a.txt ~/b.txt", message: "outside" },
    {
      write: "../workspace-evil/a.ts",
      text: "",
      message: "outside",
      data: { path: "../workspace-evil/a.ts", root: "<workspace>" },
    },
    { write: "..", text: "" },
    { delete: "../", message: "outside" },
    { delete: "/", message: "outside" },
    { write: "file:///etc/hosts", text: "" },
    { write: "file:///etc/%68osts", text: "" },
    { write: "../wörkspace/größe.md", text: "" },
    { write: "~/../x", text: "" },
    { cwd: "src", write: "../../x", text: "" },
    { event: "PermissionRequest", write: "../x", text: "", message: "outside" },
    {
      title: "one of three files of a patch, and a move out",
      count: 2,
      message: "outside",
      data: { path: "../out.ts" },
      patch: patch(
        "*** Add File: in.ts",
        "+x",
        "*** Add File: ../out.ts",
        "+x",
        "*** Update File: b.ts",
        "*** Move to: ../moved.ts",
        "@@",
        "-x",
        "+y",
      ),
    },
    {
      title: "a move from outside deletes there",
      message: "outside",
      data: { path: "../theirs.ts" },
      patch: patch("*** Update File: ../theirs.ts", "*** Move to: mine.ts", "@@", "-x", "+y"),
    },
    {
      title: "a patch without a readable heading",
      patch: "@@ nobody knows where\n-x\n+y",
      message: "unknown",
      outcome: "ask",
    },

    {
      title: "a linked directory",
      links: { lib: "../lib" },
      files: { "../lib/old.ts": "" },
      write: "lib/new/deep.ts",
      text: "",
    },
    { title: "a chain of links", links: { a: "b/c", "b/c": "../d", d: "../far" }, write: "a/x", text: "" },
    { title: "a dangling link to a folder", links: { d: "../nowhere/deep" }, write: "d/e/f.txt", text: "" },
    { title: "a link to the root", links: { all: "/" }, write: "all/etc/hosts", text: "" },
    { title: "a link loop", links: { loop: "loop" }, write: "loop/x", text: "", message: "unresolved" },
    {
      title: "two links that lead to each other",
      links: { a: "b", b: "a" },
      delete: "a",
      message: "unresolved",
    },
    { title: "a name no file system takes", write: "a\0b", text: "", message: "unresolved" },
    { title: "a name that is too long", write: `${"n".repeat(5000)}/x`, text: "", message: "unresolved" },
    // `path.resolve` says `workspace/y.txt`; the system opens `elsewhere/y.txt`.
    {
      title: "`..` behind a link that leads out",
      links: { in: "../elsewhere/deep" },
      files: { "../elsewhere/deep/x": "" },
      write: "in/../y.txt",
      text: "",
      message: "outside",
      count: 1,
    },
    {
      title: "`..` behind a link that stays in, towards a place outside",
      links: { in: "a/b/c" },
      files: { "a/b/c/x": "" },
      write: "in/../../x",
      text: "",
    },
    {
      title: "`..` from a working directory that is a link",
      links: { in: "../elsewhere/deep" },
      files: { "../elsewhere/deep/x": "" },
      cwd: "in",
      write: "../y.txt",
      text: "",
    },

    { delete: "/dev/null", message: "outside" },
    { title: "the temporary directory itself", delete: "/tmp", message: "outside" },
    {
      title: "the agent's settings, by way of its plans",
      write: "~/.claude/plans/../settings.json",
      text: "",
    },
    { write: "~/.claude/plans-evil/x.md", text: "" },
    {
      title: "plans that are a link to elsewhere",
      links: { "~/.claude/plans": "/etc" },
      write: "~/.claude/plans/hosts",
      text: "",
    },
    { write: "~/.claude/projects/a/b/memory/x.md", text: "" },
    { title: "an agent's folder that is not in the home", write: "../.claude/plans/x.md", text: "" },

    { write: "../common-evil/a.md", text: "", options: { allow: ["../common"] } },
    { write: "../common/../neighbour/a.md", text: "", options: { allow: ["../common"] } },
    {
      title: "a link out of an allowed folder",
      links: { "../common/out": "/etc" },
      write: "../common/out/hosts",
      text: "",
      options: { allow: ["../common"] },
    },
    { write: "~/notes/deep/a.md", text: "", options: { allow: ["~/notes/*.md"] } },
    { write: "../common/a.txt", text: "", options: { allow: ["../common/*.md"] } },

    {
      title: "a sibling of the worktree",
      prepare: withWorktree,
      cwd: "../tree",
      write: "../x",
      text: "",
      message: "outside",
    },
    {
      title: "the worktree, by an agent that is not in it",
      prepare: withWorktree,
      write: "../tree/a.ts",
      text: "",
      message: "outside",
    },
    {
      title: "a worktree the repository does not know",
      prepare: withForgedWorktree,
      cwd: "../forged",
      write: "a.ts",
      text: "",
      message: "outside",
    },
    {
      title: "a worktree of another repository",
      prepare: withForeignWorktree,
      cwd: "../tree",
      write: "a.ts",
      text: "",
      message: "outside",
    },
    {
      title: "the main checkout, from a worktree that is the workspace",
      prepare: withWorktree,
      root: "../tree",
      cwd: "../tree",
      write: "../workspace/a.ts",
      text: "",
    },
    ...(process.platform === "linux" ? [{ write: "../Workspace/a.ts", text: "" }] : []),
    { shell: "xargs -I{} cp {} ~/backup/ < files.txt" },
    { shell: "git config --file /etc/gitconfig user.name x" },
    { shell: "python3 -m zipfile -e x.zip ~/" },
    { shell: "vim -es +'wq! ~/copy.txt' a.txt" },
    { shell: "go build -o /usr/local/bin/tool ." },
    { shell: "script ~/session.log" },
    { shell: "pg_dump app -f /var/backups/app.sql" },
    { shell: "mysqldump app --result-file=/var/backups/a.sql" },
    { shell: "kubectl cp pod:/data /srv/data" },
    { shell: "xxd -r dump.hex /boot/x" },
    { shell: "docker exec api cat /x > ~/out.txt" },
    { shell: "python3 -c \"import os\nfor f in x(): os.remove('/etc/' + f)\"" },
    { shell: "git -C /srv/app stash" },
    { shell: "git -C /srv/app checkout main" },
  ],
  allows: [
    { write: ".", text: "" },
    { write: "src/", text: "" },
    { write: "src//./a.ts", text: "" },
    { write: "größe/naïve 文件.md", text: "" },
    { write: "..a/..b", text: "" },
    { write: "C:\\Windows\\x", text: "" },
    { write: "~other/x", text: "" },
    { files: { "a.txt": "" }, write: "a.txt/b", text: "" },
    { cwd: "src", write: "../README.md", text: "" },
    { title: "a link that stays inside", links: { lib: "packages/lib" }, write: "lib/new/a.ts", text: "" },
    {
      title: "a link out and back in",
      links: { out: "../around", "../around": "workspace/src" },
      write: "out/a.ts",
      text: "",
    },
    {
      title: "a workspace that goes by the name of a link",
      links: { "../alias": "workspace" },
      root: "../alias",
      cwd: "../alias",
      write: "a.ts",
      text: "",
    },
    {
      title: "a file of the real workspace, by its real name",
      links: { "../alias": "workspace" },
      root: "../alias",
      cwd: "../alias",
      write: "../workspace/a.ts",
      text: "",
    },
    { title: "`..` behind a folder", files: { "src/a.ts": "" }, write: "src/../b.ts", text: "" },
    {
      title: "a patch that moves inside",
      patch: patch(
        "*** Update File: a.ts",
        "*** Move to: deep/b.ts",
        "@@",
        "-x",
        "+y",
        "*** Delete File: c.ts",
      ),
    },
    { write: "/dev/fd/3", text: "" },
    { write: "/dev/tty", text: "" },
    { write: "~/.claude/projects/-home-me-app/memory/MEMORY.md", text: "" },
    { delete: "~/.copilot/session-state/old.json" },
    { shell: "echo x > /tmp/hookline-scratch" },
    { shell: "cat /etc/hosts > copy.txt 2>/dev/null" },
    { event: "PostToolUse", write: "../x", text: "" },
    { write: "../common/deep/a.md", text: "", options: { allow: ["../common/"] } },
    { write: "../common/a.md", text: "", options: { allow: ["../common/*.md"] } },
    { write: "/srv/shared/a/b.md", text: "", options: { allow: ["/srv/shared/**"] } },
    {
      title: "an allowed glob in a home that is a link",
      prepare: homeByLink,
      write: "~/notes/a.md",
      text: "",
      options: { allow: ["~/notes/*.md"] },
    },
    {
      title: "an allowed glob beside brackets",
      write: "../a[1]/b.md",
      text: "",
      options: { allow: ["../a[[]1]/*.md"] },
    },
    {
      title: "the worktree the agent works in",
      prepare: withWorktree,
      cwd: "../tree/deep",
      write: "../a.ts",
      text: "",
    },
    {
      title: "the main checkout, from its worktree",
      prepare: withWorktree,
      cwd: "../tree",
      write: "../workspace/a.ts",
      text: "",
    },
    { shell: "git config --file .gitmodules submodule.x.url y" },
    { shell: "xargs -I{} cp {} build/ < files.txt" },
    { shell: "python3 -m zipfile -e x.zip tmp/" },
    { shell: "go build -C cmd -o ../../bin/tool" },
    { shell: "pg_dump app -f /tmp/app.sql" },
    { shell: "kubectl cp ns/pod:/data ./data" },
    { shell: "xxd -r dump.hex out.bin" },
    { shell: "docker exec api cat /x > out.txt" },
    { shell: "git -C packages/a stash" },
    { shell: "git -C packages/a checkout main" },
  ],
});

function homeByLink(workspace: string): void {
  execFileSync("mv", ["home", "real-home"], { cwd: join(workspace, "..") });
  execFileSync("ln", ["-s", "real-home", "home"], { cwd: join(workspace, "..") });
}
