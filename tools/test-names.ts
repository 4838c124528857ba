// The names of the tests in a TypeScript source: what is written inside test(), it() or describe(), never
// what a comment, a fixture string or other code happens to say.

export type TestName = { name: string; line: number };

type Token = { kind: "string" | "word" | "mark"; text: string; line: number };

const callees = new Set(["test", "it", "describe"]);
const takesArguments = new Set(["each", "if", "skipIf", "todoIf"]);

export function testNames(source: string): TestName[] {
  const tokens = tokenize(source);
  const names: TestName[] = [];
  tokens.forEach((token, at) => {
    if (token.kind !== "word" || !callees.has(token.text) || tokens[at - 1]?.text === ".") return;
    let next = at + 1;
    let rows: Token[] = [];
    while (isMark(tokens[next], ".")) {
      const modifier = tokens[next + 1]?.text ?? "";
      next += 2;
      if (!takesArguments.has(modifier)) continue;
      const end = isMark(tokens[next], "(") ? closing(tokens, next) : next;
      if (modifier === "each") rows = tokens.slice(next, end + 1);
      next = end + 1;
    }
    if (!isMark(tokens[next], "(")) return;
    let name = "";
    for (next++; tokens[next]?.kind === "string" || isMark(tokens[next], "+"); next++) {
      if (tokens[next]?.kind === "string") name += tokens[next]?.text;
    }
    if (name === "") return;
    names.push({ name, line: token.line });
    // A row of test.each becomes part of the name where the name has a place for it.
    if (!/%[sp]|\$\w/.test(name)) return;
    for (const row of rows) {
      if (row.kind === "string" && /^(?:S\d+-[RFC]|X)\d/.test(row.text)) {
        names.push({ name: row.text, line: row.line });
      }
    }
  });
  return names;
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === "mark" && token.text === text;
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (isMark(tokens[at], "(")) depth++;
    if (isMark(tokens[at], ")") && --depth === 0) return at;
  }
  return tokens.length;
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  while (at < source.length) {
    const rest = lexeme(source, at, tokens.at(-1));
    const text = source.slice(at, rest.end);
    if (rest.kind === "string") tokens.push({ kind: "string", text: literal(text), line });
    else if (rest.kind !== "space") tokens.push({ kind: rest.kind, text, line });
    line += text.split("\n").length - 1;
    at = rest.end;
  }
  return tokens;
}

type Lexeme = { kind: Token["kind"] | "space"; end: number };

function lexeme(source: string, at: number, previous: Token | undefined): Lexeme {
  const sticky = (pattern: RegExp) => {
    pattern.lastIndex = at;
    return pattern.test(source) ? pattern.lastIndex : 0;
  };
  const space = sticky(/\s+|\/\/.*|\/\*[^]*?(?:\*\/|$)/y);
  if (space) return { kind: "space", end: space };
  const word = sticky(/[\w$]+/y);
  if (word) return { kind: "word", end: word };
  const quoted = sticky(/"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?/y);
  if (quoted) return { kind: "string", end: quoted };
  if (source[at] === "`") return { kind: "string", end: templateEnd(source, at) };
  const regex =
    source[at] === "/" && startsExpression(previous)
      ? sticky(/\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y)
      : 0;
  // A regex is data, like a number: it only has to be stepped over.
  if (regex) return { kind: "word", end: regex };
  return { kind: "mark", end: at + 1 };
}

// A slash opens a regex where a value may begin, and divides where one has just ended.
function startsExpression(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === "mark") return previous.text !== ")" && previous.text !== "]";
  return /^(?:return|typeof|case|in|of|yield|await|else)$/.test(previous.text);
}

function templateEnd(source: string, open: number): number {
  let at = open + 1;
  while (at < source.length && source[at] !== "`") {
    if (source[at] === "\\") at += 2;
    else if (source.startsWith("${", at)) at = holeEnd(source, at + 2);
    else at++;
  }
  return at + 1;
}

function holeEnd(source: string, start: number): number {
  let previous: Token | undefined;
  let depth = 1;
  let at = start;
  while (at < source.length && depth > 0) {
    const { kind, end } = lexeme(source, at, previous);
    const text = source.slice(at, end);
    if (kind !== "space") previous = { kind, text, line: 0 };
    if (kind === "mark" && text === "{") depth++;
    if (kind === "mark" && text === "}") depth--;
    at = end;
  }
  return at;
}

// What a template fills in at run time cannot be read here; the underscore keeps `S0-R5${n}` from being
// taken for S0-R5.
function literal(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (!quoted.startsWith("`")) return inner;
  let text = "";
  for (let at = 0; at < inner.length;) {
    const hole = inner.indexOf("${", at);
    if (hole === -1) return text + inner.slice(at);
    text += `${inner.slice(at, hole)}_`;
    at = holeEnd(inner, hole + 2);
  }
  return text;
}
