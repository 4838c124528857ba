/** The sum of an invoice's lines, in cents. */
export const total = (lines) => lines.reduce((sum, { cents }) => sum + cents, 0);
