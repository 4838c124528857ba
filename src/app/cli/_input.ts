import { readFileSync } from "node:fs";
import { hostIndex } from "../../hosts/lazy.generated.ts";
import { readStdin } from "../../platform/stdin.ts";
import type { Setting } from "../pass.ts";
import { textFlag, UsageError, type Flag, type Given } from "./_command.ts";

export const hostFlag: Flag = {
  type: "string",
  value: "HOST",
  summary: `Who is calling (${Object.keys(hostIndex).join(", ")}); recognised from the payload when not given.`,
  values: () => Object.keys(hostIndex),
};

export const eventFlag: Flag = {
  type: "string",
  value: "EVENT",
  summary: "The host's event, for payloads that do not name it.",
};

/** The bytes of a file, or of standard input when no file is named. */
export async function readInput(file: string | undefined): Promise<Uint8Array> {
  if (file === undefined || file === "-") return readStdin();
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`cannot read ${file} (${(error as { code?: string }).code ?? String(error)})`);
  }
}

export function settingOf(given: Given): Setting {
  const host = textFlag(given, "host");
  const event = textFlag(given, "event");
  if (host !== undefined && !Object.hasOwn(hostIndex, host)) {
    throw new UsageError(`unknown host "${host}"; expected one of ${Object.keys(hostIndex).join(", ")}`);
  }
  return {
    env: process.env,
    cwd: process.cwd(),
    ...(host === undefined ? {} : { host }),
    ...(event === undefined ? {} : { event }),
  };
}

export const environmentFlag: Flag = {
  type: "string",
  value: "ENV",
  summary: "The environment hooks are chosen by; HOOKS_ENV, or else dev, when not given.",
};
