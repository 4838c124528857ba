import { javascriptTokens } from "./_code-javascript.ts";
import { is, isWord, type Token } from "./_code-token.ts";
import type { DangerousStatement, SqlKind } from "./_sql-statement.ts";

const maxLength = 64 * 1024;
const maxShown = 200;

/** What a script for the Mongo shell throws away at once: `db.users.drop()`, `deleteMany({})`. */
export function dangerousMongo(code: string): DangerousStatement[] {
  const found: DangerousStatement[] = [];
  const text = code.slice(0, maxLength);
  const tokens = javascriptTokens(text);
  let start = 0;
  for (const [at, token] of tokens.entries()) {
    if (is(token, ";") || is(token, "{") || is(token, "}") || is(token, "=>")) start = at + 1;
    if (!is(token, "(")) continue;
    const kind = kindOf(
      nameBefore(tokens, at),
      tokens.slice(at + 1, Math.min(token.close, at + 8)),
      token.close - at - 1,
    );
    if (kind === undefined) continue;
    const [from = 0, end = text.length] = [tokens[start]?.start, tokens[token.close]?.start];
    const shown = text.slice(from, Math.min(end + 1, from + 2 * maxShown)).replace(/\s+/g, " ");
    found.push({ kind, statement: shown.slice(0, maxShown) });
  }
  return found;
}

/** The name of the method whose brackets open here, however it was reached. */
function nameBefore(tokens: readonly Token[], at: number): string | undefined {
  const [dot, name] = [tokens[at - 2], tokens[at - 1]];
  if (isWord(name) && (is(dot, ".") || is(dot, "?."))) return name.text;
  const key = is(name, "]") && is(tokens[at - 3], "[") ? dot : undefined;
  const [only] = key?.kind === "text" ? key.parts : [];
  return typeof only === "string" ? only : undefined;
}

function kindOf(name: string | undefined, args: readonly Token[], count: number): SqlKind | undefined {
  const isEmpty = count === 0 || (is(args[0], "{") && is(args[1], "}"));
  switch (name) {
    case "dropDatabase":
      return "drop-database";
    case "drop":
      return count === 0 || is(args[0], "{") ? "drop" : undefined;
    case "dropCollection":
      return "drop";
    case "deleteMany":
      return isEmpty ? "delete-all" : undefined;
    case "remove":
      // A second argument asks for one only; `remove()` belongs to something else.
      return isEmpty && count === 2 ? "delete-all" : undefined;
    case "updateMany":
      return isEmpty ? "update-all" : undefined;
    case "update":
      return isEmpty && args.some((token) => is(token, "multi")) ? "update-all" : undefined;
    case "runCommand":
    case "adminCommand":
      return commandKind(args);
    default:
      return undefined;
  }
}

/** `db.runCommand({ drop: "users" })` */
function commandKind([open, name, colon]: readonly Token[]): SqlKind | undefined {
  if (!is(open, "{") || !is(colon, ":")) return undefined;
  const command = name?.kind === "text" ? name.parts[0] : name?.text;
  if (command === "dropDatabase") return "drop-database";
  return command === "drop" ? "drop" : undefined;
}
