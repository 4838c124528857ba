/**
 * Durations are counted in buckets, each a tenth wider than the one before, from a microsecond up: a percentile of
 * millions is then a sum over some hundred rows, and at most a twentieth beside the mark.
 */
export const bucketOf = (ms: number): number =>
  ms <= smallest ? 0 : Math.round(Math.log(ms / smallest) / step);

const msOf = (bucket: number): number => smallest * Math.exp(bucket * step);

const smallest = 0.001;
const step = Math.log(1.1);

/** What the time of a whole answer goes by among those of rules. */
export const whole = "(answer)";

export interface Bucket {
  readonly bucket: number;
  readonly count: number;
}

/** The duration that a share of all does not exceed. Buckets must be sorted. */
export function percentile(buckets: readonly Bucket[], share: number): number {
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let seen = 0;
  for (const { bucket, count } of buckets) {
    seen += count;
    if (seen >= total * share) return Math.round(msOf(bucket) * 1000) / 1000;
  }
  return 0;
}
