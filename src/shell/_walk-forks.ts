import { forEachChild, type Statement, type SyntaxNode } from "unbash";

export function pipesItself(node: SyntaxNode, name: string): boolean {
  let found = false;
  let inLoop = false;
  const look = (each: SyntaxNode): void => {
    if (each.type === "Pipeline") {
      const calls = each.commands.filter(
        (command) => command.type === "Command" && command.name?.value === name,
      );
      if (calls.length > 1) found = true;
    }
    // One copy of itself in the background, and the next at once.
    if (each.type === "CompoundList" || each.type === "BraceGroup" || each.type === "Subshell") {
      const list = each.type === "CompoundList" ? each.commands : each.body.commands;
      const own = list.filter((statement) => isCallOf(statement, name));
      if (own.some((statement) => statement.background) && (own.length > 1 || inLoop)) found = true;
    }
    const before = inLoop;
    if (each.type === "While") inLoop = true;
    if (!found) forEachChild(each, look);
    inLoop = before;
  };
  look(node);
  return found;
}

function isCallOf({ command }: Statement, name: string): boolean {
  const [only, ...more] =
    command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
  return more.length === 0 && only?.type === "Command" && only.name?.value === name;
}
