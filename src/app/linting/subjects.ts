import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { HookDefinition } from "../../core/hook.ts";
import { asText } from "../../core/json.ts";
import { pathBelow } from "../../core/paths.ts";
import type { Objection, Subject, Timing, Understood } from "../../lint/lint.ts";
import { scriptOf, type Script } from "../../lint/script.ts";
import { knownTools } from "../../lint/tools.ts";
import { startTrouble } from "../../handlers/command.ts";
import { readText } from "../../platform/files.ts";
import type { Env } from "../../platform/places.ts";
import { filesNamed } from "../../sources/trust.ts";
import { timingKey } from "./timings.ts";
import { commandFor, understand } from "./understood.ts";

const maxScript = 256 * 1024;

/** A hook with everything lints want to know of it. Its paths are counted from a folder that need not be the workspace's. */
export async function subjectOf(
  hook: HookDefinition,
  root: string,
  env: Env,
  timings: ReadonlyMap<string, Timing>,
  base = root,
): Promise<Subject> {
  const { handler } = hook;
  const cwd = (handler.kind === "command" ? handler.cwd : undefined) ?? base;
  const command = handler.kind === "command" ? commandText(hook) : undefined;
  const path = handler.kind === "command" ? (handler.script ?? filesNamed(hook, base)[0]) : undefined;
  const script = path === undefined ? undefined : readScript(path, root);
  const missing = missingOf(hook, base);
  const timing = timings.get(timingKey(hook.source, hook.id));
  return {
    hook,
    tools: knownTools,
    ...(command === undefined || handler.kind !== "command" || handler.shell === undefined
      ? {}
      : { command, commandMeans: await understand(command, cwd, root, env) }),
    ...(script ? { script, ...(await meaning(script, cwd, root, env)) } : {}),
    ...(missing === undefined ? {} : { missing }),
    ...(timing ? { timing } : {}),
  };
}

/** A script nobody has named. */
export async function scriptSubject(path: string, root: string, env: Env): Promise<Subject | undefined> {
  const script = readScript(path, root);
  return script && { script, tools: knownTools, ...(await meaning(script, root, root, env)) };
}

async function meaning(
  script: Script,
  cwd: string,
  root: string,
  env: Env,
): Promise<{ scriptMeans?: Understood }> {
  const command = commandFor(script);
  if (command === undefined) return {};
  const means = await understand(command, cwd, root, env);
  if (means.objections.length === 0 || script.language !== "shell") return { scriptMeans: means };
  return { scriptMeans: { ...means, objections: await placed(means.objections, script, cwd, root, env) } };
}

const mostLines = 500;

/** Objections with the first line that gives rise to the same one by itself. */
async function placed(
  objections: readonly Objection[],
  script: Script,
  cwd: string,
  root: string,
  env: Env,
): Promise<Objection[]> {
  const lines = new Map<string, number>();
  for (const [at, line] of script.code.split("\n").slice(0, mostLines).entries()) {
    if (line.trim() === "") continue;
    const alone = await understand(line, cwd, root, env);
    for (const { rule, id } of alone.objections)
      if (!lines.has(`${rule} ${id}`)) lines.set(`${rule} ${id}`, at + 1);
  }
  return objections.map((objection) => {
    const line = lines.get(`${objection.rule} ${objection.id}`);
    return line === undefined ? objection : { ...objection, line };
  });
}

function readScript(path: string, root: string): Script | undefined {
  try {
    const text = readText(path, maxScript);
    return text === undefined || text.includes("\0")
      ? undefined
      : scriptOf(pathBelow(root, path) ?? path, text);
  } catch {
    // A folder, a device, or too long to be read: that is told by what is missing.
    return undefined;
  }
}

/** The command line as it is written, before anything was made of it. */
function commandText({ handler, written }: HookDefinition): string | undefined {
  if (handler.kind !== "command") return undefined;
  return (
    asText(written?.["command"]) ?? handler.shell ?? [handler.script ?? "", ...(handler.args ?? [])].join(" ")
  );
}

/** Why the file a hook runs cannot be started, as far as its name can be told. */
export function missingOf({ handler, pluginRoot }: HookDefinition, root: string): string | undefined {
  if (handler.kind === "http" || handler.kind === "prompt") return undefined;
  const {
    script,
    shell,
    cwd = root,
  } = handler.kind === "module" ? { script: handler.path, shell: undefined } : handler;
  const path = script ?? (shell === undefined ? undefined : firstFile(shell, cwd, root, pluginRoot));
  if (path === undefined) return undefined;
  const shown = pathBelow(root, path) ?? path;
  if (!existsSync(path)) return `\`${shown}\` does not exist`;
  const stat = statSync(path);
  if (!stat.isFile()) return `\`${shown}\` is not a file`;
  // Started by its own name a file must be executable; behind an interpreter it need not.
  const byName = script === undefined && shell !== undefined && !/^\s*\w+\s/.test(shell);
  if (byName && process.platform !== "win32" && (stat.mode & 0o111) === 0)
    return `\`${shown}\` is not executable (chmod +x)`;
  return handler.kind === "command" ? startTrouble(handler)?.replace(path, `\`${shown}\``) : undefined;
}

/** The first word of a command line that names a file of the plugin or the project by a variable or a relative path. */
function firstFile(
  shell: string,
  cwd: string,
  root: string,
  pluginRoot: string | undefined,
): string | undefined {
  const words = shell.match(/"[^"]*"|'[^']*'|[^\s"';|&<>()]+/g) ?? [];
  const known: Readonly<Record<string, string | undefined>> = {
    CLAUDE_PLUGIN_ROOT: pluginRoot,
    CLAUDE_PROJECT_DIR: root,
  };
  for (const word of words.slice(0, 2)) {
    const bare = word.replace(/^["']|["']$/g, "");
    const full = bare.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => known[name] ?? whole);
    if (full.includes("$") || full.startsWith("-")) continue;
    if (full !== bare || /^\.{1,2}\//.test(bare)) return resolve(cwd, full);
  }
  return undefined;
}
