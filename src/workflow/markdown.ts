/** A heading and what stands below it, down to the next heading of its level or above. */
export interface Section {
  readonly level: number;
  readonly title: string;
  readonly text: string;
  /** Counted from 1. */
  readonly line: number;
}

/** The sections of a Markdown text, headings inside code blocks left out. */
export function sectionsIn(text: string): Section[] {
  const lines = text.split(/\r?\n/);
  const heads: { level: number; title: string; at: number }[] = [];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    const head = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) : null;
    if (head) heads.push({ level: head[1]?.length ?? 1, title: titleIn(head[2] ?? ""), at });
  }
  return heads.map(({ level, title, at }, index) => {
    const end = heads.slice(index + 1).find((next) => next.level <= level)?.at ?? lines.length;
    return { level, title, text: lines.slice(at + 1, end).join("\n"), line: at + 1 };
  });
}

const titleIn = (head: string): string =>
  head
    .trim()
    .replace(/[ \t]+#+$/, "")
    .trim();

/** The text below the first heading that begins with a title, in whatever letters; empty if there is none. */
export const sectionOf = (text: string, title: string): string =>
  sectionsIn(text).find((section) => section.title.toLowerCase().startsWith(title.toLowerCase()))?.text ?? "";

/** What stands between `---` lines at the beginning of a text, and the rest. */
export function frontmatterIn(text: string): { readonly yaml?: string; readonly body: string } {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  if (!found || found.index !== 0) return { body: text };
  return { yaml: found[1] ?? "", body: text.slice(found[0].length) };
}

/** The cells of the rows of the first table in a text, without its head. */
export function tableIn(
  text: string,
): readonly { readonly cells: readonly string[]; readonly line: number }[] {
  const lines = text.split(/\r?\n/);
  const rule = lines.findIndex(
    (line) => /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes("-"),
  );
  if (rule < 1 || !lines[rule - 1]?.includes("|")) return [];
  const rows: { cells: string[]; line: number }[] = [];
  for (let at = rule + 1; at < lines.length && lines[at]?.includes("|") === true; at++)
    rows.push({ cells: cellsOf(lines[at] ?? ""), line: at + 1 });
  return rows;
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
