import { commandLines, lineFor } from "../../core/command-lines.ts";
import type { ConfigFile, Install, Machine } from "../../core/install.ts";
import type { Json } from "../../core/json.ts";
import { ConfigTrouble } from "./trouble.ts";
import { oursIn, readConfig, withHooks, withoutHooks } from "./json-edit.ts";

/** The entry of every event a host is to call us at. */
export function wantedEntries(
  host: string,
  install: Install,
  executable: string,
  machine: Machine,
): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(install.events).map(([event, purpose]) => {
      const args = ["--host", host, ...(install.namesEvent ? ["--event", event] : [])];
      const refuses = purpose === "gate" && install.refusesByExit === true;
      const lines = commandLines(executable, args, machine.platform, refuses, install.shell[0] === "$SHELL");
      return [event, install.entry(event, purpose, lines, machine)];
    }),
  );
}

/** A file's text with what is ours as it should be. */
export function installed(
  text: string | undefined,
  { layout }: ConfigFile,
  host: string,
  install: Install,
  executable: string,
  machine: Machine,
): string {
  if (layout.kind === "program") {
    if (text !== undefined && text.trim() !== "" && !text.includes(layout.mark))
      throw new ConfigTrouble("is there already, and is not ours; move it away first");
    return layout.text(executable);
  }
  return withHooks(text ?? "", layout.fresh, wantedEntries(host, install, executable, machine));
}

/** A file's text without what is ours; nothing when the file goes with it. */
export function uninstalled(text: string, { layout, own }: ConfigFile): string | undefined {
  if (layout.kind === "program") return undefined;
  const rest = withoutHooks(text);
  return own && isBare(rest, layout.fresh) ? undefined : rest;
}

/** The command lines of ours in a file. */
export function linesIn(text: string | undefined, { layout }: ConfigFile): string[] {
  if (text === undefined) return [];
  if (layout.kind === "program")
    return text.includes(layout.mark) ? [programLine(layout.executable(text))] : [];
  return oursIn(readConfig(text)).flatMap(({ handler }) => lineFor(handler, process.platform) ?? []);
}

/** What a program calls, as the command line it would be; an empty one where that cannot be told. */
const programLine = (executable: string | undefined): string =>
  executable === undefined ? "" : commandLines(executable, [], "linux", false).posix;

/** Whether nothing is left but what a new file begins with. */
function isBare(text: string, fresh: Json): boolean {
  const rest = text.replace(/\s/g, "");
  return rest === "" || rest === "{}" || rest === JSON.stringify(fresh);
}
