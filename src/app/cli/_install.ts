import { pathBelow } from "../../core/paths.ts";
import { scopes, type Machine, type Scope } from "../../core/install.ts";
import { installs } from "../../hosts/installs.generated.ts";
import { homeFolder } from "../../platform/places.ts";
import { ChangedMeanwhile, holding, type CarryOut, type Change } from "../install/change.ts";
import type { Plan, Request } from "../install/plan.ts";
import { asDiff } from "../install/show.ts";
import { ConfigTrouble } from "../install/trouble.ts";
import { agreed } from "./_ask.ts";
import { textFlag, UsageError, type Flag, type Given } from "./_command.ts";
import { rootOf } from "./_ledgers.ts";
import { oneLine } from "./_record-line.ts";
import { paint } from "./_table.ts";

export const installFlags: Readonly<Record<string, Flag>> = {
  host: {
    type: "string",
    value: "HOST[,HOST…]",
    summary: `Only these agents (${Object.keys(installs).join(", ")}).`,
    values: () => Object.keys(installs),
  },
  scope: {
    type: "string",
    value: "SCOPE",
    summary:
      "repo: this repository's configuration, shared with the team; user: your own; managed: this machine's, for all its users.",
    values: () => scopes,
  },
  prefix: {
    type: "string",
    value: "DIR",
    summary: "With --scope managed: a folder that stands for the root of the machine.",
  },
  yes: { type: "boolean", summary: "Do not ask." },
  "dry-run": { type: "boolean", summary: "Show what would be done, and do nothing." },
  json: { type: "boolean", summary: "Print what was done, or with --dry-run would be, as JSON." },
};

/** What the configuration names. */
export const callFlags: Readonly<Record<string, Flag>> = {
  executable: {
    type: "string",
    value: "PATH",
    summary: "What agents call: `hookline`, found on the PATH, or an absolute path.",
  },
  warm: {
    type: "boolean",
    summary:
      "Let agents call hookline-warm, which asks a server that is up already, and the executable where there is none (docs/warm.md).",
  },
};

export function requestOf(given: Given): Request {
  const scope = textFlag(given, "scope") ?? "repo";
  if (!isScope(scope)) throw new UsageError(`unknown scope "${scope}"; expected ${scopes.join(", ")}`);
  const prefix = textFlag(given, "prefix");
  if (prefix !== undefined && scope !== "managed") throw new UsageError("--prefix goes with --scope managed");
  const named = (textFlag(given, "host") ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter(Boolean);
  const only = [...new Set(named)];
  const unknown = only.find((id) => !Object.hasOwn(installs, id));
  if (unknown !== undefined)
    throw new UsageError(
      `"${unknown}" cannot be installed; expected one of ${Object.keys(installs).join(", ")}`,
    );
  const env = process.env;
  if (given.flags["warm"] === true && textFlag(given, "executable") !== undefined)
    throw new UsageError("--warm and --executable both say what agents call; leave one out");
  return {
    scope,
    only,
    prefix,
    executable: textFlag(given, "executable"),
    isWarm: given.flags["warm"] === true,
    machine: machineHere(),
    env,
  };
}

const isScope = (word: string): word is Scope => (scopes as readonly string[]).includes(word);

const machineHere = (): Machine => ({
  platform: process.platform,
  root: rootOf(process.env),
  home: homeFolder(process.env),
  env: (name) => process.env[name],
});

/** How a command that changes configuration speaks of it. */
interface Words {
  readonly question: string;
  readonly nothing: string;
}

/** Shows what will be done, asks, and does it. */
export function enact(
  given: Given,
  plan: () => Plan,
  words: Words,
): { readonly plan: Plan; readonly code: number } {
  const isSure = given.flags["yes"] === true && given.flags["dry-run"] !== true;
  const act = (carryOut: CarryOut) => {
    const planned = plan();
    return { plan: planned, code: perform(given, planned, words, carryOut) };
  };
  for (let attempts = 3; ; attempts--) {
    try {
      // Of two of us at once the second waits before it looks; a person who is asked is not waited for.
      if (isSure) return holding(process.env, act);
      return act((changes) => holding(process.env, (carryOut) => carryOut(changes)));
    } catch (error) {
      if (error instanceof ChangedMeanwhile && isSure && attempts > 1) continue;
      if (error instanceof ConfigTrouble) throw new UsageError(error.message);
      throw error;
    }
  }
}

function perform(given: Given, { changes, hosts, notes }: Plan, words: Words, carryOut: CarryOut): number {
  const json = given.flags["json"] === true;
  const isTrial = given.flags["dry-run"] === true;
  const isSure = given.flags["yes"] === true;
  if (json && !isTrial && !isSure && changes.length > 0)
    throw new UsageError("--json goes with --yes or --dry-run");
  if (!json) {
    if (!isSure || isTrial)
      for (const change of changes) console.log(`${coloured(asDiff(change, shown(change.path)))}\n`);
    for (const note of notes) console.log(`Note: ${note}`);
  }
  const isAgreed =
    changes.length === 0 ||
    isTrial ||
    isSure ||
    agreed(words.question, "look at it with --dry-run, and say --yes to let it be done");
  if (!isAgreed) {
    console.error("hookline: nothing was written.");
    return 1;
  }
  if (!isTrial) carryOut(changes);
  if (json)
    console.log(JSON.stringify({ done: !isTrial, hosts, changes: changes.map(inShort), notes }, null, 2));
  else if (changes.length === 0) console.log(words.nothing);
  else if (isTrial) console.log("Nothing was written (--dry-run).");
  else
    for (const { path, after, title } of changes)
      console.log(`${paint("✓", "green")} ${title}: ${after === undefined ? "removed " : ""}${shown(path)}`);
  return 0;
}

const inShort = ({ title, path, before, after }: Change) => ({
  title,
  path,
  action: before === undefined ? "create" : after === undefined ? "remove" : "change",
});

const shown = (path: string): string => {
  const { root, home } = machineHere();
  const atHome = pathBelow(home, path);
  return oneLine(pathBelow(root, path) ?? (atHome === undefined ? path : `~/${atHome}`), 1000);
};

const coloured = (diff: string): string =>
  diff
    .split("\n")
    .map((line) =>
      /^\+(?!\+\+)/.test(line) ? paint(line, "green") : /^-(?!--)/.test(line) ? paint(line, "red") : line,
    )
    .join("\n");
