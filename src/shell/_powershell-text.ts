import { charAt, type Script, take } from "./_powershell-script.ts";
import { concatenated, constantOf, nothing, type PsValue, textOf, unknownOf } from "./_powershell-value.ts";

// PowerShell takes typographic quotes for quotes.
const singles = "'‘’‚‛";
const doubles = '"“”„';

export const isQuote = (char: string): boolean =>
  char !== "" && (singles.includes(char) || doubles.includes(char));

/** Reads a string from its opening quote on. */
export function quotedText(script: Script): PsValue {
  const quotes = singles.includes(charAt(script)) ? singles : doubles;
  script.at++;
  if (quotes === doubles) return expanded(script, quotes);
  const { text } = script;
  let content = "";
  for (let from = script.at; ; script.at++) {
    const char = text.charAt(script.at);
    if (char !== "" && !singles.includes(char)) continue;
    content += text.slice(from, script.at);
    script.at = Math.min(script.at + 1, text.length);
    if (char === "" || !isQuoteOf(singles, charAt(script))) return constantOf(content);
    from = script.at;
  }
}

const isQuoteOf = (quotes: string, char: string): boolean => char !== "" && quotes.includes(char);

/** Reads `@"…"@` and `@'…'@`, or nothing when it is something else. */
export function hereString(script: Script): PsValue | undefined {
  const opening = take(script, /@(["'])[ \t]*\r?\n/y);
  if (opening === undefined) return undefined;
  const quote = opening[1] ?? "'";
  const end = script.text.indexOf(`\n${quote}@`, script.at - 1);
  const content = script.text.slice(script.at, end < 0 ? script.text.length : Math.max(end, script.at));
  if (quote === "'") {
    script.at = end < 0 ? script.text.length : end + 3;
    return constantOf(content.replace(/\r$/, ""));
  }
  const value = expanded(script.inside(content), "");
  script.at = end < 0 ? script.text.length : end + 3;
  return value;
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  a: "\u0007",
  b: "\b",
  e: "\u001b",
  f: "\f",
  v: "\v",
};

/** Reads text with variables in it, up to a closing quote or the end. */
function expanded(script: Script, quotes: string): PsValue {
  const { text } = script;
  let value: PsValue = constantOf("");
  let plain = "";
  const add = (more: PsValue): void => {
    value = concatenated(concatenated(value, constantOf(plain)), { ...more, items: [textOf(more)] });
    plain = "";
  };
  while (script.at < text.length) {
    const char = text.charAt(script.at);
    if (isQuoteOf(quotes, char)) {
      script.at++;
      if (!isQuoteOf(quotes, charAt(script))) break;
    } else if (char === "`") {
      const next = charAt(script, 1);
      plain += escapes[next] ?? next;
      script.at += 2;
      continue;
    } else if (char === "$") {
      const inner = dollar(script);
      if (inner !== undefined) {
        add(inner);
        continue;
      }
    }
    plain += charAt(script);
    script.at++;
  }
  return concatenated(value, constantOf(plain));
}

/** Reads `$x` or `$(…)`, or nothing for a lone dollar sign. */
export function dollar(script: Script): PsValue | undefined {
  const start = script.at;
  if (charAt(script, 1) === "(") {
    script.at += 2;
    const value = script.statements(")");
    return value.known ? value : unknownOf(script.text.slice(start, Math.min(script.at, start + 200)));
  }
  const name = variableName(script);
  return name === undefined ? undefined : variableValue(script, name);
}

const variable = /\$(?:\{([^}\n]{1,200})\}|((?:[A-Za-z]+:)?\w+|[$?^]))/y;

/** The name of a variable in small letters, without where it is kept. */
export function variableName(script: Script): string | undefined {
  const found = take(script, variable);
  return (found?.[1] ?? found?.[2])?.toLowerCase().replace(/^(?:script|global|local|private|variable):/, "");
}

function variableValue({ element, world }: Script, name: string): PsValue {
  switch (name) {
    case "_":
    case "psitem":
      return element ?? unknownOf("$_");
    case "true":
      return constantOf("True");
    case "false":
      return constantOf("False");
    case "null":
      return nothing;
    case "home":
    case "env:userprofile":
    case "env:home":
      return world.variables.get(name) ?? constantOf("~");
    case "pwd":
    case "psscriptroot":
      return constantOf(".");
    default:
      return world.variables.get(name) ?? unknownOf(`$${name}`);
  }
}

const stops = new Set([
  " ",
  "\t",
  "\r",
  "\n",
  "\u00a0",
  ";",
  "|",
  "&",
  "(",
  ")",
  "{",
  "}",
  ",",
  ">",
  "<",
  "",
]);

/** Reads a word without quotes around it, up to what ends it. */
export function bareWord(script: Script, first: PsValue = constantOf("")): PsValue {
  let value = first;
  let plain = "";
  for (;;) {
    const char = charAt(script);
    if (stops.has(char)) break;
    if (char === "`") {
      if (/[\r\n]/.test(charAt(script, 1))) break;
      plain += charAt(script, 1);
      script.at = Math.min(script.at + 2, script.text.length);
      continue;
    }
    const inner = isQuote(char) ? quotedText(script) : char === "$" ? dollar(script) : undefined;
    if (inner !== undefined) {
      value = concatenated(concatenated(value, constantOf(plain)), inner);
      plain = "";
      continue;
    }
    plain += char;
    script.at++;
  }
  return plain === "" ? value : concatenated(value, constantOf(plain));
}
