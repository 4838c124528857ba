// Secrets that a name in front of them gives away: `DB_PASSWORD=…`, `"apiKey": "…"`, `token: …`,
// `--password …`, `<secret>…</secret>`, `${TOKEN:-…}`, `Cookie: …`, `IDENTIFIED BY '…'`.
//
// The text is read once from left to right: a stem such as "token" is searched, the name around it and
// the value behind it are found by stepping over their characters, and the search goes on after them.

import { mask, maskEnd } from "./_mask.ts";
import { blockAt } from "./_secret-block.ts";
import { isWorkingFolder, secretName, stems, toWords, type NamedSecret } from "./_secret-name.ts";
import { isSpoken } from "./_secret-shape.ts";
import { quotedAt, skipBlanks, type Span } from "./_secret-span.ts";
import { sqlQuotedAt, sqlStem, sqlValueAfter } from "./_secret-sql.ts";

type Separator = { end: number; form: "=" | ":" | "flag" | "set" | "element" | "default"; tight: boolean };

/** The text with the value behind every secret name masked. */
export function maskAssignments(text: string): string {
  stem.lastIndex = 0;
  const done: string[] = [];
  let copied = 0;
  // Lists repeat a name line after line.
  let lastWord = "";
  let secret: NamedSecret | undefined;
  while (stem.test(text)) {
    const name = nameAround(text, stem.lastIndex - 1, copied);
    stem.lastIndex = name.end;
    const separator = separatorAfter(text, name);
    if (separator === undefined) {
      const value = secretInSql(text, name);
      if (value !== undefined) replace(value, "password");
      continue;
    }
    const word = text.slice(name.start, name.end);
    if (word !== lastWord) {
      lastWord = word;
      secret = secretName(word);
    }
    // The heading of our own rule, and not a name with its value.
    if (secret === undefined || text.startsWith("safety/secrets: `", name.end - "safety/secrets".length))
      continue;
    const value = secretAfter(text, word, name.start, separator, secret);
    if (value !== undefined) replace(value, secret.kind);
  }
  return copied === 0 ? text : done.join("") + text.slice(copied);

  function replace(value: Span, kind: string): void {
    done.push(text.slice(copied, value.start), mask(kind));
    copied = value.end;
    stem.lastIndex = value.end;
  }
}

const stem = new RegExp([...stems, sqlStem].join("|"), "gi");

function nameAround(text: string, at: number, from: number): Span {
  let start = at;
  while (start > from && isNamePart(text.charCodeAt(start - 1))) start--;
  let end = at + 1;
  while (end < text.length && isNamePart(text.charCodeAt(end))) end++;
  return { start, end };
}

// Letters, digits, `_`, `-` and `.`, as in `spring.datasource.password`.
function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45 ||
    code === 46
  );
}

function separatorAfter(text: string, name: Span): Separator | undefined {
  let at = name.end;
  while (text[at] === "\\") at++;
  if (text[at] === '"' || text[at] === "'" || text[at] === "`") {
    at++;
    if (text[at] === "]") at++;
  } else {
    at = name.end;
  }
  const spaced = skipBlanks(text, at);
  const next = text.charAt(spaced + 1);
  const tight = spaced === at;
  const before = text.charAt(name.start - 1);
  switch (text[spaced]) {
    case "=":
      if (next === "=" || next === "~") return undefined;
      return { end: spaced + (next === ">" ? 2 : 1), form: "=", tight };
    case ":":
      if (next === ":" || text.startsWith("//", spaced + 1)) return undefined;
      if (before === "{" && text.charAt(name.start - 2) === "$") {
        return next === "-" || next === "=" ? { end: spaced + 2, form: "default", tight } : undefined;
      }
      return { end: spaced + (next === "=" ? 2 : 1), form: ":", tight };
    case ">":
      return tight && before === "<" ? { end: spaced + 1, form: "element", tight } : undefined;
    default:
      if (tight || at !== name.end) return undefined;
      if (text[name.start] === "-") return { end: spaced, form: "flag", tight };
      return isSet(text, name.start) ? { end: spaced, form: "set", tight } : undefined;
  }
}

// `aws configure set aws_secret_access_key …`, `npm config set //host/:_authToken …`, `ENV TOKEN …`
function isSet(text: string, at: number): boolean {
  return /\b(?:set|ENV)\s+(?:-\w+\s+)?(?:\S*:)?$/.test(text.slice(Math.max(0, at - 60), at));
}

function secretInSql(text: string, name: Span): Span | undefined {
  const found = sqlValueAfter(text, name);
  if (!found) return undefined;
  const quoted = sqlQuotedAt(text, found.at);
  if (!quoted && !found.bare) return undefined;
  const value = quoted ?? bareAt(text, found.at, softStop);
  return isHarmlessText(text.slice(value.start, value.end)) ? undefined : value;
}

function secretAfter(
  text: string,
  name: string,
  nameStart: number,
  separator: Separator,
  secret: NamedSecret,
): Span | undefined {
  const { form } = separator;
  if (form === "element" || form === "default") return enclosedAt(text, separator.end, form);
  const start = skipBlanks(text, separator.end);
  const quoted = quotedAt(text, start);
  if (quoted !== undefined) {
    const value = withoutScheme(text, quoted, loudStop);
    return isHarmlessText(text.slice(value.start, value.end)) ? undefined : value;
  }
  if (form === ":" && (text[start] === "|" || text[start] === ">")) {
    const block = blockAt(text, nameStart, start, (lines, cut) => isHarmlessBlock(lines, cut, secret.weak));
    if (block) return block;
  }
  const stops = isLoud(name) && form === "=" ? loudStop : softStop;
  const value = withoutScheme(text, bareAt(text, start, stops), stops);
  if (form === ":" && isHeader(secret, text, value)) return { start, end: endBefore(text, start, lineStop) };
  if (isHarmlessWord(text, value, { ...secret, ...separator, name })) return undefined;
  return value.end - value.start < reach ? value : { ...value, end: endBefore(text, value.end, stops) };
}

// A value is judged by its beginning. Only one that is masked, and so never read again, is followed to its
// end; else a text could make us read its rest for each of its names.
const reach = 100;

function enclosedAt(text: string, start: number, form: "element" | "default"): Span | undefined {
  const end = endBefore(text, start, form === "element" ? elementStop : defaultStop, start + reach);
  if (end - start >= reach || (form === "element" && text[end + 1] !== "/")) return undefined;
  return isSpoken(text.slice(start, end).trim()) ? undefined : { start, end };
}

const isLoud = (name: string): boolean => name.length > 1 && name === name.toUpperCase();

// By character code, what ends a value; a table because this is asked for every character.
type Stops = Uint8Array;
const stopsAt = (characters: string): Stops => {
  const stops = new Uint8Array(128);
  for (const character of characters) stops[character.charCodeAt(0)] = 1;
  return stops;
};

// A loud NAME=value is taken to be a line of an environment file or of a shell, where only blanks,
// quotes and operators end it.
const loudStop = stopsAt(" \t\n\r\"'`;&|<>");
const softStop = stopsAt(" \t\n\r\"'`;&|<>,)}]");
const lineStop = stopsAt("\n\r\"'`");
const elementStop = stopsAt("\n<");
const defaultStop = stopsAt("\n}");

function bareAt(text: string, from: number, stops: Stops): Span {
  // A quote that is never closed belongs to neither.
  const start = /["'`]/.test(text.charAt(from)) ? from + 1 : from;
  const masked = maskEnd(text, start);
  return { start, end: masked !== -1 ? masked : endBefore(text, start, stops, start + reach) };
}

// Also stops where a line or a string ends in text that was escaped for JSON.
function endBefore(text: string, from: number, stops: Stops, limit = text.length): number {
  const last = Math.min(limit, text.length);
  let end = from;
  for (; end < last; end++) {
    const code = text.charCodeAt(end);
    if (code < 128 && stops[code] === 1) break;
    if (code === 92 && /[nrt"']/.test(text.charAt(end + 1))) break;
  }
  return end;
}

const scheme = /(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|Bot|AWS4-HMAC-SHA256)[ \t]{1,4}/iy;

// `Authorization: Bearer …` keeps its scheme, which is no secret.
function withoutScheme(text: string, value: Span, stops: Stops): Span {
  scheme.lastIndex = value.start;
  if (!scheme.test(text)) return value;
  const start = scheme.lastIndex;
  return start <= value.end ? { start, end: value.end } : bareAt(text, start, stops);
}

// The value of a cookie header, and of the longer authorization schemes, goes on to the end of the line.
function isHeader(secret: NamedSecret, text: string, first: Span): boolean {
  if (secret.kind !== "cookie" && secret.kind !== "authorization") return false;
  return /^[\w.!#$%&'*+^|~-]+=./.test(text.slice(first.start, Math.min(first.end, first.start + 300)));
}

function isHarmlessText(value: string): boolean {
  if (value.length < 4 && !/[A-Za-z\d]/.test(value)) return true;
  return isSpoken(value) || (value.length <= 20 && words.has(value.toLowerCase())) || isVersion(value);
}

/** Placeholders and references line by line, or prose behind a name that is too common to go by. */
function isHarmlessBlock(lines: readonly string[], cut: boolean, weak: boolean): boolean {
  if (weak && /^[^\d]*$/.test(lines[0] ?? "") && /^\S+ +[A-Za-z]+ +[A-Za-z]+/.test(lines[0] ?? ""))
    return true;
  return (
    !cut &&
    lines.every((line) => {
      const value = line.trimEnd();
      return isHarmlessText(value) || isSpoken(value.replace(/^["']?[\w.-]{1,60}[=:] ?|["']$/g, ""));
    })
  );
}

const isVersion = (value: string): boolean =>
  /^[\^~>=v]{0,2}\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[\w.]{1,20})?$/.test(value);

type Context = { name: string; kind: string; weak: boolean; form: Separator["form"]; tight: boolean };

function isHarmlessWord(text: string, { start, end }: Span, context: Context): boolean {
  const { name, form, tight, weak } = context;
  const value = text.slice(start, end);
  const next = text.charAt(end);
  if (isHarmlessText(value)) return true;
  if (isWorkingFolder(name, value)) return true;
  if (form === "flag") return value.startsWith("-");
  // Three digits are a count or an example.
  if (/^\d{1,3}$/.test(value)) return true;
  if (form === "set") return !isStrong(value);
  if (form === "=" && tight && isLoud(name)) return false;
  if (/^[{([]/.test(value) && !value.startsWith("[masked:")) return true;
  if (form === "=" && tight) return isExpression(value, next, context);
  if (weak && !isLoud(name) && !isStrong(value)) return true;
  // A word that more words follow is prose: "password: see the wiki".
  if (/^[ \t]+[A-Za-z(]/.test(text.slice(end, end + 3)) && !isStrong(value)) return true;
  return !isLoud(name) && isExpression(value, next, context);
}

// In source code the value of an unquoted `token: …` is not the token but an expression.
function isExpression(value: string, next: string, { name, kind, tight }: Context): boolean {
  const [path, first = "", access = ""] =
    /^&?\*?([A-Za-z_$][\w$]*)(\??\.|::|->|\(|\[)?(?:[\w$]|\??\.|::|->)*/.exec(value) ?? [""];
  if (first === "") return /^(?:[&*]|\/[/*])/.test(value);
  // `token=token` hands on a variable.
  const own = first.toLowerCase() === toWords(name).at(-1) || first === name;
  if (own && (access !== "" || first === value)) return true;
  if (access !== "" && (access !== "." || roots.has(first) || value[path.length] === "(")) return true;
  if (next === "(" || next === "[" || next === "<") return true;
  if (path !== value || /\d/.test(value)) return false;
  if (next === ";" && !tight) return true;
  if (kind === "token" && value.includes(".")) return true;
  const compound = /[a-z][A-Z]|[_.]/.test(value);
  return compound ? secretStem.test(value) || /[;,)]/.test(next) : value.length < 4 && /[;,)]/.test(next);
}

const secretStem = new RegExp(stems.join("|"), "i");

const roots = new Set(
  (
    "process os req request res response this self config cfg conf env import ctx context settings options " +
    "opts args argv params props data body user account session secrets vars var local module std crypto " +
    "json event input output state store client schema"
  ).split(" "),
);

const words = new Set(
  (
    "true false yes no on off null nil none undefined void any unknown never string str number int integer " +
    "float boolean bool object bytes buffer text char varchar date uuid required optional default inherit " +
    "enabled disabled auto env prompt stdin ask hidden redacted value val input data result arg here await " +
    "new async function class typeof return self this lambda not latest omit include same-origin auth token cookie " +
    "credentials creds bearer basic oauth oauth2 jwt *"
  ).split(" "),
);

function isStrong(value: string): boolean {
  return (
    value.length >= 16 || (value.length >= 4 && /\d/.test(value)) || /[!@#$%^&*+=?_~]\S/.test(value.slice(1))
  );
}
