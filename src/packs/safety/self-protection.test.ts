import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ruleTester } from "../../testing/rule-tester.ts";

const settings = { ".claude/settings.json": "{}" };
const policy = { "hookline.yaml": "extends: recommended\n" };
const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

/** As on machines where `/home` leads to another disk. */
function homeByLink(workspace: string): void {
  const at = (name: string): string => join(workspace, "..", name);
  renameSync(at("home"), at("disk"));
  symlinkSync("disk", at("home"));
  for (const folder of [".claude", ".config/hookline"]) mkdirSync(at(`disk/${folder}`), { recursive: true });
  writeFileSync(at("disk/.claude/settings.json"), "{}");
  writeFileSync(at("disk/.config/hookline/hookline.yaml"), "");
}

ruleTester("safety/self-protection", {
  catches: [
    {
      write: ".CLAUDE/Settings.json",
      text: "{}",
      message: "edits",
      data: { what: "an agent's hook settings" },
    },
    { write: "HookLine.YAML", text: "", message: "edits", data: { what: "the policy" } },
    {
      write: ".Hookline/rules/mine.ts",
      text: "",
      message: "edits",
      data: { what: "the ledger and the rules" },
    },
    { write: "./src/../hookline.yaml", text: "" },
    { write: ".claude/settings.json/", text: "{}" },
    { cwd: "packages/app", write: "../../hookline.yaml", text: "" },
    { write: "файлы/größe/.cursor/hooks.json", text: "{}" },
    { write: ".github/hooks", text: "" },
    { write: ".config/opencode/plugin/x.ts", text: "" },
    {
      write: "/etc/claude-code/managed-settings.json",
      text: "{}",
      data: { what: "an agent's managed settings" },
    },
    { write: "/etc/hookline/hookline.yaml", text: "", data: { what: "the guard's own policy and records" } },
    { write: "~/.config/hookline/hookline.yaml", text: "" },
    { write: "~/.local/state/hookline/ledgers/x/current.jsonl", text: "" },
    {
      title: "the executable",
      operations: [{ do: "write", path: process.execPath, text: "" }],
      data: { what: "the guard's executable" },
    },
    { event: "PermissionRequest", write: "hookline.yaml", text: "mode: observe\n" },
    { files: policy, write: "hookline.yaml", edit: { old: "recommended", new: "[]" } },
    {
      title: "an edit of two places",
      files: policy,
      operations: [
        {
          do: "edit",
          path: "hookline.yaml",
          edits: [
            { old: "e", new: "f", all: true },
            { old: "x", new: "y" },
          ],
        },
      ],
    },

    {
      title: "a link to the policy",
      files: policy,
      links: { "notes.md": "hookline.yaml" },
      write: "notes.md",
      text: "",
    },
    {
      title: "a dangling link to settings",
      links: { "notes.md": ".claude/settings.local.json" },
      write: "notes.md",
      text: "",
    },
    {
      title: "a policy that is a link, by its real name",
      files: { "config/policy.yaml": "" },
      links: { "hookline.yaml": "config/policy.yaml" },
      write: "config/policy.yaml",
      text: "",
      data: { what: "the policy" },
    },
    {
      title: "state that is a link, by its real name",
      files: { "state/ledger/x": "" },
      links: { ".hookline": "state" },
      delete: "state/ledger",
      data: { what: "the ledger and the rules" },
    },
    {
      title: "`..` behind a link into the settings' folder",
      files: { ".claude/commands/x.md": "" },
      links: { c: ".claude/commands" },
      write: "c/../settings.json",
      text: "{}",
    },
    {
      title: "a link loop in place of the policy",
      links: { "hookline.yaml": "hookline.yaml" },
      write: "hookline.yaml",
      text: "",
      message: "edits",
    },
    {
      title: "a folder in which settings cannot be looked at",
      links: { ".claude": ".claude" },
      delete: ".",
      fails: "crash",
    },
    {
      title: "the real name of a home that is a link",
      prepare: homeByLink,
      write: "../disk/.config/hookline/hookline.yaml",
      text: "",
    },
    {
      title: "settings in a home that is a link",
      prepare: homeByLink,
      delete: "~/.claude",
      message: "removes",
    },

    { files: policy, delete: ".", message: "removes", data: { path: ".", what: "the policy" } },
    { files: policy, delete: "../workspace/", message: "removes" },
    { files: settings, delete: "..", message: "removes" },
    { files: { "~/.cursor/hooks.json": "{}" }, delete: "~/.cursor", message: "removes" },
    { files: { "~/.config/hookline/hookline.yaml": "" }, delete: "~/.config", message: "removes" },

    {
      title: "two of three files of a patch",
      count: 2,
      patch: patch(
        "*** Add File: a.ts",
        "+x",
        "*** Update File: .claude/settings.json",
        "@@",
        "-x",
        "+y",
        "*** Delete File: hookline.yaml",
      ),
    },
    {
      title: "a move onto settings",
      patch: patch("*** Update File: a.json", "*** Move to: .gemini/settings.json", "@@", "-x", "+y"),
    },
    {
      title: "a move of the policy",
      data: { path: "hookline.yaml" },
      patch: patch("*** Update File: hookline.yaml", "*** Move to: old.yaml", "@@", "-x", "+y"),
    },

    { shell: "> hookline.yaml" },
    { shell: ": > hookline.yaml" },
    {
      shell: "echo x >> hookline.yaml",
      message: "edits",
      data: { path: "hookline.yaml", what: "the policy" },
    },
    { shell: "{ echo a; echo b; } > hookline.yaml" },
    { shell: "for f in a b; do echo $f; done >> hookline.yaml" },
    { shell: "cat > .claude/settings.json <<'EOF'\n{}\nEOF" },
    { shell: "exec 3> hookline.yaml" },
    { shell: "cat a 2> hookline.yaml" },
    { shell: "cat a &> hookline.yaml" },
    { shell: "tee -a hookline.yaml < x" },
    { shell: "cp x .claude/settings.json" },
    { shell: "ln -sf x hookline.yaml" },
    { shell: "dd if=x of=hookline.yaml" },
    { shell: "curl -o .claude/settings.json https://example.com/x" },
    { shell: "curl --output=.claude/settings.json https://example.com/x" },
    { shell: "truncate -s 0 hookline.yaml" },
    { shell: "vim hookline.yaml" },
    { shell: "git checkout HEAD~1 -- hookline.yaml" },
    { shell: "git rm --cached .claude/settings.json" },
    { shell: "cat hookline.yaml | tee hookline.yaml" },
    { shell: "true && (cd .claude && echo '{}' > settings.json)" },
    { shell: "pushd .claude; rm settings.json" },
    { cwd: ".claude", shell: "touch settings.json" },
    { shell: 'rm hook"line".yaml' },
    { shell: "rm hook\\line.yaml" },
    { shell: "sudo rm hookline.yaml" },
    { shell: "sudo -u me env A=1 rm hookline.yaml" },
    { shell: "echo $(rm hookline.yaml)" },
    { shell: "eval 'rm hookline.yaml'" },
    { shell: "sh -ec \"bash -c 'rm hookline.yaml'\"" },
    { shell: "find . -name hookline.yaml -exec rm {} +" },
    { shell: "rm ~/.claude/settings.json" },
    { shell: 'rm "$HOME/.claude/settings.json"' },
    { files: policy, shell: "rm -rf *", message: "removes" },
    { files: policy, shell: "rm hookline.yam?", message: "removes" },
    { files: settings, shell: "rm -rf .claude/*", message: "removes" },
    { files: settings, shell: "mv .claude backup", message: "removes" },
    { files: settings, shell: "rm -rf ../workspace", message: "removes" },
    { shell: "node -e \"require('fs').unlinkSync('hookline.yaml')\"" },
    { shell: "perl -pi -e s/block/off/ hookline.yaml" },
    {
      title: "a program an interpreter reads from a here-document",
      shell: "python3 - <<'EOF'\nopen('hookline.yaml', 'w').write('')\nEOF",
    },
    { title: "a program piped into a shell", shell: "echo 'rm hookline.yaml' | sh" },
    { title: "a program a shell reads from a here-document", shell: "bash <<'EOF'\nrm hookline.yaml\nEOF" },
    {
      title: "a command that cannot be parsed",
      shell: "if rm hookline.yaml; then",
      message: "unclear",
      outcome: "ask",
    },
    {
      title: "another shell's language",
      operations: [{ do: "exec", command: "Remove-Item .claude\\settings.json", shell: "powershell" }],
      message: "unclear",
      outcome: "ask",
    },
    {
      title: "a command that is too long to parse",
      shell: `echo ${"x".repeat(70_000)}; rm hookline.yaml`,
      message: "unclear",
    },

    { write: ".hookline/ledger/current.jsonl", text: "", options: { allow: ["hookline.yaml"] } },
    { write: "hookline.yaml.d/../hookline.yaml", text: "", options: { allow: ["hookline.yaml.d"] } },
    { shell: "rm .claude/settings.json", options: { allow: [".claude/settings.local.json"] } },
  ],
  allows: [
    { write: "hookline.yaml.bak", text: "" },
    { write: "packages/app/hookline.yaml", text: "" },
    { write: ".hookline-notes/x.md", text: "" },
    { write: ".claude/settings.json.md", text: "" },
    { write: ".claude/agents/reviewer.md", text: "" },
    { write: ".github/workflows/ci.yml", text: "" },
    { write: "docs/.claude/settings.json/notes.md", text: "" },
    { write: "src/hookline/index.ts", text: "" },
    { write: "/etc/hosts", text: "" },
    { delete: ".claude/commands" },
    { delete: "." },
    { files: settings, delete: "src" },
    { title: "a link loop", links: { loop: "loop" }, write: "loop/x", text: "" },
    {
      title: "a link away from the settings' folder",
      files: { "lib/x": "" },
      links: { ".claude/lib": "../lib" },
      write: ".claude/lib/settings.json",
      text: "",
    },
    {
      title: "a patch beside the policy",
      patch: patch("*** Update File: hookline.yml", "*** Move to: docs/hookline.yaml", "@@", "-x", "+y"),
    },
    { event: "PostToolUse", write: "hookline.yaml", text: "" },
    { shell: "ls -la .claude ~/.claude" },
    { shell: "grep -rn hooks .claude/ hookline.yaml" },
    { shell: "cat hookline.yaml > copy.yaml" },
    { shell: "git add .claude/settings.json hookline.yaml && git commit -m 'chore: hookline.yaml'" },
    { shell: "git log -p -- hookline.yaml" },
    { shell: "hookline explain < payload.json" },
    { shell: "npm test > hookline.log 2>&1" },
    { shell: "echo 'rm hookline.yaml'" },
    { shell: "cd .claude; cd ..; rm settings.json" },
    { shell: "find . -name '*.ts' -newer hookline.yaml" },
    { shell: 'python3 -c "print(1)"' },
    { shell: "cat hookline.yaml | python3 -m json.tool" },
    { shell: "bash -c 'cat hookline.yaml'" },
    { shell: "node --version; cat hookline.yaml" },
    {
      title: "a here-document that only talks of the policy",
      shell: "cat > notes.md <<'EOF'\nSee hookline.yaml.\nEOF",
    },
    { files: policy, shell: "rm -rf node_modules/* dist" },
    { files: settings, shell: "mv src/a.ts src/b.ts" },
    { cwd: "packages/app", shell: "rm hookline.yaml" },
    {
      files: settings,
      write: ".claude/settings.json",
      text: "{}",
      options: { allow: [".claude/settings.json"] },
    },
    { shell: "sed -i s/a/b/ hookline.yaml", options: { allow: ["./hookline.yaml"] } },
  ],
});
