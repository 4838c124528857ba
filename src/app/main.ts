import { run, type RunOptions } from "./run.ts";

// Agents spawn `hookline run` at every tool call: it is dispatched by hand, everything else is loaded when wanted.
const [command, ...rest] = process.argv.slice(2);
const hook = command === "run" ? hookOptions(rest) : undefined;
const code = hook ? await run(hook) : await (await import("./cli/_cli.ts")).cli(process.argv.slice(2));
// Less than nothing: a hook's script has been started, and ends by itself.
if (code >= 0) process.exit(code);

/** Options of hook mode, or nothing when the arguments want the full command line, for example `--help`. */
function hookOptions(args: readonly string[]): RunOptions | undefined {
  const options: Record<string, string | boolean> = {};
  for (let at = 0; at < args.length; at++) {
    const [name, inline] = (args[at] ?? "").split(/=(.*)/s);
    if (name === "--verbose") options["verbose"] = true;
    else if (name === "--host" || name === "--event") {
      const value = inline ?? args[++at];
      if (value === undefined) return undefined;
      options[name.slice(2)] = value;
    } else if (name === "--help" || name === "-h" || name === "--as") return undefined;
    // A flag of another version must not leave the agent without an answer.
    else console.error(`hookline run: ignored unknown argument "${args[at]}"`);
  }
  return options;
}
