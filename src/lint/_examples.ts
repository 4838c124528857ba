/** Files for the examples of lints. */
export type Files = Readonly<Record<string, string>>;

interface Entry {
  readonly event?: string;
  readonly matcher?: string | null;
  readonly timeout?: number | null;
}

/** The `hooks.json` of a plugin with one command; the hook stands in line 7. */
export const plugin = (command: string, entry: Entry = {}): Files => ({
  "plugins/p/hooks/hooks.json": hooksJson({ type: "command", command, ...timeoutOf(entry) }, entry),
});

/** The same, with the script it runs. */
export const pluginWith = (script: string, text: string, entry: Entry = {}): Files => ({
  ...plugin(`"\${CLAUDE_PLUGIN_ROOT}/scripts/${script}"`, entry),
  [`plugins/p/scripts/${script}`]: text,
});

function hooksJson(hook: object, { event = "PreToolUse", matcher = "Write" }: Entry = {}): string {
  const group = { ...(matcher === null ? {} : { matcher }), hooks: [hook] };
  return `${JSON.stringify({ hooks: { [event]: [group] } }, null, 2)}\n`;
}

const timeoutOf = ({ timeout = 10 }: Entry): object => (timeout === null ? {} : { timeout });

export const quote = (text: string): string => `"${text}"`;

/** The Harness's settings with one script. */
export const harness = (text: string, entry: object = {}, event = "PreToolUse"): Files => ({
  "settings.json": `${JSON.stringify({ hooks: { [event]: [{ path: "hooks/Guard.ts", timeout: 3000, ...entry }] } }, null, 2)}\n`,
  "hooks/Guard.ts": text,
});

/** A hook of the registry with its script. */
export const registry = (text: string, event = "PostAbilityCall"): Files => ({
  ".system/hooks/track.yaml": `id: track\nevent_type: ${event}\nenabled: true\nhandler:\n  kind: script\n  command: ./scripts/hooks/track.sh\n`,
  "scripts/hooks/track.sh": text,
});
