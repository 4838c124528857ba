// Offsets with and without a colon: the workflow's own shell snippet prints +0700.
const pattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

/** The moment an ISO8601 text names, in milliseconds since the epoch; one without an offset counts as UTC. */
export function isoTime(value: unknown): number | undefined {
  const match = typeof value === "string" ? pattern.exec(value) : null;
  if (!match) return undefined;
  const part = (at: number): number => Number(match[at] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDay = date.getUTCMonth() + 1 === month && date.getUTCDate() === day;
  if (!isDay || part(4) > 24 || part(5) > 59 || part(6) > 60 || part(8) > 23 || part(9) > 59)
    return undefined;
  const offset = (match[7] === "-" ? -1 : 1) * (part(8) * 60 + part(9));
  return date.getTime() + ((part(4) * 60 + part(5) - offset) * 60 + part(6)) * 1000;
}
