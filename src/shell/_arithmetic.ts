import { parse, type ArithmeticExpression } from "unbash";
import type { Scope, Value } from "./words.ts";

/** How an expression looks at variables, and gives them values. */
interface Reach {
  readonly scope: Scope;
  readonly expand: (
    parts: NonNullable<(ArithmeticExpression & { type: "ArithmeticWord" })["parts"]>,
  ) => Value;
}

/** The number a text such as `i+1` stands for, when that can be told. */
export function numberOf(text: string, reach: Reach): number | undefined {
  const plain = /^\s*(-?\d{1,15})\s*$/.exec(text)?.[1];
  if (plain !== undefined) return Number(plain);
  if (text.length > 200 || !/^[\w\s+*/%<>=!&|^~?:,()${}#-]*$/.test(text)) return undefined;
  const command = parse(`((${text}))`).commands[0]?.command;
  return command?.type === "ArithmeticCommand" ? calculated(command.expression, reach) : undefined;
}

/** Works an expression out, with what it assigns on the way. */
export function calculated(node: ArithmeticExpression | undefined, reach: Reach): number | undefined {
  const value = node === undefined ? undefined : valueOf(node, reach);
  return value !== undefined && Number.isSafeInteger(value) ? value : undefined;
}

function valueOf(node: ArithmeticExpression, reach: Reach): number | undefined {
  switch (node.type) {
    case "ArithmeticGroup":
      return calculated(node.expression, reach);
    case "ArithmeticWord": {
      const value = node.parts ? reach.expand(node.parts) : { text: node.value, known: true };
      return value.known ? named(value.text.trim(), reach) : undefined;
    }
    case "ArithmeticTernary": {
      const test = calculated(node.test, reach);
      if (test === undefined) return undefined;
      return calculated(test === 0 ? node.alternate : node.consequent, reach);
    }
    case "ArithmeticUnary":
      return unary(node, reach);
    case "ArithmeticBinary":
      return binary(node, reach);
    default:
      return undefined;
  }
}

function named(text: string, { scope }: Reach): number | undefined {
  if (/^\d{1,15}$/.test(text) && !/^0\d/.test(text)) return Number(text);
  if (/^0[xX][\da-fA-F]{1,12}$/.test(text)) return parseInt(text, 16);
  if (/^0[0-7]{1,12}$/.test(text)) return parseInt(text, 8);
  const based = /^(\d{1,2})#(\w{1,10})$/.exec(text);
  if (based && Number(based[1]) >= 2 && Number(based[1]) <= 36)
    return parseInt(based[2] ?? "", Number(based[1]));
  if (!/^[A-Za-z_]\w*$/.test(text)) return undefined;
  const value = scope.get(text);
  // A variable that was never set counts as nothing.
  if (!value) return /^[a-z_]/.test(text) ? 0 : undefined;
  if (!value.known) return undefined;
  return /^\s*-?\d{1,15}\s*$/.test(value.text) ? Number(value.text) : value.text === "" ? 0 : undefined;
}

function assign(node: ArithmeticExpression, value: number | undefined, { scope }: Reach): number | undefined {
  if (node.type !== "ArithmeticWord" || !/^[A-Za-z_]\w*$/.test(node.value)) return undefined;
  scope.set(
    node.value,
    value === undefined ? { text: `$${node.value}`, known: false } : { text: String(value), known: true },
  );
  return value;
}

function unary(node: ArithmeticExpression & { type: "ArithmeticUnary" }, reach: Reach): number | undefined {
  const value = calculated(node.operand, reach);
  if (node.operator === "++" || node.operator === "--") {
    const next = value === undefined ? undefined : value + (node.operator === "++" ? 1 : -1);
    assign(node.operand, next, reach);
    return node.prefix ? next : value;
  }
  if (value === undefined) return undefined;
  if (node.operator === "-") return -value;
  if (node.operator === "!") return value === 0 ? 1 : 0;
  return node.operator === "~" ? ~value : value;
}

function binary(node: ArithmeticExpression & { type: "ArithmeticBinary" }, reach: Reach): number | undefined {
  const { operator } = node;
  if (operator === "=") return assign(node.left, calculated(node.right, reach), reach);
  const left = calculated(node.left, reach);
  const right = calculated(node.right, reach);
  const change = /^([-+*/%&|^]|<<|>>)=$/.exec(operator)?.[1];
  if (change !== undefined) return assign(node.left, combined(change, left, right), reach);
  return operator === "," ? right : combined(operator, left, right);
}

function combined(operator: string, left: number | undefined, right: number | undefined): number | undefined {
  if (left === undefined || right === undefined) return undefined;
  const make = operators[operator];
  return make?.(left, right);
}

const operators: Readonly<Record<string, (a: number, b: number) => number | undefined>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0 ? undefined : Math.trunc(a / b)),
  "%": (a, b) => (b === 0 ? undefined : a % b),
  "**": (a, b) => a ** b,
  "<<": (a, b) => a * 2 ** b,
  ">>": (a, b) => Math.floor(a / 2 ** b),
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "&&": (a, b) => (a !== 0 && b !== 0 ? 1 : 0),
  "||": (a, b) => (a !== 0 || b !== 0 ? 1 : 0),
  "<": (a, b) => (a < b ? 1 : 0),
  ">": (a, b) => (a > b ? 1 : 0),
  "<=": (a, b) => (a <= b ? 1 : 0),
  ">=": (a, b) => (a >= b ? 1 : 0),
  "==": (a, b) => (a === b ? 1 : 0),
  "!=": (a, b) => (a === b ? 0 : 1),
};
