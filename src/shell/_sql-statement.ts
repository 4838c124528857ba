import { isOneOf } from "../core/one-of.ts";
import type { SqlToken } from "./_sql-token.ts";

export type SqlKind = "drop" | "truncate" | "delete-all" | "update-all" | "flush" | "drop-database";

/** A statement that throws away more than the rows it names. */
export interface DangerousStatement {
  readonly kind: SqlKind;
  readonly statement: string;
}

/** What a statement throws away at once, and the texts in it that it runs as SQL. */
export function judgeStatement(
  tokens: readonly SqlToken[],
  temporary: ReadonlySet<string>,
): { readonly kinds: readonly SqlKind[]; readonly runs: readonly string[] } {
  const [first] = tokens;
  const verb = first?.kind === "word" ? first.text : "";
  if (verb === "DO") return { kinds: [], runs: textsOf(tokens, "body") };
  if (isOneOf(verb, "EXEC EXECUTE PREPARE")) return { kinds: [], runs: textsOf(tokens, "text") };
  // These name what may be done, or make something that will do it later.
  if (isOneOf(verb, "CREATE GRANT REVOKE DENY COMMENT SHOW HELP SET PRINT")) return { kinds: [], runs: [] };
  const isExplained = isOneOf(verb, "EXPLAIN DESCRIBE DESC");
  if (isExplained && !tokens.slice(1, 12).some((token) => is(token, "ANALYZE")))
    return { kinds: [], runs: [] };
  const kinds = verb === "ALTER" ? altered(tokens) : thrownAway(tokens, temporary);
  return { kinds, runs: immediate(tokens) };
}

/** The table that a statement makes for this connection only. */
export function temporaryTable(tokens: readonly SqlToken[]): string | undefined {
  const head = tokens.slice(0, 10);
  const at = head.findIndex((token) => is(token, "TABLE"));
  if (!is(head[0], "CREATE") || at < 0) return undefined;
  if (!head.slice(1, at).some((token) => is(token, "TEMP") || is(token, "TEMPORARY"))) return undefined;
  const name = head
    .slice(at + 1)
    .find((token) => !isOneOf(token.text, "IF NOT EXISTS") || token.kind === "name");
  return name?.text.toUpperCase();
}

/** Does the statement open a trigger or a procedure whose own statements follow? They run another time. */
export const opensBody = (tokens: readonly SqlToken[]): boolean =>
  is(tokens[0], "CREATE") &&
  tokens
    .slice(1, 8)
    .some((token) => token.kind === "word" && isOneOf(token.text, "TRIGGER PROCEDURE PROC FUNCTION EVENT")) &&
  tokens.some((token) => is(token, "BEGIN")) &&
  !tokens.some((token) => is(token, "END"));

export const closesBody = (tokens: readonly SqlToken[]): boolean =>
  is(tokens[0], "END") &&
  !(tokens[1]?.kind === "word" && isOneOf(tokens[1].text, "IF CASE LOOP WHILE REPEAT"));

const is = (token: SqlToken | undefined, text: string): boolean =>
  token !== undefined && token.text === text && (token.kind === "word" || token.kind === "sign");

const textsOf = (tokens: readonly SqlToken[], kind: SqlToken["kind"]): string[] =>
  tokens.filter((token) => token.kind === kind).map((token) => token.text);

/** `EXECUTE IMMEDIATE '…'`, `EXEC('…')`, `EXECUTE '…'` within a statement. */
const immediate = (tokens: readonly SqlToken[]): string[] =>
  tokens.flatMap((token, at) => {
    if (token.kind !== "text" && token.kind !== "body") return [];
    const before = tokens.slice(Math.max(0, at - 2), at);
    return before.some((each) => isOneOf(each.text, "EXEC EXECUTE IMMEDIATE SP_EXECUTESQL"))
      ? [token.text]
      : [];
  });

const kept =
  "CONSTRAINT INDEX KEY PRIMARY FOREIGN CHECK DEFAULT NOT IDENTITY EXPRESSION STATISTICS RULE TRIGGER";

/** `ALTER TABLE x DROP y` loses the column; a constraint can be made again. */
function altered(tokens: readonly SqlToken[]): SqlKind[] {
  if (!tokens.slice(1, 4).some((token) => is(token, "TABLE"))) return [];
  const isLost = tokens.some((token, at) => {
    const [before, next] = [tokens[at - 1], tokens[at + 1]];
    const isAction = before?.kind !== "sign" || before.text === ",";
    if (!is(token, "DROP") || at < 3 || token.depth > 0 || !isAction) return false;
    return next !== undefined && next.kind !== "sign" && !(next.kind === "word" && isOneOf(next.text, kept));
  });
  if (isLost) return ["drop"];
  return tokens.some((token, at) => is(token, "TRUNCATE") && is(tokens[at + 1], "PARTITION"))
    ? ["truncate"]
    : [];
}

/** A `DELETE` or `UPDATE` whose end has not been seen. */
interface Clause {
  readonly kind: "delete-all" | "update-all";
  readonly depth: number;
  /** The table is thrown away with the connection anyway. */
  readonly harmless: boolean;
  /** What is changed is narrowed down otherwise: by a join, a limit. */
  narrowed: boolean;
  /** An UPDATE without SET is something else. */
  complete: boolean;
  where: number;
}

function thrownAway(tokens: readonly SqlToken[], temporary: ReadonlySet<string>): SqlKind[] {
  const kinds: SqlKind[] = [];
  const open: Clause[] = [];
  const close = (end: number): void => {
    const clause = open.pop();
    if (!clause || clause.narrowed || clause.harmless || !clause.complete) return;
    if (clause.where < 0 || isAlwaysTrue(tokens.slice(clause.where + 1, Math.min(end, clause.where + 200))))
      kinds.push(clause.kind);
  };
  for (const [at, token] of tokens.entries()) {
    const inner = open.at(-1);
    if (inner && is(token, ")") && token.depth < inner.depth) close(at);
    if (token.kind !== "word") continue;
    const clause = open.at(-1);
    const isHere = clause !== undefined && clause.depth === token.depth;
    switch (token.text) {
      case "DROP":
        if (isDrop(tokens, at, temporary)) kinds.push(dropKind(tokens[at + 1]));
        break;
      case "RESET":
      case "PURGE":
        // The logs that replicas and backups live on.
        if (at === 0 && isOneOf(tokens[1]?.text ?? "", "MASTER BINARY")) kinds.push("truncate");
        break;
      case "TRUNCATE":
        if (isVerb(tokens, at) && !areTemporary(tokens, at + 1, temporary)) kinds.push("truncate");
        break;
      case "DELETE":
      case "UPDATE":
        if (!begins(tokens, at)) break;
        if (isHere) close(at);
        open.push({
          kind: token.text === "DELETE" ? "delete-all" : "update-all",
          depth: token.depth,
          harmless: areTemporary(tokens, at + 1, temporary),
          narrowed: false,
          complete: token.text === "DELETE",
          where: -1,
        });
        break;
      case "SET":
        if (isHere) clause.complete = true;
        break;
      case "WHERE":
        if (isHere && clause.where < 0) clause.where = at;
        break;
      case "JOIN":
      case "LIMIT":
      case "TOP":
        if (isHere && (token.text !== "LIMIT" || tokens[at + 1]?.kind === "number")) clause.narrowed = true;
    }
  }
  while (open.length > 0) close(tokens.length);
  return kinds;
}

const dropKind = (what: SqlToken | undefined): SqlKind =>
  what !== undefined && isOneOf(what.text, "DATABASE SCHEMA KEYSPACE") ? "drop-database" : "drop";

function isDrop(tokens: readonly SqlToken[], at: number, temporary: ReadonlySet<string>): boolean {
  const next = tokens[at + 1];
  if (next?.kind !== "word") return false;
  if (
    isOneOf(
      next.text,
      "DATABASE SCHEMA KEYSPACE TABLESPACE OWNED ROLE USER COLLECTION MEASUREMENT SERIES STREAM",
    )
  )
    return true;
  // What hangs on it goes with it.
  if (
    isOneOf(next.text, "EXTENSION TYPE DOMAIN SEQUENCE FUNCTION VIEW") &&
    tokens.slice(at + 2).some((token) => is(token, "CASCADE"))
  )
    return true;
  if (next.text === "FOREIGN" || next.text === "EXTERNAL") return is(tokens[at + 2], "TABLE");
  return next.text === "TABLE" && !areTemporary(tokens, at + 2, temporary);
}

/** Are all the tables named from here on temporary, by what was seen before or by their names? */
function areTemporary(tokens: readonly SqlToken[], from: number, temporary: ReadonlySet<string>): boolean {
  let at = from;
  while (
    isOneOf(tokens[at]?.text ?? "", "IF EXISTS FROM ONLY TABLE LOW_PRIORITY QUICK IGNORE") &&
    tokens[at]?.kind === "word"
  )
    at++;
  for (;;) {
    // Of a name with a schema the last part is the table.
    let schema = "";
    while (is(tokens[at + 1], ".")) {
      schema = tokens[at]?.text ?? "";
      at += 2;
    }
    const name = tokens[at];
    if (name === undefined || name.kind === "sign") return false;
    const table = name.text.toUpperCase();
    const isTemporary =
      /^#|^(?:TMP|TEMP)_|_(?:TMP|TEMP)$/.test(table) ||
      /^(?:PG_)?TEMP$/i.test(schema) ||
      temporary.has(table);
    if (!isTemporary) return false;
    if (!is(tokens[at + 1], ",")) return true;
    at += 2;
  }
}

/** Does a command begin here: at the start, on a new line, behind a word that lets one begin? */
function isVerb(tokens: readonly SqlToken[], at: number): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (next === undefined || next.kind === "sign" || next.kind === "number") return false;
  if (before === undefined || token?.leads || before.text === ")") return true;
  return before.kind === "word" && isOneOf(before.text, "BEGIN THEN ELSE LOOP ANALYZE NULL");
}

function begins(tokens: readonly SqlToken[], at: number): boolean {
  const [token, before, next] = [tokens[at], tokens[at - 1], tokens[at + 1]];
  if (before?.kind === "word" && isOneOf(before.text, "ON FOR KEY DO AFTER BEFORE OF INSTEAD OR"))
    return false;
  if (token?.text === "DELETE" && is(next, "FROM")) return true;
  // `THEN UPDATE SET` belongs to a MERGE.
  if (is(next, "SET") || is(next, "WHERE")) return false;
  return isVerb(tokens, at) || (is(before, "(") && token?.text === "UPDATE" && next?.kind !== "sign");
}

/** Is a condition met by every row: `1=1`, `true`, `id = id`, `… OR 1=1`? */
function isAlwaysTrue(condition: readonly SqlToken[]): boolean {
  const stop = condition.findIndex(
    (token) => token.kind === "word" && isOneOf(token.text, "RETURNING ORDER OPTION LIMIT"),
  );
  const parts = stop < 0 ? condition : condition.slice(0, stop);
  const base = Math.min(...parts.map((token) => token.depth));
  let part: SqlToken[] = [];
  let isAll = false;
  for (const token of [...parts, undefined]) {
    if (token === undefined || (is(token, "OR") && token.depth === base)) {
      isAll ||= isTautology(part);
      part = [];
    } else part.push(token);
  }
  return isAll;
}

function isTautology(tokens: readonly SqlToken[]): boolean {
  const bare = tokens.filter((token) => !is(token, "(") && !is(token, ")"));
  const [left, sign, right, more] = bare;
  if (left === undefined || more !== undefined) return false;
  if (bare.length === 1) return is(left, "TRUE") || (left.kind === "number" && Number(left.text) !== 0);
  if (bare.length === 2) return is(left, "NOT") && (is(sign, "FALSE") || sign?.text === "0");
  return is(sign, "=") && right?.kind === left.kind && right.text.toUpperCase() === left.text.toUpperCase();
}
