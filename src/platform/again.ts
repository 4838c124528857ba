/** How long files that took too long to read are left alone. */
const againMs = 10 * 60_000;

/** When what could not be read in time is to be tried again: on a busy machine it may well be read later. */
export const tryAgainAt = (): number => Date.now() + againMs;

/** Is it time to try again? A clock that was set back does not put it off for ever. */
export function isDue(until: number | undefined): boolean {
  if (until === undefined) return false;
  const left = until - Date.now();
  return left <= 0 || left > againMs;
}
