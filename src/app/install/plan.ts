import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../core/paths.ts";
import type { ConfigFile, Install, Machine, Scope } from "../../core/install.ts";
import { hosts } from "../../hosts/index.generated.ts";
import { installs } from "../../hosts/installs.generated.ts";
import type { Env } from "../../platform/places.ts";
import type { Change } from "./change.ts";
import { readConfigText, type ConfigText } from "./config-text.ts";
import { signOf } from "./detect.ts";
import { chooseExecutable } from "./executable.ts";
import { withoutRules, withRules } from "./ignore-rules.ts";
import { choosePresets, policyText } from "./policy-file.ts";
import { ifAsLeft, readBefore } from "./record.ts";
import { droppedFor } from "./dropped.ts";
import { ConfigTrouble } from "./trouble.ts";
import { installed, linesIn, uninstalled } from "./wanted.ts";

export interface Request {
  readonly scope: Scope;
  /** Only these hosts; otherwise those in use. */
  readonly only: readonly string[];
  readonly executable?: string | undefined;
  /** Call the client that asks a server which is up already. */
  readonly isWarm?: boolean;
  /** A folder that stands for the root of the machine, for images and packages. */
  readonly prefix?: string | undefined;
  readonly machine: Machine;
  readonly env: Env;
}

/** What will be done, and what the user should know. */
export interface Plan {
  readonly changes: readonly Change[];
  /** The hosts that are looked after, with why. */
  readonly hosts: readonly { readonly id: string; readonly title: string; readonly sign: string }[];
  readonly notes: readonly string[];
}

interface Place {
  readonly id: string;
  readonly install: Install;
  readonly file: ConfigFile;
  readonly now: ConfigText;
  /** The command lines of ours in it. */
  readonly lines: readonly string[];
}

const isOurs = ({ lines }: Place): boolean => lines.length > 0;

const titleOf = (id: string): string => hosts[id]?.title ?? id;

/** Everything `init` would write. */
export function planInit(request: Request): Plan {
  const { machine, env, scope } = request;
  const found = (request.only.length > 0 ? request.only : Object.keys(installs)).flatMap((id) => {
    const install = installs[id];
    const sign = install && signOf(install, machine, env);
    if (!install || (sign === undefined && request.only.length === 0)) return [];
    return [{ id, title: titleOf(id), install, sign: sign ?? "named by --host" }];
  });
  const notes = new Set<string>();
  const able = found.filter(({ install, title }) => {
    if (install.files(machine)[scope]) return true;
    if (request.only.length > 0) throw new ConfigTrouble(`${title} has no configuration of scope ${scope}`);
    notes.add(`${title} has no configuration of scope ${scope}.`);
    return false;
  });
  const troubles: string[] = [];
  const changes = able.flatMap(({ id, install }) => installations(id, install, request, notes, troubles));
  if (scope === "repo" && able.length > 0) changes.push(...about(request, troubles, notes));
  refuse(troubles);
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    hosts: able.map(({ id, title, sign }) => ({ id, title, sign })),
    notes: [...notes],
  };
}

/** What brings entries of an earlier version or another place up to date, where there are any. */
export function planUpdate(request: Request): Plan {
  const notes = new Set<string>();
  const troubles: string[] = [];
  const there = placesOf(request, troubles).filter(isOurs);
  const changes = there.flatMap(({ id, install }) => installations(id, install, request, notes, troubles));
  refuse(troubles);
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    hosts: there.map(({ id, file }) => ({ id, title: titleOf(id), sign: file.path })),
    notes: [...notes],
  };
}

/** Everything `uninstall` would take back. */
export function planUninstall(request: Request): Plan {
  const { scope, machine, env } = request;
  const troubles: string[] = [];
  const ours = placesOf(request, troubles).filter(isOurs);
  const changes = ours.flatMap(({ id, file, now }) => {
    const undone = (): Change =>
      mayWrite(
        now,
        undo(titleOf(id), now, (text) => uninstalled(text, file), env),
      );
    return tried(troubles, file.path, undone) ?? [];
  });
  const notes: string[] = [];
  // What concerns all hosts goes with the last one.
  const isLast = placesOf({ ...request, only: [] }, []).filter(isOurs).length === ours.length;
  if (scope === "repo" && isLast)
    for (const [title, name, without] of shared) {
      const path = join(machine.root, name);
      const now = tried([], path, () => readConfigText(path, machine.root));
      if (now?.text === undefined) continue;
      const known = readBefore(now.path, env);
      const change = tried(troubles, path, () => mayWrite(now, undo(title, now, without, env)));
      if (change?.after !== change?.before) changes.push(...(change ? [change] : []));
      else if (title === "Policy")
        notes.push(
          `${name} stays: ${known ? "it has been changed since it was written" : "it was not written on this machine"}.`,
        );
    }
  refuse(troubles);
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    hosts: ours.map(({ id, file }) => ({ id, title: titleOf(id), sign: file.path })),
    notes,
  };
}

/** Files of the repository that are no host's: what they are, their name, and how to take ours out of them. */
const shared: readonly (readonly [string, string, (text: string) => string | undefined])[] = [
  ["Policy", "hookline.yaml", (text) => text],
  ["Ignore rules", ".gitignore", withoutRules],
];

function undo(
  title: string,
  { path, text }: ConfigText,
  without: (text: string) => string | undefined,
  env: Env,
): Change {
  const known = ifAsLeft(text, readBefore(path, env));
  const rest = known ? known.text : without(text ?? "");
  return { title, path, before: text, after: rest, isUndo: true };
}

function installations(
  id: string,
  install: Install,
  request: Request,
  notes: Set<string>,
  troubles: string[],
): Change[] {
  const file = fileOf(install, request);
  const change = file && tried(troubles, file.path, () => installation(id, install, file, request, notes));
  return change ? [change] : [];
}

function installation(
  id: string,
  install: Install,
  file: ConfigFile,
  request: Request,
  notes: Set<string>,
): Change {
  const { scope, env, machine } = request;
  const now = readConfigText(file.path, boundsOf(file, request));
  const choice = { given: request.executable, isWarm: request.isWarm === true };
  const { word, note } = chooseExecutable(scope, env, choice, linesIn(now.text, file));
  if (note !== undefined) notes.add(note);
  const after = installed(now.text, file, id, install, word, machine);
  const dropped = droppedFor(after, file);
  if (dropped !== undefined)
    notes.add(`${file.path} ${dropped}: mend it, or ${titleOf(id)} ignores all of it, its hooks too.`);
  const isThere = now.text !== undefined && linesIn(now.text, file).length > 0;
  return mayWrite(now, {
    title: titleOf(id),
    path: now.path,
    before: now.text,
    after,
    ...(isThere ? { bare: uninstalled(now.text ?? "", file) } : {}),
    ...(scope === "managed" ? { isPublic: true } : {}),
  });
}

/** The policy, where there is none, and the ignore rules, which a file that cannot be changed does without: `.hookline/` has its own. */
function about({ machine, env }: Request, troubles: string[], notes: Set<string>): Change[] {
  const { root } = machine;
  const changes: Change[] = [];
  const policy = join(root, "hookline.yaml");
  if (!lstatSync(policy, { throwIfNoEntry: false })) {
    const choice = choosePresets(root);
    notes.add(`preset ${choice.presets.join(", ")}: ${choice.why}.`);
    const written = tried(troubles, policy, () => {
      const now = readConfigText(policy, root);
      return mayWrite(now, { title: "Policy", path: now.path, before: undefined, after: policyText(choice) });
    });
    if (written) changes.push(written);
  }
  // Where there is no repository nothing is ignored.
  if (!lstatSync(join(root, ".git"), { throwIfNoEntry: false })) return changes;
  const left: string[] = [];
  const ignored = tried(left, ".gitignore", () => {
    const now = readConfigText(join(root, ".gitignore"), root);
    return mayWrite(now, {
      title: "Ignore rules",
      path: now.path,
      before: now.text,
      after: withRules(now.text),
      ...(readBefore(now.path, env) && now.text !== undefined ? { bare: withoutRules(now.text) } : {}),
    });
  });
  for (const trouble of left) notes.add(`no ignore rules were added: ${trouble}.`);
  return ignored ? [...changes, ignored] : changes;
}

/** Every file of the scope that is there, whether in use or not. */
function placesOf(request: Request, troubles: string[]): Place[] {
  return everyPlace(request)
    .filter(({ id }) => request.only.length === 0 || request.only.includes(id))
    .flatMap(({ id, install, file }) => {
      const now = tried(troubles, file.path, () => readConfigText(file.path, boundsOf(file, request)));
      const lines = now && tried(troubles, file.path, () => linesIn(now.text, file));
      return now?.text === undefined || !lines ? [] : [{ id, install, file, now, lines }];
    });
}

function everyPlace(request: Request): { id: string; install: Install; file: ConfigFile }[] {
  return Object.entries(installs).flatMap(([id, install]) => {
    const file = fileOf(install, request);
    return file && existsSync(file.path) ? [{ id, install, file }] : [];
  });
}

function fileOf(install: Install, { scope, machine, prefix }: Request): ConfigFile | undefined {
  const file = install.files(machine)[scope];
  return file && scope === "managed" && prefix !== undefined
    ? { ...file, path: join(prefix, file.path) }
    : file;
}

function tried<T>(troubles: string[], path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ConfigTrouble)) throw error;
    troubles.push(`${path} ${error.message}`);
    return undefined;
  }
}

/** What speaks against writing a file counts when it is to be written. */
function mayWrite({ hindrance }: ConfigText, change: Change): Change {
  if (hindrance !== undefined && change.before !== change.after) throw new ConfigTrouble(hindrance);
  return change;
}

function refuse(troubles: readonly string[]): void {
  if (troubles.length > 0) throw new ConfigTrouble(`nothing was written:\n  ${troubles.join("\n  ")}`);
}

/** No link may lead out of here. A home that a variable has moved is its own bounds. */
function boundsOf({ path }: ConfigFile, { scope, machine }: Request): string {
  if (scope === "repo") return machine.root;
  return scope === "user" && isInside(machine.home, path) ? machine.home : dirname(path);
}
