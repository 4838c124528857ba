import { extname } from "node:path";
import type { Handler } from "../core/hook.ts";
import { nodeFs } from "../platform/files.ts";
import { kindOf } from "../platform/stamps.ts";

export class CannotStart extends Error {
  override readonly name = "CannotStart";
}

/** By extension, for files that do not say it themselves. `embedded` is the runtime this program is made of. */
const interpreters: Readonly<Record<string, readonly string[]>> = {
  ".sh": ["sh"],
  ".bash": ["bash"],
  ".zsh": ["zsh"],
  ".py": ["python3"],
  ".rb": ["ruby"],
  ".pl": ["perl"],
  ".php": ["php"],
  ".ps1": ["pwsh", "-NoProfile", "-File"],
};

/** What our own runtime can run, so that none has to be installed. */
const ours = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"];

const isOurs = (path: string): boolean => ours.includes(extname(path).toLowerCase());

/** The words a command is started with. */
export function argvOf(handler: Extract<Handler, { kind: "command" }>): readonly string[] {
  const { shell, script, args = [] } = handler;
  if (shell !== undefined)
    return process.platform === "win32"
      ? ["cmd", "/d", "/s", "/c", shell]
      : ["/bin/sh", "-c", shell, "sh", ...args];
  if (script === undefined) return args;
  return [...startOf(script), ...args];
}

function startOf(script: string): readonly string[] {
  const found = kindOf(script);
  if (!found) throw new CannotStart(`${script} does not exist`);
  if (found.type === "directory") throw new CannotStart(`${script} is a directory`);
  if (found.type !== "file") throw new CannotStart(`${script} is not a plain file`);
  if (isOurs(script)) return [process.execPath, "script", script];
  // The system reads the shebang itself.
  if (found.executable && process.platform !== "win32") return [script];
  const said = shebangOf(nodeFs(), script) ?? interpreters[extname(script).toLowerCase()];
  if (said) return [...said, script];
  throw new CannotStart(
    `${script} is not executable, and neither a first line nor its extension says what runs it (chmod +x)`,
  );
}

/** `#!/usr/bin/env -S python3 -u` as words. */
function shebangOf(fs: ReturnType<typeof nodeFs>, script: string): readonly string[] | undefined {
  const file = fs.openSync(script, "r");
  try {
    const bytes = new Uint8Array(256);
    const text = new TextDecoder().decode(bytes.subarray(0, fs.readSync(file, bytes)));
    const words = /^#!\s*([^\r\n]+)/.exec(text)?.[1]?.trim().split(/\s+/);
    return words?.[1] === "-S" ? [words[0] ?? "", ...words.slice(2)] : words;
  } finally {
    fs.closeSync(file);
  }
}
