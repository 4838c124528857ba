/** What the command line of hook mode says. */
export interface HookOptions {
  readonly host?: string;
  readonly event?: string;
  readonly verbose?: boolean;
  /** A server shall answer the next call. */
  readonly warm?: boolean;
}

/** Options of hook mode, or nothing when the arguments want the full command line, for example `--help`. */
export function hookOptions(
  args: readonly string[],
  complain: (line: string) => void = console.error,
): HookOptions | undefined {
  const options: Record<string, string | boolean> = {};
  for (let at = 0; at < args.length; at++) {
    const [name, inline] = (args[at] ?? "").split(/=(.*)/s);
    if (name === "--verbose" || name === "--warm") options[name.slice(2)] = true;
    else if (name === "--host" || name === "--event") {
      const value = inline ?? args[++at];
      if (value === undefined) return undefined;
      options[name.slice(2)] = value;
    } else if (name === "--help" || name === "-h" || name === "--as") return undefined;
    // A flag of another version must not leave the agent without an answer.
    else complain(`hookline run: ignored unknown argument "${args[at]}"`);
  }
  return options;
}
