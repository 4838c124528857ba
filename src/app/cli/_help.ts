import { version } from "../../platform/version.ts";
import type { Command } from "./_command.ts";
import { commands } from "./index.generated.ts";

export async function generalHelp(): Promise<string> {
  const all = await allCommands();
  const width = Math.max(...all.map(([name]) => name.length));
  return [
    `hookline ${version}: one hook and policy layer for every coding agent`,
    "",
    "Usage: hookline <command> [options]",
    "",
    ...all.map(([name, command]) => `  ${name.padEnd(width)}  ${command.summary}`),
    "",
    "`hookline <command> --help` says more. Exit codes: 0 fine, 1 findings, 2 usage or configuration, 3 our bug;",
    "`hookline run` uses those of the agent that calls it.",
  ].join("\n");
}

export function commandHelp(name: string, command: Command): string {
  const flags = Object.entries(command.flags).map(([flag, { value, type, summary }]) => ({
    left: `--${flag}${type === "string" ? ` ${value ?? "VALUE"}` : ""}`,
    summary,
  }));
  const actions = Object.entries(command.actions ?? {}).map(([left, summary]) => ({ left, summary }));
  const rows = (title: string, list: readonly { left: string; summary: string }[]): string[] => {
    const width = Math.max(0, ...list.map(({ left }) => left.length));
    return list.length === 0
      ? []
      : ["", title, ...list.map(({ left, summary }) => `  ${left.padEnd(width)}  ${summary}`)];
  };
  return [
    `hookline ${name}: ${command.summary}`,
    "",
    ...command.usage.map((line) => `  hookline ${line}`),
    ...rows("Actions:", actions),
    ...rows("Options:", flags),
    ...(command.details === undefined ? [] : ["", command.details]),
  ].join("\n");
}

/** Every command a person would use, by name. */
export async function allCommands(): Promise<[string, Command][]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, load]): Promise<[string, Command]> => [
      name,
      (await load()).default,
    ]),
  );
  return loaded.filter(([, command]) => !command.hidden);
}
