import { isOneOf } from "../core/one-of.ts";
import { forEachChild, type ArithmeticExpression, type Statement, type SyntaxNode } from "unbash";
import type { Run, Word } from "./model.ts";
import { namesFrom } from "./_find.ts";
import { at, deeper, type Walk, type State, type Context } from "./_walk.ts";
import { scopeOf, calculate } from "./_walk-scope.ts";
import { emit } from "./_walk-emit.ts";
import { textOf } from "./output.ts";
import type { Value } from "./words.ts";

export function walkLoop(
  walk: Walk,
  name: string,
  words: readonly Word[] | undefined,
  body: { commands: readonly Statement[] },
  state: State,
  context: Context,
): Run[] {
  const values = words?.filter((word) => word.known && !word.glob) ?? [];
  const rounds: Value[] = values.slice(0, 20).map(({ text }) => ({ text, known: true }));
  // What a glob or a substitution brings is only known when it runs, but it stays what it is made of.
  const listed: Value[] = [];
  for (const word of words?.filter((each) => !each.known || each.glob).slice(0, 3) ?? []) {
    const names = word.known ? undefined : knownNames(word.from);
    if (names) listed.push(...names.map(({ text }) => ({ text, known: true, from: word.from ?? [] })));
    else
      rounds.push({
        text: word.text,
        known: word.known,
        list: [word],
        ...(word.from ? { from: word.from } : {}),
      });
  }
  if (rounds.length + listed.length === 0) rounds.push({ text: `$${name}`, known: false });
  const round = (value: Value, inner: Context): Run[] => {
    state.vars.set(name, value);
    return walk.list(body, state, inner);
  };
  return [
    ...rounds.flatMap((value) => round(value, context)),
    ...listed.flatMap((value) => round(value, deeper(context, "for each"))),
  ];
}

/** What commands that look for files hand on, where all of it can be told: a few names or patterns. */
function knownNames(runs: readonly Run[] | undefined): Word[] | undefined {
  const names = runs && namesFrom(runs);
  return names?.every((word) => word.known) ? names.slice(0, 3) : undefined;
}

/** A loop that reads known text line by line goes round as often as there are lines. */
export function walkWhile(
  walk: Walk,
  node: { clause: { commands: readonly Statement[] }; body: { commands: readonly Statement[] } },
  state: State,
  context: Context,
): Run[] {
  const once = (): Run[] => [
    ...walk.list(node.clause, state, context),
    ...walk.list(node.body, state, context),
  ];
  const command = node.clause.commands[0]?.command;
  if (
    isEndless(command) &&
    node.body.commands.some((each) => each.background) &&
    !node.body.commands.some(waits)
  )
    emit(walk, { program: "fork bomb", called: "while", args: [], redirects: [], ...at(state, context) });
  if (command?.type !== "Command" || command.name?.value !== "read") return once();
  const words = command.args.map((arg) => (arg.type === "Word" ? arg.value : ""));
  const number = words[words.findIndex((word) => /^-\w*u$/.test(word)) + 1] ?? "";
  const channel = words.some((word) => /^-\w*u$/.test(word)) ? state.fds.get(number) : undefined;
  const feed = channel ? channel.feed : context.stdin;
  const lines = textOf(feed)?.split("\n");
  if (!lines) {
    const names = channel || feed?.from !== "commands" ? undefined : knownNames(feed.commands);
    const isOne = words.filter((word) => /^[A-Za-z_]\w*$/.test(word)).length <= 1;
    if (!names || !isOne) return once();
    const from = feed?.from === "commands" ? feed.commands : [];
    const read = words.find((word) => /^[A-Za-z_]\w*$/.test(word)) ?? "REPLY";
    return names.flatMap(({ text }) => {
      const clause = walk.list(node.clause, state, { ...context, stdin: { from: "text", text } });
      state.vars.set(read, { text, known: true, from });
      return [...clause, ...walk.list(node.body, state, deeper(context, "for each"))];
    });
  }
  if (lines.at(-1) === "") lines.pop();
  const fed = (from: number): Context => {
    const stdin = { from: "text", text: lines.slice(from).join("\n") } as const;
    if (!channel) return { ...context, stdin };
    state.fds = new Map([...state.fds, [number, { feed: stdin }]]);
    return context;
  };
  return lines
    .slice(0, 20)
    .flatMap((_, at) => [
      ...walk.list(node.clause, state, fed(at)),
      ...walk.list(node.body, state, fed(at + 1)),
    ]);
}

/** `for ((i = 0; i < n; i++))`: round by round as long as something is put together in it. */
export function walkCounting(
  walk: Walk,
  node: {
    initialize: ArithmeticExpression | undefined;
    test: ArithmeticExpression | undefined;
    update: ArithmeticExpression | undefined;
    body: { commands: readonly Statement[] };
  },
  state: State,
  context: Context,
): Run[] {
  const scope = scopeOf(walk, state, context);
  const most = node.body.commands.some((each) => assigns(each)) ? 64 : 2;
  const all: Run[] = [];
  calculate(node.initialize, scope);
  for (let round = 0; round < most; round++) {
    const test = calculate(node.test, scope);
    if (test === 0 || (test === undefined && round > 0)) break;
    all.push(...walk.list(node.body, state, context));
    calculate(node.update, scope);
  }
  return all;
}

const isEndless = (node: Statement["command"] | undefined): boolean =>
  node?.type === "Command" && isOneOf(node.name?.value ?? "", "true :");

/** Does a statement of a loop keep it from starting the next thing at once? */
function waits({ command, background }: Statement): boolean {
  if (background) return false;
  const all = command.type === "Pipeline" || command.type === "AndOr" ? command.commands : [command];
  return all.some(
    (each) =>
      each.type === "Command" &&
      isOneOf(each.name?.value ?? "", "sleep wait read inotifywait break exit return"),
  );
}

/** Does a statement give a variable a value? */
function assigns(node: SyntaxNode): boolean {
  if (node.type === "Assignment") return true;
  let found = false;
  forEachChild(node, (child) => {
    found ||= assigns(child);
  });
  return found;
}
