import { hole, home, isHoled, type Value, joined, optionsOf, text } from "./_code-value.ts";

// A command line with gaps is still worth judging, so what is only known at run time becomes a variable:
// the reader of command lines knows that it cannot know those.
const variables: Readonly<Record<string, string>> = { [hole]: "$unknown", [home]: "$HOME" };

/** The command lines a value may stand for: a text as it is, a list as words. Nothing known gives a lone hole. */
export function commandLines(value: Value): readonly string[] {
  const whole = value.is === "list" ? joined(value.items.map(quotedWord), " ") : value;
  return optionsOf(whole).map((option) => (isHoled(option) ? filled(option) : option));
}

const quotedWord = (value: Value): Value => {
  const options = optionsOf(value);
  return text(...options.map(quoted));
};

/** One word of a command line, whatever characters are in it. */
export function quoted(word: string): string {
  if (word === "") return "''";
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!isHoled(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  return word
    .split(/([\uE000\uE001])/)
    .map((part) => (part === "" ? "" : isHoled(part) ? `"${part}"` : quoted(part)))
    .join("");
}

/** Puts variables into the gaps, out of single quotes so that they stay variables. */
function filled(line: string): string {
  if (/^[\s"\uE000]*$/.test(line)) return hole;
  let out = "";
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    const variable = variables[char];
    if (variable !== undefined) {
      const next = line.charAt(at + 1);
      const braced = /\w/.test(next) ? `\${${variable.slice(1)}}` : variable;
      out += quote === "'" ? `'"${braced}"'` : braced;
      continue;
    }
    out += char;
    if (char === "\\" && quote !== "'" && variables[line.charAt(at + 1)] === undefined)
      out += line.charAt(++at);
    else if (char === quote) quote = "";
    else if ((char === "'" || char === '"') && quote === "") quote = char;
  }
  return out;
}
