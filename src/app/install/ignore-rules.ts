/** State stays out of version control; rules a team has written do not. */
const rules = ["/.hookline/*", "!/.hookline/rules/"];
const title = "# Hookline: the ledger stays here, rules are shared.";

/** A `.gitignore` with our rules at its end, as it is when they are there already. */
export function withRules(text: string | undefined): string {
  const have = new Set((text ?? "").split(/\r?\n/).map((line) => line.trim()));
  if (rules.every((rule) => have.has(rule))) return text ?? "";
  const eol = text?.includes("\r\n") ? "\r\n" : "\n";
  const gap = text === undefined || text === "" ? "" : /\n$/.test(text) ? eol : eol + eol;
  return `${text ?? ""}${gap}${[title, ...rules].join(eol)}${eol}`;
}

/** The text without our block and the blank line before it; nothing when that was all of it. */
export function withoutRules(text: string): string | undefined {
  const lines = text.split("\n");
  const plain = lines.map((line) => line.trimEnd());
  const at = plain.findIndex((_, from) =>
    [title, ...rules].every((line, more) => plain[from + more] === line),
  );
  if (at < 0) return text;
  const blank = at > 0 && plain[at - 1] === "" ? 1 : 0;
  lines.splice(at - blank, rules.length + 1 + blank);
  const rest = lines.join("\n");
  return rest.trim() === "" ? undefined : rest;
}
