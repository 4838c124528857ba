import type { ParameterOperation, Word as SyntaxWord } from "unbash";
import type { Value } from "./words.ts";

/** `${x:-default}`, `${x%.txt}` and their like, where both sides are known. */
export function applyOperation(
  operation: ParameterOperation,
  value: Value | undefined,
  text: string,
  expand: (word: SyntaxWord) => Value,
): Value {
  const unknown: Value = { text, known: false };
  switch (operation.type) {
    case "Default":
      return withDefault(operation.operator, value, expand(operation.operand));
    case "Remove": {
      const pattern = expand(operation.operand);
      if (!value?.known || !pattern.known) return unknown;
      return { text: removed(value.text, pattern.text, operation.operator), known: true };
    }
    case "Replace": {
      const pattern = expand(operation.pattern);
      const next = expand(operation.replacement);
      if (!value?.known || !pattern.known || !next.known || /[*?[]/.test(pattern.text)) return unknown;
      const replaced =
        operation.operator === "//"
          ? value.text.split(pattern.text).join(next.text)
          : value.text.replace(pattern.text, () => next.text);
      return { text: replaced, known: true };
    }
    case "Slice": {
      const offset = Number(expand(operation.offset).text);
      const length = operation.length ? Number(expand(operation.length).text) : undefined;
      if (!value?.known || Number.isNaN(offset) || Number.isNaN(length)) return unknown;
      const from = offset < 0 ? Math.max(0, value.text.length + offset) : offset;
      return { text: value.text.slice(from, length === undefined ? undefined : from + length), known: true };
    }
    case "CaseModification":
      if (!value?.known) return unknown;
      if (operation.operator === "^^") return { text: value.text.toUpperCase(), known: true };
      if (operation.operator === ",,") return { text: value.text.toLowerCase(), known: true };
      return { text: firstLetter(value.text, operation.operator), known: true };
    default:
      return unknown;
  }
}

function withDefault(operator: string, value: Value | undefined, operand: Value): Value {
  if (operator.endsWith("+")) return value ? operand : { text: "", known: false };
  // Whatever it is, it is not empty, or nothing runs.
  if (operator.endsWith("?")) return value ?? { text: "unknown", known: true };
  // A variable from outside may be empty: then the default counts, so the default is the worst case.
  return value?.known && value.text !== "" ? value : operand;
}

function removed(text: string, pattern: string, operator: string): string {
  const source = [...pattern]
    .map((char) => (char === "*" ? ".*" : char === "?" ? "." : char.replace(/[\\^$.|+()[\]{}]/g, "\\$&")))
    .join("");
  if (source.length > 100) return text;
  const lazy = source.replaceAll(".*", ".*?");
  if (operator === "#") return text.replace(new RegExp(`^${lazy}`, "s"), "");
  if (operator === "##") return text.replace(new RegExp(`^${source}`, "s"), "");
  if (operator === "%") {
    const suffix = new RegExp(`^${source}$`, "s");
    for (let at = text.length; at >= 0; at--) if (suffix.test(text.slice(at))) return text.slice(0, at);
    return text;
  }
  return operator === "%%" ? text.replace(new RegExp(`${source}$`, "s"), "") : text;
}

const firstLetter = (text: string, operator: string): string =>
  (operator === "^" ? text.slice(0, 1).toUpperCase() : text.slice(0, 1).toLowerCase()) + text.slice(1);
