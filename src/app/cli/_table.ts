/** Columns side by side, as wide as their widest cell. */
export function table(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, Bun.stringWidth(cell))));
  return rows
    .map(
      (row) =>
        indent +
        row
          .map((cell, at) =>
            at === row.length - 1 ? cell : cell + " ".repeat((widths[at] ?? 0) - Bun.stringWidth(cell)),
          )
          .join("  "),
    )
    .map((line) => line.trimEnd())
    .join("\n");
}

const codes = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

/** Colour on a terminal only, and never as the only signal. */
export const paint = (text: string, colour: keyof typeof codes): string =>
  Bun.enableANSIColors ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;
