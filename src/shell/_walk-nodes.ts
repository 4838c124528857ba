import type { CommandNode, PipelineNode, Statement, SyntaxNode } from "unbash";
import type { Run } from "./model.ts";
import { maxRuns, copyOf, at, type Walk, type State, type Context } from "./_walk.ts";
import { scopeOf, substitutionsIn, calculate } from "./_walk-scope.ts";
import { feedInto, redirectsOf } from "./_walk-redirects.ts";
import { emit } from "./_walk-emit.ts";
import { walkCommand } from "./_walk-command.ts";
import { walkLoop, walkWhile, walkCounting } from "./_walk-loops.ts";
import { pipesItself } from "./_walk-forks.ts";
import { expandWord } from "./words.ts";

export function walkStatement(walk: Walk, statement: Statement, state: State, context: Context): Run[] {
  return walkNode(walk, statement.command, state, context);
}

export function walkList(
  walk: Walk,
  node: { commands: readonly Statement[] } | undefined,
  state: State,
  context: Context,
): Run[] {
  return node?.commands.flatMap((statement) => walkStatement(walk, statement, state, context)) ?? [];
}

function walkNode(
  walk: Walk,
  node: PipelineNode | Statement["command"],
  state: State,
  context: Context,
): Run[] {
  if (walk.runs.length > maxRuns) {
    walk.note("too many commands");
    return [];
  }
  switch (node.type) {
    case "Pipeline": {
      let before: Run[] | undefined;
      const all: Run[] = [];
      for (const command of node.commands) {
        const inner = before
          ? { ...context, stdin: { from: "commands", commands: before } as const }
          : context;
        before = walkNode(walk, command, node.commands.length > 1 ? copyOf(state) : state, inner);
        all.push(...before);
      }
      return node.commands.length > 1 ? (before ?? []) : all;
    }
    case "AndOr":
      return node.commands.flatMap((command) => walkNode(walk, command, state, context));
    case "Subshell":
      return walk.list(node.body, copyOf(state), context);
    case "BraceGroup":
      return walk.list(node.body, state, context);
    case "If":
      return [
        ...walk.list(node.clause, state, context),
        ...walk.list(node.then, state, context),
        ...node.elif.flatMap((each) => [
          ...walk.list(each.clause, state, context),
          ...walk.list(each.then, state, context),
        ]),
        ...walk.list(node.else, state, context),
      ];
    case "While":
      return walkWhile(walk, node, state, context);
    case "For":
    case "Select":
      return walkLoop(
        walk,
        node.name.value,
        node.wordlist?.flatMap((word) => expandWord(word, scopeOf(walk, state, context))),
        node.body,
        state,
        context,
      );
    case "ArithmeticFor":
      return walkCounting(walk, node, state, context);
    case "Case": {
      const before = copyOf(state);
      return node.items.flatMap((item) => {
        const inner = copyOf(before);
        const ran = walk.list(item.body, inner, context);
        for (const [name, value] of inner.vars)
          if (before.vars.get(name) !== value) state.vars.set(name, value);
        return ran;
      });
    }
    case "Function":
      state.functions.set(node.name.value, node.body);
      // A function that pipes itself into itself never ends.
      return pipesItself(node.body, node.name.value)
        ? [
            emit(walk, {
              program: "fork bomb",
              called: node.name.value,
              args: [],
              redirects: [],
              ...at(state, context),
            }),
          ]
        : [];
    case "Coproc":
      return walk.body(node.body, copyOf(state), context);
    case "Redirected": {
      const { redirects, stdin, fds } = redirectsOf(walk, node.redirects, state, context);
      const before = state.fds;
      state.fds = fds;
      const inner = walkNode(walk, node.command, state, stdin ? { ...context, stdin } : context);
      state.fds = before;
      feedInto(walk, node.redirects, inner, state, context);
      const own =
        redirects.length > 0
          ? [emit(walk, { program: "", called: "", args: [], redirects, ...at(state, context) })]
          : [];
      return [...inner, ...own];
    }
    case "Command":
      return walkCommand(walk, node, state, context);
    case "ArithmeticCommand":
      if (/\$\(|`/.test(node.body)) substitutionsIn(node, scopeOf(walk, state, context));
      else calculate(node.expression, scopeOf(walk, state, context));
      return [];
    default:
      // Tests run nothing but the walk.substitutions inside them.
      substitutionsIn(node, scopeOf(walk, state, context));
      return [];
  }
}

export function walkBody(walk: Walk, node: SyntaxNode, state: State, context: Context): Run[] {
  return node.type === "CompoundList"
    ? walk.list(node, state, context)
    : walkNode(walk, node as CommandNode, state, context);
}
