import { rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Failing } from "../../src/core/host.ts";
import type { Stage } from "./agent.ts";
import type { Check } from "./scenario.ts";
import { executable, isSafe, type Seen } from "./stage.ts";

const failedAt = ({ home }: Stage): string => join(home, "failed");
const backAt = ({ home }: Stage): string => join(home, "back");

/** More than an agent waits in all, where it has a limit: some ask twice before they make a call, and once more after it. */
export const lateSeconds = 75;
/** Long enough for both questions before the call, so that an agent without a limit has to wait but once. */
const failingSeconds = 30;

/** Puts something in the executable's place that fails until it is back, or for a while. */
export function putInPlace(stage: Stage, failure: string): void {
  const path = join(stage.bin, "hookline");
  const first = failedAt(stage);
  rmSync(path);
  writeFileSync(
    path,
    `#!/bin/sh
[ -e '${first}' ] && [ -z "$(find '${first}' -newermt '-${failingSeconds} seconds')" ] && exec '${executable}' "$@"
[ -e '${first}' ] || : > '${first}'
${failure}
`,
    { mode: 0o755 },
  );
}

export function putBack(stage: Stage): void {
  const path = join(stage.bin, "hookline");
  rmSync(path);
  symlinkSync(executable, path);
  writeFileSync(backAt(stage), "");
}

/** Checks that an agent has done what its host says it does when Hookline fails. */
export function failed(
  seen: Seen,
  check: Check,
  said: Failing | undefined,
  /** How long it took to fail, where the host may end it sooner. */
  seconds = Number.POSITIVE_INFINITY,
): string {
  const [first, back] = [timeOf(failedAt(seen.stage)), timeOf(backAt(seen.stage))];
  check("it failed", first !== undefined);
  check("the agent came to its end", !seen.isLate);
  // An agent that asks once more before it goes back to its model is refused that too.
  if (said !== "closed") check("the agent went on", seen.left() === 0);
  check(
    `the call is ${said === "closed" ? "refused" : "made"}, as docs/hosts.md says`,
    isSafe(seen) === (said === "closed"),
  );
  if (first !== undefined && back !== undefined)
    check(
      `the agent ${said === "waits" ? "waited" : "did not wait"} until it ended, as docs/hosts.md says`,
      back - first >= seconds * 1000 === (said === "waits"),
    );
  return said === "closed" ? "blocked" : said === "waits" ? "waits, then goes ahead" : "goes ahead";
}

const timeOf = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
