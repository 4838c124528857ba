import { isObject, type Json } from "../../core/json.ts";

// Kinds of settings by the package of 2.1.325. Tried there: `model`, `includeCoAuthoredBy`, `disableAllHooks`, `cleanupPeriodDays`, `env`,
// `statusLine`, `enabledPlugins`, `sandbox`, `permissions`, `permissions.allow` and `permissions.defaultMode` of the wrong kind make it
// leave the file out; a wrong entry in `hooks` is left out alone, and so are others that are not named here.
const texts =
  "model outputStyle language agent apiKeyHelper awsAuthRefresh awsCredentialExport gcpAuthRefresh otelHeadersHelper plansDirectory minimumVersion autoMemoryDirectory timeZone";
const flags =
  "disableAllHooks includeCoAuthoredBy includeGitInstructions respectGitignore enableAllProjectMcpServers allowManagedHooksOnly allowManagedPermissionRulesOnly allowManagedMcpServersOnly disableBundledSkills disableRemoteControl disableWorkflows skipWebFetchPreflight spinnerTipsEnabled alwaysThinkingEnabled fastMode autoMemoryEnabled autoCompactEnabled fileCheckpointingEnabled prefersReducedMotion showTurnDuration verbose";
const numbers = "cleanupPeriodDays bashOutputMaxChars taskOutputMaxChars";
const records = "env statusLine enabledPlugins sandbox permissions";

const lists = "allow deny ask additionalDirectories";
const modes = "default manual plan acceptEdits auto dontAsk bypassPermissions";

/** The setting for which Claude Code reads nothing of a file, said of the file. */
export function wrongSetting(config: Json): string | undefined {
  const { permissions } = config;
  const name =
    wrongIn(config, texts, (value) => typeof value === "string") ??
    wrongIn(config, flags, (value) => typeof value === "boolean") ??
    wrongIn(config, numbers, (value) => typeof value === "number" && value > 0) ??
    wrongIn(config, records, isObject) ??
    (isObject(permissions)
      ? (wrongIn(permissions, lists, Array.isArray, "permissions.") ??
        wrongIn(permissions, "defaultMode", isMode, "permissions."))
      : undefined);
  return name === undefined
    ? undefined
    : `holds a value of the wrong kind at \`${name}\`, for which Claude Code leaves the whole file out`;
}

const wrongIn = (
  config: Json,
  names: string,
  isRight: (value: unknown) => boolean,
  prefix = "",
): string | undefined => {
  const name = names.split(" ").find((each) => config[each] !== undefined && !isRight(config[each]));
  return name === undefined ? undefined : `${prefix}${name}`;
};

const isMode = (value: unknown): boolean => typeof value === "string" && modes.split(" ").includes(value);
