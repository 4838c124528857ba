/** A piece of a SQL text; comments are gone. */
export interface SqlToken {
  /** `name` is a quoted name, `text` a string, `body` a text between dollar signs. */
  readonly kind: "word" | "name" | "text" | "body" | "number" | "sign";
  /** Words in capitals, what is quoted without its quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** It is the first on its line. */
  readonly leads: boolean;
  /** How many round brackets it stands in. */
  readonly depth: number;
}

const blank = /\s+/y;
const word = /[A-Za-z_#@$\u0080-\uffff][\w$#@\u0080-\uffff]*/y;
const number = /\d[\d.]*(?:[eE][+-]?\d+)?/y;
const dollar = /\$(?:[A-Za-z_]\w*)?\$/y;
const bracketed = /\[([^\][\n]{1,128})\]/y;
const executable = /\/\*(?:!|M!)\d*/y;

/**
 * Cuts a SQL text into tokens. Whether a backslash in a string hides the quote behind it differs between databases,
 * so the caller says.
 */
export function sqlTokens(sql: string, backslashes: boolean): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  let depth = 0;
  let line = true;
  const push = (kind: SqlToken["kind"], text: string, start: number): void => {
    tokens.push({ kind, text, start, end: at, leads: line, depth });
    line = false;
  };
  const found = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(sql) ?? undefined;
  };
  while (at < sql.length) {
    const char = sql.charAt(at);
    const start = at;
    const space = found(blank)?.[0];
    if (space !== undefined) {
      at += space.length;
      line ||= space.includes("\n");
      continue;
    }
    const isFirst = tokens.length === 0 || tokens.at(-1)?.text === ";" || line;
    if (sql.startsWith("--", at) || (isFirst && isLineOfItsOwn(sql, at, char))) {
      const end = sql.indexOf("\n", at);
      at = end < 0 ? sql.length : end;
      continue;
    }
    if (char === "/" && sql.charAt(at + 1) === "*") {
      // MySQL runs what stands in `/*! … */`.
      const opening = found(executable)?.[0];
      at = opening === undefined ? commentEnd(sql, at) : at + opening.length;
      continue;
    }
    if (sql.startsWith("*/", at)) {
      at += 2;
      continue;
    }
    if (char === "'" || char === '"' || char === "`") {
      at = quoteEnd(sql, at, char, backslashes);
      const content = sql.slice(start + 1, sql.charAt(at - 1) === char && at > start + 1 ? at - 1 : at);
      push(char === "'" ? "text" : "name", content.replaceAll(char + char, char), start);
      continue;
    }
    const tag = char === "$" ? found(dollar)?.[0] : undefined;
    if (tag !== undefined) {
      const close = sql.indexOf(tag, at + tag.length);
      at = close < 0 ? sql.length : close + tag.length;
      push("body", sql.slice(start + tag.length, close < 0 ? sql.length : close), start);
      continue;
    }
    const name = char === "[" ? found(bracketed) : undefined;
    const plain = found(word)?.[0];
    const digits = found(number)?.[0];
    at += (name?.[0] ?? plain ?? digits ?? char).length;
    if (char === ")") depth = Math.max(0, depth - 1);
    if (name) push("name", name[1] ?? "", start);
    else if (plain !== undefined) push("word", plain.toUpperCase(), start);
    else if (digits !== undefined) push("number", digits, start);
    else push("sign", char, start);
    if (char === "(") depth++;
  }
  return tokens;
}

/** A comment of MySQL, a command of psql, or one of sqlite3: lines that are no SQL. */
const isLineOfItsOwn = (sql: string, at: number, char: string): boolean => {
  const next = sql.charAt(at + 1);
  if (char === "#") return next === " " || next === "#" || next === "\n";
  return (char === "\\" && next !== ";") || (char === "." && next >= "a" && next <= "z");
};

/** Comments nest in PostgreSQL; elsewhere an inner opening is rare. */
function commentEnd(sql: string, from: number): number {
  let open = 0;
  for (let at = from; at < sql.length; at++) {
    if (sql.charAt(at) === "/" && sql.charAt(at + 1) === "*") {
      open++;
      at++;
    } else if (sql.charAt(at) === "*" && sql.charAt(at + 1) === "/") {
      at++;
      if (--open === 0) return at + 1;
    }
  }
  return sql.length;
}

function quoteEnd(sql: string, from: number, quote: string, backslashes: boolean): number {
  for (let at = from + 1; at < sql.length; at++) {
    const char = sql.charAt(at);
    if (char === "\\" && backslashes && quote !== "`") at++;
    else if (char === quote) {
      if (sql.charAt(at + 1) !== quote) return at + 1;
      at++;
    }
  }
  return sql.length;
}
