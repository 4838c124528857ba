import { either, joined, listOfBoth, nameOf, repeated, unknown, type Value } from "./_code-value.ts";
import type { World } from "./_code-world.ts";

const levels: readonly (readonly string[])[] = [
  ["or", "and", "xor"],
  ["?"],
  ["||", "??", "?:"],
  ["&&"],
  ["|", "^", "&", "|&"],
  ["==", "!=", "===", "!==", "<", ">", "<=", ">=", "=~", "!~", "<=>", "~", "eq", "ne", "lt", "gt"],
  ["+", "-", ".", "<<", ">>"],
  ["*", "/", "%", "x", "//"],
  ["**"],
];

/** How strongly operators bind, of all the languages at once; the weakest is 1. */
export const powers: ReadonlyMap<string, number> = new Map([
  ...levels.flatMap((signs, at) => signs.map((sign) => [sign, at + 1] as const)),
  ...["in", "is", "as", "instanceof", "..", "..."].map((sign) => [sign, 6] as const),
]);
export const juxtaposition = 7;
export const unary = 9;

/** The value an operator makes of two others. */
export function applied(world: World, sign: string, left: Value, right: Value): Value {
  const { dialect } = world;
  const special = dialect.apply?.(world, sign, left, right);
  if (special !== undefined) return special;
  if (left.is === "number" && right.is === "number" && sign !== ".")
    return calculated(sign, left.number, right.number);
  if (sign === "+" && left.is === "list" && right.is === "list") return listOfBoth(left.items, right.items);
  if (sign === dialect.joins) return joined([left, right]);
  switch (sign) {
    case "||":
    case "??":
    case "?:":
    case "or":
      return either(left, right);
    case "&&":
    case "and":
      return right;
    case "as":
      return left;
    case "*":
    case "x":
      if (right.is === "number") return repeated(left, right.number);
      return left.is === "number" ? repeated(right, left.number) : unknown;
    case "|":
      // Flags such as `os.O_WRONLY | os.O_CREAT` are told by their names.
      return left.is === "name" && right.is === "name" ? nameOf(`${left.name}|${right.name}`) : unknown;
    default:
      return unknown;
  }
}

function calculated(sign: string, left: number, right: number): Value {
  switch (sign) {
    case "+":
      return { is: "number", number: left + right };
    case "-":
      return { is: "number", number: left - right };
    case "*":
      return { is: "number", number: left * right };
    case "/":
      return { is: "number", number: left / right };
    case "%":
      return { is: "number", number: left % right };
    case "^":
      return { is: "number", number: left ^ right };
    case "|":
      return { is: "number", number: left | right };
    default:
      return unknown;
  }
}
