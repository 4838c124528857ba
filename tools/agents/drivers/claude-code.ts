import { defineAgent } from "../agent.ts";
import { anthropic } from "../wires/anthropic.ts";

// The platform's own package: the program is in it, and it needs no particular Node.
const program = "@anthropic-ai/claude-code-linux-x64";

export default defineAgent({
  id: "claude-code",
  packages: { [program]: "2.1.325" },
  wire: anthropic,
  calls: {
    shell: (command) => ({ name: "Bash", input: { command, description: "As told" } }),
    write: (path, text) => ({ name: "Write", input: { file_path: path, content: text } }),
    delegate: (task) => ({
      name: "Agent",
      input: {
        description: "A part of it",
        prompt: task,
        subagent_type: "general-purpose",
        run_in_background: false,
      },
    }),
  },
  // What it has asked before, so that a session in a terminal begins at once.
  files: ({ root, home }) => ({
    [`${home}/.claude.json`]: JSON.stringify({
      hasCompletedOnboarding: true,
      customApiKeyResponses: { approved: ["a-dummy"] },
      projects: { [root]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
    }),
  }),
  switches: ({ root, home }) => ({
    [`${root}/.claude/settings.local.json`]: '{"disableAllHooks": true}\n',
    [`${home}/.claude/settings.json`]: '{"disableAllHooks": true}\n',
  }),
  command: ({ modules }, prompt) => [
    `${modules}/${program}/claude`,
    ..."-p --output-format stream-json --verbose --dangerously-skip-permissions".split(" "),
    prompt,
  ],
  env: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "a-dummy",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // Its word for a machine that is thrown away: root may then skip its questions.
    IS_SANDBOX: "1",
  }),
});
