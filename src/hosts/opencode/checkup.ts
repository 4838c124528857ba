import { defineCheckup, objectIn } from "../../core/checkup.ts";

export default defineCheckup({
  canary: {
    event: "tool.execute.before",
    payload: (command, cwd) => ({
      hook: "tool.execute.before",
      directory: cwd,
      worktree: cwd,
      sessionID: "hookline-canary",
      tool: "bash",
      callID: "hookline_canary",
      args: { command, description: "canary" },
    }),
    // The plugin file throws when it is told to, and for anything that is no answer.
    refuses: ({ exitCode, stdout }) => exitCode !== 0 || objectIn(stdout)["decision"] !== "go",
  },
  switchedOff({ machine: { env } }, installed) {
    const names = [
      "OPENCODE_PURE",
      ...(installed.some(({ scope }) => scope === "repo") ? ["OPENCODE_DISABLE_PROJECT_CONFIG"] : []),
    ];
    return names
      .filter((name) => env(name))
      .map((name) => ({
        text: `${name} is set, and OpenCode loads no plugin file of ours`,
        instead: "Unset it.",
      }));
  },
});
