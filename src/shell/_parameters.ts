import type { ParameterOperation, Word as SyntaxWord } from "unbash";
import { replacedMatch, withoutMatch } from "./_pattern.ts";
import type { Value } from "./words.ts";

/** What an operation may have to look up. */
interface Reach {
  readonly expand: (word: SyntaxWord) => Value;
  /** The value of an expression such as `i+1`. */
  readonly number: (word: SyntaxWord) => number | undefined;
  /** `${x:=y}` gives the variable a value. */
  readonly assign: (value: Value) => void;
}

/** `${x:-default}`, `${x%.txt}` and their like, where both sides are known. */
export function applyOperation(
  operation: ParameterOperation,
  value: Value | undefined,
  text: string,
  { expand, number, assign }: Reach,
): Value {
  // What comes out of a command stays from there, whatever is cut off it.
  const unknown: Value = { text, known: false, ...(value?.from ? { from: value.from } : {}) };
  const known = (result: string | undefined): Value =>
    result === undefined ? unknown : { text: result, known: true };
  switch (operation.type) {
    case "Default": {
      const operand = expand(operation.operand);
      const result = withDefault(operation.operator, value, operand);
      if (operation.operator.endsWith("=") && result === operand) assign(operand);
      return result;
    }
    case "Remove": {
      const pattern = expand(operation.operand);
      if (!value?.known || !pattern.known) return unknown;
      return known(withoutMatch(value.text, pattern.text, operation.operator));
    }
    case "Replace": {
      const pattern = expand(operation.pattern);
      const next = expand(operation.replacement);
      if (!value?.known || !pattern.known || !next.known) return unknown;
      return known(replacedMatch(value.text, pattern.text, next.text, operation.operator));
    }
    case "Slice": {
      const offset = number(operation.offset);
      const length = operation.length ? number(operation.length) : Infinity;
      if (!value?.known || offset === undefined || length === undefined) return unknown;
      const from = offset < 0 ? Math.max(0, value.text.length + offset) : offset;
      return known(length < 0 ? value.text.slice(from, length) : value.text.slice(from, from + length));
    }
    case "CaseModification":
      if (!value?.known) return unknown;
      if (operation.operator === "^^") return known(value.text.toUpperCase());
      if (operation.operator === ",,") return known(value.text.toLowerCase());
      return known(firstLetter(value.text, operation.operator));
    case "Transform":
      return value?.known ? known(transformed(value.text, operation.operand.text)) : unknown;
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

/** `${x@U}` and its relatives. */
function transformed(text: string, letter: string): string | undefined {
  if (letter === "U") return text.toUpperCase();
  if (letter === "L") return text.toLowerCase();
  if (letter === "u") return firstLetter(text, "^");
  if (letter === "Q") return `'${text.replaceAll("'", `'\\''`)}'`;
  return undefined;
}

const firstLetter = (text: string, operator: string): string =>
  (operator === "^" ? text.slice(0, 1).toUpperCase() : text.slice(0, 1).toLowerCase()) + text.slice(1);
