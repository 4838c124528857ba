import { is, type Token } from "./_code-token.ts";
import { either, joined, listOfBoth, nameOf, repeated, unknown, type Value } from "./_code-value.ts";
import { peek, type Reader, type World } from "./_code-world.ts";

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
const powers: ReadonlyMap<string, number> = new Map([
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

/** How strongly a token binds as an operator; `x` and `in` are operators in one language and names in another. */
export function operatorPower(reader: Reader, token: Token): number | undefined {
  const { can, joins, members } = reader.world.dialect;
  if (token.kind !== "sign" && token.kind !== "word") return undefined;
  if (token.text === "if") return can.comprehend && 2;
  if (token.text === "x") return can.flatten && 8;
  if (token.text === "as") return can.comprehend || can.blockAsValue ? undefined : 6;
  if (token.text === "." && joins !== ".") return undefined;
  // In awk these send what is printed to a file.
  if (can.juxtapose && (token.text === ">" || token.text === ">>")) return undefined;
  return members.has(token.text) ? undefined : powers.get(token.text);
}

export const beginsTerm = (token: Token): boolean =>
  token.kind === "text" ||
  token.kind === "number" ||
  token.kind === "word" ||
  is(token, "$") ||
  is(token, "(");

const stops = new Set("if unless while until for foreach do end then else elsif rescue".split(" "));

/** Can an argument without brackets begin here? */
export function beginsArgument(reader: Reader, token: Token): boolean {
  if (token.kind === "text" || token.kind === "number" || token.kind === "command") return true;
  if (token.kind === "word") return !stops.has(token.text) && operatorPower(reader, token) === undefined;
  return (
    token.kind === "sign" &&
    token.spaced &&
    "[-*\\(".includes(token.text) &&
    peek(reader, 1)?.spaced === false
  );
}
