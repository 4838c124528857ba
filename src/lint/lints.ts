import { brokenFile } from "./broken-file.ts";
import { commandLints } from "./command-lints.ts";
import { firingLints } from "./firing-lints.ts";
import { inputLints } from "./input-lints.ts";
import { limitLints } from "./limit-lints.ts";
import type { Lint } from "./lint.ts";
import { outputLints } from "./output-lints.ts";

/** Every lint there is. */
export const lints: readonly Lint[] = [
  brokenFile,
  ...inputLints,
  ...commandLints,
  ...limitLints,
  ...firingLints,
  ...outputLints,
];
