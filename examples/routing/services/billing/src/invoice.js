/** What an invoice comes to, in cents. */
export function totalOf(lines) {
  return lines.reduce((sum, { cents, count }) => sum + cents * count, 0);
}
