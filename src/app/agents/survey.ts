import { readdirSync } from "node:fs";
import type { Checkup, Installed, Look } from "../../core/checkup.ts";
import { scopes, type ConfigFile, type Install, type Machine, type Scope } from "../../core/install.ts";
import type { Json } from "../../core/json.ts";
import { checkups } from "../../hosts/checkups.generated.ts";
import { hosts } from "../../hosts/index.generated.ts";
import { installs } from "../../hosts/installs.generated.ts";
import { sha256 } from "../../platform/digest.ts";
import { readText } from "../../platform/files.ts";
import { homeFolder, type Env } from "../../platform/places.ts";
import { signOf } from "../install/detect.ts";
import { droppedFor } from "../install/dropped.ts";
import { oursIn, readConfig } from "../install/json-edit.ts";
import { ConfigTrouble } from "../install/trouble.ts";
import { linesIn } from "../install/wanted.ts";

/** One configuration of an agent, as it is now. */
export interface Configuration {
  readonly scope: Scope;
  readonly file: ConfigFile;
  readonly text: string;
  /** What is wrong with the file as such. */
  readonly trouble?: string;
  /** The command lines of ours in it. */
  readonly lines: readonly string[];
}

/** An agent that can be made to call us: what tells of it, and every configuration there is. */
export interface Surveyed {
  readonly id: string;
  readonly title: string;
  readonly install: Install;
  readonly checkup: Checkup | undefined;
  readonly sign: string | undefined;
  /** Where it stands that our plugin is on. */
  readonly plugin: string | undefined;
  readonly configurations: readonly Configuration[];
  /** Those of them that call us. */
  readonly installed: readonly (Configuration & Installed)[];
}

export const machineAt = (root: string, env: Env): Machine => ({
  platform: process.platform,
  root,
  home: homeFolder(env),
  env: (name) => env[name],
});

/** Looks at every agent there is code for; each asker gets the same picture. */
export function survey(asker: { readonly root: string; readonly env: Env }): readonly Surveyed[] {
  const known = surveys.get(asker);
  if (known) return known;
  const look = lookOf(asker);
  const { machine } = look;
  const found = Object.keys(installs).flatMap((id) => {
    const configured = configuredFor(id, look);
    return configured ? [{ ...configured, sign: signOf(configured.install, machine, asker.env) }] : [];
  });
  surveys.set(asker, found);
  return found;
}

/** How an agent is configured to call us, if it is. */
export function configuredFor(id: string, look: Look): Omit<Surveyed, "sign"> | undefined {
  const install = installs[id];
  if (!install) return undefined;
  const files = install.files(look.machine);
  const configurations = scopes.flatMap((scope, at) => {
    const file = files[scope];
    // Where the home is the repository, two scopes are one file.
    const isKnown = scopes.slice(0, at).some((each) => files[each]?.path === file?.path);
    const seen = file && !isKnown ? lookAt(scope, file) : undefined;
    return seen ? [seen] : [];
  });
  return {
    id,
    title: hosts[id]?.title ?? id,
    install,
    checkup: checkups[id],
    plugin: checkups[id]?.plugin?.(look),
    configurations,
    installed: configurations.flatMap((each) =>
      each.lines.length > 0 ? [{ ...each, config: configOf(each) }] : [],
    ),
  };
}

const surveys = new WeakMap<object, readonly Surveyed[]>();

const largest = 32 * 1024 * 1024;

function lookAt(scope: Scope, file: ConfigFile): Configuration | undefined {
  try {
    const text = readText(file.path, largest);
    if (text === undefined) return undefined;
    const trouble = droppedFor(text, file);
    return { scope, file, text, lines: linesIn(text, file), ...(trouble === undefined ? {} : { trouble }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const trouble = error instanceof ConfigTrouble ? why : `cannot be read: ${why}`;
    return { scope, file, text: "", lines: [], trouble };
  }
}

function configOf({ file, text }: Configuration): Json {
  return file.layout.kind === "json" ? readConfig(text) : {};
}

/** What a checkup looks with. */
export function lookOf({ root, env }: { readonly root: string; readonly env: Env }): Look {
  const known = new Map<string, Json | undefined>();
  const machine = machineAt(root, env);
  const files = Object.values(installs).flatMap((install) => Object.values(install.files(machine)));
  return {
    machine,
    sha256,
    list(folder) {
      try {
        return readdirSync(folder).toSorted();
      } catch {
        return [];
      }
    },
    read(path) {
      if (!known.has(path))
        known.set(
          path,
          parsed(
            path,
            files.find((file) => file.path === path),
          ),
        );
      return known.get(path);
    },
  };
}

function parsed(path: string, file: ConfigFile | undefined): Json | undefined {
  try {
    const text = readText(path, largest);
    // What its host drops says nothing.
    if (text === undefined || (file && droppedFor(text, file) !== undefined)) return undefined;
    return path.endsWith(".toml") ? (Bun.TOML.parse(text) as Json) : readConfig(text);
  } catch {
    return undefined;
  }
}

/** Entries of ours at an event, the first of which counts. */
export const ourEntryAt = (config: Json, event: string) =>
  oursIn(config).find((each) => each.event === event);
