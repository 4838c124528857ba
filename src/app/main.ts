import { hookOptions } from "./hook-options.ts";
import { run } from "./run.ts";

// Agents spawn `hookline run` at every tool call: it is dispatched by hand, everything else is loaded when wanted.
const [command, ...rest] = process.argv.slice(2);
const hook = command === "run" ? hookOptions(rest) : undefined;
const code = hook ? await run(hook) : await (await import("./cli/_cli.ts")).cli(process.argv.slice(2));
if (hook?.warm) (await import("./warm/start.ts")).startServer(process.env);
// Less than nothing: a hook's script has been started, and ends by itself.
if (code >= 0) process.exit(code);
