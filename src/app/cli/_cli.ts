import { nearest } from "../../core/nearest.ts";
import { errorCode } from "../../platform/files.ts";
import { compileOften } from "../../platform/jit.ts";
import { version } from "../../platform/version.ts";
import { readArguments, UsageError, type Command } from "./_command.ts";
import { commandHelp, generalHelp } from "./_help.ts";
import { commands } from "./index.generated.ts";

/** Everything but hook mode. Exit 0 fine, 1 findings, 2 usage or configuration, 3 our bug. */
export async function cli(args: readonly string[]): Promise<number> {
  compileOften();
  try {
    return await dispatch(args);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`hookline: ${error.message}`);
      return 2;
    }
    if (isOfTheSystem(error)) {
      console.error(`hookline: ${error.message}`);
      return 2;
    }
    console.error("hookline: this is a bug of ours; please report it with the text below.");
    console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 3;
  }
}

/** A file that may not be read, a disk that is full: what the system says is what there is to say. */
const isOfTheSystem = (error: unknown): error is Error =>
  error instanceof Error && "syscall" in error && /^E[A-Z0-9]+$/.test(errorCode(error));

async function dispatch(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v" || name === "version") {
    console.log(version);
    return 0;
  }
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const about = name === "help" ? rest[0] : undefined;
    console.log(about === undefined ? await generalHelp() : commandHelp(about, await load(about)));
    return name === undefined ? 2 : 0;
  }
  const command = await load(name);
  const own = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : undefined);
  if (!command.hidden && (own.includes("--help") || own.includes("-h"))) {
    console.log(commandHelp(name, command));
    return 0;
  }
  return command.run(command.hidden ? { words: rest, flags: {} } : readArguments(name, command, rest));
}

async function load(name: string): Promise<Command> {
  const find = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (find) return (await find()).default;
  const near = nearest(name, Object.keys(commands));
  throw new UsageError(
    `unknown command "${name}"${near === undefined ? "" : `; did you mean "${near}"?`} (hookline --help)`,
  );
}
