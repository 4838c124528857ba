/** The points of Copilot's life cycle that Ralph's hooks are about. */
const events = [
  "sessionStart",
  "userPromptSubmitted",
  "preToolUse",
  "postToolUse",
  "postToolUseFailure",
  "errorOccurred",
  "subagentStart",
  "subagentStop",
] as const;

/**
 * A `.github/hooks/*.json` that calls an executable at each of them: Bash for Linux, macOS and WSL, PowerShell for Windows. Where a
 * call can still be stopped, a guard that cannot even start stops it.
 */
export function hookManifest(executable: string): string {
  const hooks = Object.fromEntries(
    events.map((event) => [
      event,
      [
        {
          type: "command",
          bash: `${bashQuoted(executable)} run --host copilot --event ${event}${event === "preToolUse" ? " || exit 2" : ""}`,
          powershell: `& ${powershellQuoted(executable)} run --host copilot --event ${event}${event === "preToolUse" ? "; if ($LASTEXITCODE) { exit 2 }" : ""}`,
          timeoutSec: 10,
        },
      ],
    ]),
  );
  return `${JSON.stringify({ version: 1, hooks }, null, 2)}\n`;
}

const bashQuoted = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const powershellQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
