import type { HookDefinition, HookRun } from "../core/hook.ts";

/** What a record keeps of a definition: enough to read its result again. */
export const knownBy = ({
  id,
  source,
  profile,
  blocking,
  failMode,
  file,
  line,
}: HookDefinition): HookRun["hook"] => ({
  id,
  source,
  profile,
  blocking,
  failMode,
  file,
  line,
});
