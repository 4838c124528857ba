/** Statements of a SQL text that throw away more than a row at a time. */
export function dangerousSql(text: string): string[] {
  const statements = withoutComments(text.slice(0, 200_000)).split(";");
  const temporary = new Set(
    statements.flatMap(
      (statement) =>
        /create\s+(?:global\s+|local\s+)?temp(?:orary)?\s+table\s+(?:if\s+not\s+exists\s+)?["`[]?(\w+)/i.exec(
          statement,
        )?.[1] ?? [],
    ),
  );
  return statements
    .filter((statement) => isDangerous(statement.trim(), temporary))
    .map((statement) => statement.trim().replace(/\s+/g, " ").slice(0, 60));
}

function isDangerous(statement: string, temporary: ReadonlySet<string>): boolean {
  const drop =
    /(?:^|\n|\bbegin\b|\)\s*)\s*drop\s+(database|schema|table|keyspace|collection|user|role|tablespace)\s+(?:if\s+exists\s+)?["`[]?([\w.]+)/i.exec(
      statement,
    );
  if (drop) return !temporary.has(drop[2] ?? "") && !/^(?:tmp|temp)_|_tmp$|_temp$/i.test(drop[2] ?? "");
  if (/(?:^|\n)\s*truncate\s+(?:table\s+)?["`[]?\w/i.test(statement)) return true;
  if (/(?:^|\n)\s*alter\s+table\b[^]*\bdrop\s+(?:column|partition|constraint)\b/i.test(statement))
    return true;
  const remove = /(?:^|\n|\)\s*)\s*delete\s+from\s+["`[]?[\w."`\]]+([^]*)$/i.exec(statement);
  if (remove) return isUnbounded(remove[1] ?? "");
  const update = /(?:^|\n|\)\s*)\s*update\s+["`[]?[\w."`\]]+\s+set\b([^]*)$/i.exec(statement);
  return update ? isUnbounded(update[1] ?? "") : false;
}

const isUnbounded = (rest: string): boolean => {
  const where = /\bwhere\b([^]*)$/i.exec(rest)?.[1];
  if (where === undefined) return !/\blimit\s+\d/i.test(rest);
  return /^\s*(?:\(?\s*)(?:1\s*=\s*1|true|'?1'?\s*=\s*'?1'?|1)\s*\)?\s*$/i.test(where);
};

/** Comments out, and what stands in quotes as well: a word in a string is data. */
const withoutComments = (text: string): string =>
  text.replace(/--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*'?|\$\$[^]*?(?:\$\$|$)/g, (part) =>
    part.startsWith("'") ? "''" : part.startsWith("$$") ? "''" : " ",
  );

/** The same for a Mongo shell. */
export const dangerousMongo = (code: string): boolean =>
  /\.dropDatabase\s*\(|\.drop\s*\(\s*(?:\{[^}]*\})?\s*\)|\.(?:deleteMany|remove)\s*\(\s*\{\s*\}|\.updateMany\s*\(\s*\{\s*\}|\.dropIndexes\s*\(|\.dropUser\s*\(|\.renameCollection\s*\(/.test(
    code.slice(0, 200_000),
  );

export const dangerousRedis = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:flushall|flushdb)$/i.test(word));
