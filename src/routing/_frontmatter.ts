/** What stands between `---` lines at the beginning of a text, the rest, and how many lines stand before each. */
export interface Parts {
  readonly head?: string;
  readonly headAbove: number;
  readonly body: string;
  readonly bodyAbove: number;
}

export function partsOf(given: string): Parts {
  const text = given.replace(/^\uFEFF/, "");
  const lines = text.split(/\r\n|\r|\n/);
  const first = lines.findIndex((line) => line.trim() !== "");
  if (lines[first]?.trimEnd() !== "---") return { headAbove: 0, body: text, bodyAbove: 0 };
  const last = lines.findIndex((line, at) => at > first && line.trimEnd() === "---");
  if (last === -1) return { headAbove: 0, body: text, bodyAbove: 0 };
  return {
    head: lines.slice(first + 1, last).join("\n"),
    headAbove: first + 1,
    body: lines.slice(last + 1).join("\n"),
    bodyAbove: last + 1,
  };
}
