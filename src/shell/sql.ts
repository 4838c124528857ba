import {
  closesBody,
  type DangerousStatement,
  judgeStatement,
  opensBody,
  temporaryTable,
} from "./_sql-statement.ts";
import { type SqlToken, sqlTokens } from "./_sql-token.ts";

export { dangerousMongo } from "./_sql-mongo.ts";
export type { DangerousStatement };

const maxDepth = 3;
const maxShown = 200;

/**
 * The statements of a SQL text that throw away tables, databases or all rows of a table:
 * `dangerousSql("select 1; DROP TABLE users")` is `[{ kind: "drop", statement: "DROP TABLE users" }]`.
 */
export function dangerousSql(text: string): DangerousStatement[] {
  const found = read(text, false, 0);
  // Databases differ in whether a backslash keeps a string open, and the text does not say which one reads it.
  if (!/\\['"]/.test(text)) return found;
  const known = new Set(found.map(({ kind, statement }) => `${kind} ${statement}`));
  return [
    ...found,
    ...read(text, true, 0).filter(({ kind, statement }) => !known.has(`${kind} ${statement}`)),
  ];
}

function read(sql: string, backslashes: boolean, depth: number): DangerousStatement[] {
  const found: DangerousStatement[] = [];
  const temporary = new Set<string>();
  let inBody = false;
  for (const tokens of statementsOf(sqlTokens(sql, backslashes))) {
    inBody = inBody ? !closesBody(tokens) : opensBody(tokens);
    if (inBody) continue;
    const made = temporaryTable(tokens);
    if (made !== undefined) temporary.add(made);
    const { kinds, runs } = judgeStatement(tokens, temporary);
    if (kinds.length > 0) {
      const statement = shown(sql, tokens);
      for (const kind of new Set(kinds)) found.push({ kind, statement });
    }
    if (depth < maxDepth) for (const inner of runs) found.push(...read(inner, backslashes, depth + 1));
  }
  return found;
}

/** Statements end with a semicolon, or with `GO` or a slash on a line of their own. */
function statementsOf(tokens: readonly SqlToken[]): SqlToken[][] {
  const statements: SqlToken[][] = [];
  let open: SqlToken[] = [];
  for (const [at, token] of tokens.entries()) {
    const next = tokens[at + 1];
    const isAlone = token.leads && (next === undefined || next.leads);
    const isEnd =
      token.kind === "sign"
        ? token.text === ";" || (token.text === "/" && isAlone)
        : token.text === "GO" && isAlone;
    if (!isEnd) {
      open.push(token);
      continue;
    }
    if (open.length > 0) statements.push(open);
    open = [];
  }
  return open.length > 0 ? [...statements, open] : statements;
}

/** A statement as it was written, without its comments. */
function shown(sql: string, tokens: readonly SqlToken[]): string {
  let text = "";
  let end = tokens[0]?.start ?? 0;
  for (const token of tokens) {
    if (text.length > maxShown) break;
    text += (token.start > end ? " " : "") + sql.slice(token.start, token.end);
    end = token.end;
  }
  return text.replace(/\s+/g, " ").slice(0, maxShown);
}

const flushing = /^["']?(FLUSHALL|FLUSHDB)["']?$/i;

/**
 * The commands that empty a Redis database: the words of one command, `["FLUSHALL", "ASYNC"]`, or texts with one
 * command on each line, `["SET a 1\nFLUSHDB"]`.
 */
export function dangerousRedis(words: readonly string[]): DangerousStatement[] {
  const isLines =
    words.some((word) => word.includes("\n")) || (words.length === 1 && /\s/.test(words[0]?.trim() ?? ""));
  const commands = isLines
    ? words.flatMap((word) => word.split("\n").map((line) => line.trim().split(/\s+/)))
    : [words];
  return commands.flatMap((command) => {
    // A number before a command says how often it is run.
    const [verb = "", ...rest] = /^\d+$/.test(command[0] ?? "") ? command.slice(1) : command;
    const isScript = /^EVAL(?:SHA)?$|^FCALL$/i.test(verb);
    const isFlushing =
      /^SHUTDOWN$/i.test(verb) ||
      // By these it writes its data wherever it is told to.
      (/^CONFIG$/i.test(verb) &&
        /^SET$/i.test(rest[0] ?? "") &&
        /^(?:dir|dbfilename)$/i.test(rest[1] ?? "")) ||
      flushing.test(verb) ||
      (isScript && /\bp?call\s*\(\s*["']flush(?:all|db)\b/i.test(rest.join(" ")));
    return isFlushing
      ? [{ kind: "flush" as const, statement: [verb, ...rest].join(" ").slice(0, maxShown) }]
      : [];
  });
}
