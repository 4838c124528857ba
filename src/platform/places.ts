import { dirname, isAbsolute, join, resolve } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

// `node:os` costs to load, and is needed only where the environment is empty.
export const homeFolder = (env: Env): string =>
  resolve(env["HOME"] || env["USERPROFILE"] || process.getBuiltinModule("node:os").homedir());

/** The system's temporary directories. A variable that names the root or somebody's home names no such thing. */
export function tempFolders(env: Env): string[] {
  const home = homeFolder(env);
  const named = [env["TMPDIR"], env["TEMP"], env["TMP"]].flatMap((folder) =>
    folder ? [resolve(folder)] : [],
  );
  const sane = named.filter((folder) => dirname(folder) !== folder && !`${home}/`.startsWith(`${folder}/`));
  return [...new Set(process.platform === "win32" ? sane : ["/tmp", "/var/tmp", ...sane])];
}

/** Where the layers above and below the repository's policy lie. */
export function policyPaths(env: Env): { managed: string; user: string } {
  return { managed: managedPolicy(env), user: join(configFolder(env), "hookline.yaml") };
}

/** Everything of ours outside the workspace that an agent must leave alone. */
export function guardedFolders(env: Env): string[] {
  const { managed, user } = policyPaths(env);
  return [dirname(managed), dirname(user), cacheFolder(env), stateFolder(env)];
}

/** A relative folder would be one of whatever directory we are started in; it counts as not named. */
const named = (folder: string | undefined): string | undefined =>
  folder !== undefined && isAbsolute(folder) ? folder : undefined;

/** For what must not lie where a repository or its agent could forge it. */
export const cacheFolder = (env: Env): string =>
  join(
    named(env["XDG_CACHE_HOME"]) || named(env["LOCALAPPDATA"]) || join(homeFolder(env), ".cache"),
    "hookline",
  );

/** Where records go when the workspace cannot take them. */
export const stateFolder = (env: Env): string =>
  join(
    named(env["XDG_STATE_HOME"]) || named(env["LOCALAPPDATA"]) || join(homeFolder(env), ".local", "state"),
    "hookline",
  );

/** The keys that sign checkpoints. */
export const keysFolder = (env: Env): string => join(configFolder(env), "keys");

const configFolder = (env: Env): string =>
  join(
    named(env["XDG_CONFIG_HOME"]) || named(env["APPDATA"]) || join(homeFolder(env), ".config"),
    "hookline",
  );

function managedPolicy(env: Env): string {
  if (process.platform === "darwin") return "/Library/Application Support/Hookline/hookline.yaml";
  if (process.platform === "win32")
    return join(env["ProgramData"] || "C:\\ProgramData", "Hookline", "hookline.yaml");
  return "/etc/hookline/hookline.yaml";
}
