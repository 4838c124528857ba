import { resolve } from "node:path";
import { asksUs } from "../../core/agent-files.ts";
import { agentVariables } from "../../core/agent-variables.ts";
import { askingFiles } from "../../core/asking-files.ts";
import type { Run } from "../../core/command.ts";
import type { Event } from "../../core/event.ts";
import type { World } from "../../core/world.ts";
import { hasFlag, plainWords, wordsOf } from "./_runs.ts";

/** How an agent is started without what guards it. */
export interface Agent {
  isBare?(words: readonly string[]): boolean;
  /** Options that name other settings, and whether a text of such settings switches hooks off. */
  readonly settings?: { readonly options: readonly string[]; readonly isOff: RegExp };
  /** Options by which settings are left out or laid over that may have hooks or be needed for them. */
  readonly leaves?: readonly string[];
  /** Options that name the folder it works in. */
  readonly folder?: readonly string[];
}

const noHooks = /["']?disableAllHooks["']?\s*:\s*true|["']?hooks["']?\s*:\s*\{\s*\}/;

/** By the program's name, as far as it is the same however it is installed. */
export const agents: Readonly<Record<string, Agent>> = {
  claude: {
    isBare: (words) =>
      hasFlag(words, "--bare", "--safe-mode") ||
      valuesOf(words, "--setting-sources").some((value) => !/project/.test(value)),
    settings: { options: ["--settings"], isOff: noHooks },
  },
  copilot: { folder: ["-C"] },
  codex: {
    isBare: (words) =>
      valuesOf(words, "--disable").some((value) => /^(?:codex_)?hooks$/.test(value)) ||
      valuesOf(words, "-c", "--config").some((value) =>
        /^(?:features\.(?:codex_)?hooks\s*=\s*false|features\s*=.*hooks\s*=\s*false|hooks[.=]|projects[.=].*untrusted)/.test(
          value,
        ),
      ),
    // Trust in hooks stands in the user's own settings.
    leaves: ["--ignore-user-config", "--profile", "-p"],
    folder: ["-C", "--cd"],
  },
  gemini: {
    // Settings are read before the option: in a folder that is not trusted the agent works without the repository's hooks.
    isBare: (words) => hasFlag(words, "--skip-trust"),
    // Our hooks may come with an extension.
    leaves: ["--extensions", "-e"],
  },
  qwen: { isBare: (words) => hasFlag(words, "--bare", "--safe-mode") },
  opencode: {
    isBare: (words) => hasFlag(words, "--pure"),
    folder: ["--dir"],
  },
  "cursor-agent": { folder: ["--workspace"] },
};

/** Words behind an agent's name that start no session. */
const managing =
  /^(?:mcp|plugins?|config|log(?:in|out|s)|auth|doctor|update|upgrade|install|uninstall|features?|completion|help|models?|stats|export|import|sessions?|hooks?|extensions?|ext|skills?|agents?|providers?|debug|db|version|lsp|memories|instruction|sandbox|apply|archive|delete|unarchive|setup-token|status|ls|stop|rm|app)$/;

/** Does it work on something, rather than show or set up? */
export const isSession = (words: readonly string[]): boolean =>
  !hasFlag(words, "--help", "--version") &&
  !words.some((word) => /^-[hvV]$/.test(word)) &&
  !managing.test(plainWords(words)[0] ?? "");

/** Do the settings that are given to it switch hooks off? `undefined` when nobody can tell. */
export function switchesOff({ settings }: Agent, run: Run, cwd: string, world: World): boolean | undefined {
  if (!settings) return false;
  for (const value of valuesOf(wordsOf(run), ...settings.options)) {
    const text = value.trim().startsWith("{") ? value : textAt(resolve(run.cwd ?? cwd, value), world);
    if (text === undefined) return undefined;
    if (settings.isOff.test(text)) return true;
  }
  return false;
}

/** Where everybody's settings lie, the guard's own among them. */
const homes = ["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

/** Is it led to other settings of the user's by a variable of the same command line? */
export function isMoved(name: string, text: string): boolean {
  const ours = agentVariables["hookline"]?.moves ?? [];
  const names = [...(agentVariables[name]?.moves ?? []), ...ours, ...homes];
  return names.some((each) => new RegExp(`(?:^|[^\\w$])${each}\\s*=(?!=)`).test(text));
}

/**
 * Does an agent work in a folder, and by settings, that do not make it ask us, while some agent does so here? Where none does, nobody
 * has said that agents are to be watched.
 */
export function isUnwatched(name: string, agent: Agent, run: Run, event: Event, world: World): boolean {
  const asks = (id: string, folders: readonly string[]): boolean =>
    filesOf(id, folders, world).some((path) => asksUs(textAt(path, world) ?? ""));
  const folder = folderOf(name, agent, run, event);
  const root = rootAbove(folder, world);
  if (asks(name, [folder, root])) return false;
  return Object.keys(askingFiles).some((id) => asks(id, [event.root]));
}

function folderOf(name: string, { folder = [] }: Agent, run: Run, event: Event): string {
  const cwd = run.cwd ?? event.cwd;
  const words = wordsOf(run);
  const [given] = valuesOf(words, ...folder);
  if (given !== undefined) return resolve(cwd, given);
  // `opencode ../other` works there.
  const [first] = name === "opencode" ? plainWords(words) : [];
  return first !== undefined && /^[.~/]/.test(first) ? resolve(cwd, first) : cwd;
}

function filesOf(id: string, folders: readonly string[], world: World): string[] {
  const files = askingFiles[id];
  if (!files) return [];
  const { home } = world.folders();
  const [variable = "", usual = ""] = files.moved ?? [];
  const moved = files.moved && world.env(variable);
  return [
    ...folders.flatMap((folder) => files.project.map((path) => resolve(folder, path))),
    ...files.home.map((path) =>
      moved ? resolve(moved, path.slice(usual === "" ? 0 : usual.length + 1)) : resolve(home, path),
    ),
    ...files.machine,
  ];
}

function rootAbove(folder: string, world: World): string {
  try {
    return world.git(folder)?.root ?? folder;
  } catch {
    return folder;
  }
}

/** A file that cannot be read makes nobody ask. */
function textAt(path: string, world: World): string | undefined {
  try {
    return world.read(path);
  } catch {
    return undefined;
  }
}

/** The values behind options, however they are written. */
function valuesOf(words: readonly string[], ...options: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (options.includes(word)) return [words[at + 1] ?? ""];
    const option = options.find((each) => each.startsWith("--") && word.startsWith(`${each}=`));
    return option === undefined ? [] : [word.slice(option.length + 1)];
  });
}
