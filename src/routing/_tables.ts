import { plainText } from "../core/plain-name.ts";

/** A table of a Markdown text. */
export interface Table {
  /** The names of its columns, in small letters. */
  readonly columns: readonly string[];
  /** Counted from 1. */
  readonly line: number;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

/** Every table of a Markdown text with its head; what stands in code blocks is none. */
export function tablesIn(text: string): readonly Table[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const tables: { columns: string[]; line: number; rows: Row[] }[] = [];
  let fence: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence)))
      fence = fence === undefined ? mark : undefined;
    if (fence !== undefined || !line.includes("|") || !isRule(lines[at + 1] ?? "")) continue;
    const rows: Row[] = [];
    const columns = cellsOf(line).map((cell) => cell.toLowerCase().replace(/[*_`]/g, "").trim());
    const head = at + 1;
    for (at += 2; lines[at]?.includes("|") === true; at++)
      rows.push({ cells: cellsOf(lines[at] ?? ""), line: at + 1 });
    at--;
    tables.push({ columns, line: head, rows });
  }
  return tables;
}

/** Read by hand: a pattern for this takes for ever on a line made to keep it busy. */
function isRule(line: string): boolean {
  const cells = cellsOf(line);
  return line.includes("-") && cells.every((cell) => /^:?-+:?$/.test(cell));
}

const cellsOf = (row: string): string[] =>
  row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => plainText(cell.trim().replaceAll("\\|", "|")));
