import { parse } from "unbash";
import { maxLength, maxNesting, nesting } from "./_nesting.ts";

/** A variable that is put in somewhere. */
export interface Expansion {
  readonly name: string;
  readonly pos: number;
  /** Its value is split into words and matched against file names: it stands outside quotes where that matters. */
  readonly splits: boolean;
}

/** A command as it is written, wrappers and all. */
export interface WrittenCommand {
  /** Its name, where that is plain text. */
  readonly name: string;
  readonly pos: number;
  /** Its words behind the name as they are written, each with the variables and the commands in it. */
  readonly args: readonly {
    readonly text: string;
    readonly names: readonly string[];
    readonly commands: readonly string[];
  }[];
}

export interface Assigned {
  readonly name: string;
  /** The variables and commands its value is made of. */
  readonly from: readonly string[];
  readonly commands: readonly string[];
}

/** What stands in a shell script, for whoever reads it rather than follows it. */
export interface Syntax {
  readonly expansions: readonly Expansion[];
  readonly commands: readonly WrittenCommand[];
  /** Commands of which each reads what the one before it prints. */
  readonly pipelines: readonly (readonly WrittenCommand[])[];
  readonly assigned: readonly Assigned[];
  /** `if`, `case`, `[[ … ]]`, `&&`, `||`: it decides something. */
  readonly decides: boolean;
  /** Patterns of `[[ a == b ]]` and `case`, as they are written. */
  readonly patterns: readonly { readonly text: string; readonly pos: number }[];
  /** Files it writes to by redirection. */
  readonly redirects: readonly { readonly text: string; readonly mode: string; readonly pos: number }[];
}

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Places where an unquoted value stays one word. */
const whole = new Set([
  "DoubleQuoted",
  "LocaleString",
  "Assignment",
  "HereDocBody",
  "HereString",
  "TestCommand",
]);
const deciding = new Set(["If", "Case", "TestCommand", "AndOr"]);

/** Reads a shell script without following it. What cannot be parsed is left out. */
export function syntaxOf(text: string): Syntax {
  const expansions: Expansion[] = [];
  const commands: WrittenCommand[] = [];
  const pipelines: (readonly WrittenCommand[])[] = [];
  const assigned: Assigned[] = [];
  const patterns: { text: string; pos: number }[] = [];
  const redirects: { text: string; mode: string; pos: number }[] = [];
  let decides = false;

  const visit = (node: unknown, splits: boolean, depth: number): void => {
    if (depth > deepest) return;
    if (Array.isArray(node)) {
      for (const each of node) visit(each, splits, depth + 1);
      return;
    }
    if (!isNode(node)) return;
    const type = String(node["type"]);
    const pos = Number(node["pos"] ?? 0);
    if (deciding.has(type)) decides = true;
    if (type === "SimpleExpansion" || type === "ParameterExpansion")
      expansions.push({ name: nameOf(node), pos, splits });
    if (type === "Command") note(node, pos);
    if (type === "Pipeline" && Array.isArray(node["commands"]))
      pipelines.push(node["commands"].filter(isNode).map(toCommand));
    if (type === "TestBinary") patterns.push(written(node["right"]));
    if (type === "CaseItem") for (const each of node["pattern"] as Node[]) patterns.push(written(each));
    if (type === "Redirect" && isNode(node["target"]))
      redirects.push({ ...written(node["target"]), mode: String(node["operator"]) });
    // A substitution is a script of its own: what is quoted around it is not quoted in it.
    const inner =
      type === "CommandExpansion" || type === "ProcessSubstitution" || (splits && !whole.has(type));
    for (const [key, value] of childrenOf(node)) {
      // The word of a `case` and the name of a loop are not split.
      visit(value, inner && !(type === "Case" && key === "word"), depth + 1);
    }
  };

  const note = (node: Node, pos: number): void => {
    commands.push({ ...toCommand(node), pos });
    for (const each of [...((node["prefix"] ?? []) as Node[]), ...wordsOf(node)])
      if (each["type"] === "Assignment") {
        const { names, commands: run } = namesIn(each["value"]);
        assigned.push({ name: String(each["name"]), from: names, commands: run });
      }
  };

  // What is stacked without end is not worth reading, and nobody would get through it.
  if (text.length <= maxLength && nesting(text) <= maxNesting)
    visit(parse(text.replaceAll("\r\n", "\n")).commands, true, 0);
  return { expansions, commands, pipelines, assigned, decides, patterns, redirects };
}

const wordsOf = (node: Node): Node[] => (node["suffix"] ?? node["args"] ?? []) as Node[];

const toCommand = (node: Node): WrittenCommand => ({
  name: isNode(node["name"]) ? String(node["name"]["value"] ?? node["name"]["text"]) : "",
  pos: Number(node["pos"] ?? 0),
  args: wordsOf(node)
    .filter((word) => word["type"] === "Word")
    .map((word) => ({ text: String(word["text"]), ...namesIn(word) })),
});

const deepest = 400;

/** Some of them are worked out when asked for, and are no property of the node's own. */
const lazy = ["parts", "script", "expression", "value"];

const childrenOf = (node: Node): [string, unknown][] =>
  [...new Set([...Object.keys(node), ...lazy])].map((key) => [key, node[key]]);

const written = (node: unknown): { text: string; pos: number } =>
  isNode(node) ? { text: textOf(node["text"]), pos: Number(node["pos"] ?? 0) } : { text: "", pos: 0 };

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const nameOf = (node: Node): string =>
  typeof node["parameter"] === "string" ? node["parameter"] : String(node["text"]).replace(/^\$/, "");

/** The variables and the commands somewhere below a node. */
function namesIn(node: unknown): { names: string[]; commands: string[] } {
  const names: string[] = [];
  const commands: string[] = [];
  const visit = (each: unknown, depth: number): void => {
    if (depth > deepest) return;
    if (Array.isArray(each)) for (const one of each) visit(one, depth + 1);
    if (!isNode(each)) return;
    if (each["type"] === "SimpleExpansion" || each["type"] === "ParameterExpansion") names.push(nameOf(each));
    if (each["type"] === "Command" && isNode(each["name"])) commands.push(String(each["name"]["text"]));
    for (const [, value] of childrenOf(each)) visit(value, depth + 1);
  };
  visit(node, 0);
  return { names, commands };
}
