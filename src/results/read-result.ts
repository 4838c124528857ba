import type { Profile, RawResult } from "../core/hook.ts";
import { readAbility } from "./ability.ts";
import { readHarness } from "./harness.ts";
import { readPlugin } from "./plugin.ts";
import type { Reader, Reading } from "./reading.ts";

type Read = (hook: Reader, event: string, raw: RawResult, timeoutMs: number) => Reading;

/** How each format's results are read. Copilot's answers are a dialect of the nested ones. */
const profiles: Readonly<Record<Profile, Read>> = {
  ability: readAbility,
  harness: readHarness,
  plugin: readPlugin,
  copilot: readPlugin,
};

/** A raw result as findings and contributions. Pure, so that a record can be read again without running anything. */
export const readResult: Read = (hook, event, raw, timeoutMs) =>
  profiles[hook.profile](hook, event, raw, timeoutMs);
