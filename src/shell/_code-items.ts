import { is, isWord, type Token } from "./_code-token.ts";
import { either, elementOf, itemOf, listOf, unknown, type Value, maxGrown } from "./_code-value.ts";
import { bind, peek, type Reader, spend, type World } from "./_code-world.ts";

/** What stands in brackets: values in order, and values with names. */
export interface Items {
  readonly values: Value[];
  readonly named: Map<string, Value>;
  /** Whether a comma makes it a list even with one value. */
  listed: boolean;
}

const nothing = (): Items => ({ values: [], named: new Map(), listed: false });

/** Reads from behind an opening bracket to behind the closing one. */
export function items(reader: Reader, open: Token): Items {
  const found = nothing();
  if (open.loop > 0 && reader.world.dialect.can.comprehend) {
    found.values.push(listOf(comprehension(reader, open)));
  } else upTo(reader, open.close, found);
  reader.at = Math.min(open.close + 1, reader.tokens.length);
  return found;
}

/** Reads arguments that stand without brackets. */
export function bareItems(reader: Reader): Items {
  const found = nothing();
  for (;;) {
    const before = reader.at;
    item(reader, found, 2);
    if (reader.at === before || !is(peek(reader), ",")) return found;
    reader.at++;
    if (peek(reader)?.kind === "end") reader.at++;
  }
}

/** A list in square brackets. */
export function list(reader: Reader, open: Token): Value {
  const { values, named } = items(reader, open);
  const [only] = values;
  if (open.loop > 0 && only?.is === "list" && reader.world.dialect.can.comprehend) return only;
  return values.length === 0 && named.size > 0 ? { is: "record", fields: named } : listOf(values);
}

/** A value in round brackets, or several. */
export function group(reader: Reader, open: Token): Value {
  const { values, listed } = items(reader, open);
  const [only] = values;
  return values.length === 1 && !listed && only !== undefined ? only : listOf(values);
}

/** Names and values in curly brackets; without names it is a set. */
export function record(reader: Reader, open: Token): Value {
  const { values, named } = items(reader, open);
  return values.length > 0 && named.size === 0 ? listOf(values) : { is: "record", fields: named };
}

function upTo(reader: Reader, end: number, found: Items): void {
  let isNew = true;
  while (reader.at < end) {
    const token = peek(reader);
    if (is(token, ",") || token?.kind === "end") {
      if (token?.kind === "sign") found.listed = true;
      isNew ||= token?.kind === "sign";
      reader.at++;
      continue;
    }
    const [before, count] = [reader.at, found.values.length];
    item(reader, found, 0);
    // Two values without a comma between are something that is not understood here.
    if (!isNew && count > 0 && found.values.length > count) found.values.splice(count - 1, Infinity, unknown);
    isNew = false;
    if (reader.at === before) reader.at++;
  }
}

function item(reader: Reader, found: Items, least: number): void {
  const { dialect } = reader.world;
  const key = peek(reader);
  const sign = peek(reader, 1);
  if (sign?.kind === "sign" && dialect.pairs.has(sign.text) && key !== undefined && !is(key, "lambda")) {
    const name =
      key.kind === "word" || key.kind === "number"
        ? key.text
        : key.kind === "text"
          ? key.parts[0]
          : undefined;
    if (key.kind === "word" || key.kind === "text" || key.kind === "number") {
      reader.at += 2;
      const value = reader.expression(least);
      found.named.set(typeof name === "string" ? name : "", value);
      return;
    }
  }
  const spreads = key?.kind === "sign" && (key.text === "*" || key.text === "...");
  const value = reader.expression(least);
  if (value.is === "list" && (spreads || dialect.can.flatten))
    found.values.push(...roomFor(found.values, value.items));
  else found.values.push(value);
}

/** Lists in lists double with every line of a program that wants them to. */
const roomFor = (values: readonly Value[], more: readonly Value[]): readonly Value[] =>
  values.length + more.length > maxGrown ? [unknown] : more;

const maxRounds = 4096;

/** The elements of `x(y) for y in z`, which is read from its `for` on and then from its beginning. */
function comprehension(reader: Reader, open: Token): Value[] {
  const { world } = reader;
  const start = reader.at;
  reader.at = open.loop;
  const clauses: Loop[] = [];
  while (reader.at < open.close) {
    const before = reader.at;
    if (is(peek(reader), "for")) clauses.push(loop(reader));
    else reader.expression();
    if (reader.at === before) reader.at++;
  }
  const [first] = clauses;
  const read = (): Value[] => {
    const found = nothing();
    reader.at = start;
    upTo(reader, open.loop, found);
    return found.values;
  };
  const [name] = first?.names ?? [];
  if (clauses.length !== 1 || first?.names.length !== 1 || name === undefined || first.over.is !== "list")
    return read();
  const rounds = first.over.items;
  if (rounds.length > maxRounds || !spend(world, (open.loop - start) * rounds.length)) return read();
  return rounds.flatMap((each) => {
    world.variables.set(name, each);
    return read();
  });
}

interface Loop {
  readonly names: readonly string[];
  readonly over: Value;
}

/** Reads `for x, y in z` and gives the names their values. */
export function loop(reader: Reader): Loop {
  reader.at++;
  const names: string[] = [];
  for (let token = peek(reader); token && token.kind !== "end" && !is(token, "in"); token = peek(reader)) {
    if (isWord(token)) names.push(token.text);
    reader.at++;
  }
  reader.at++;
  reader.world.straight = false;
  const over = reader.expression();
  bindElements(reader.world, names, over);
  return { names, over };
}

const maxRows = 64;

/** Gives names what goes around in a loop: the elements, or their parts for several names. */
export function bindElements(world: World, names: readonly string[], over: Value): void {
  const [only] = names;
  if (names.length === 1 && only !== undefined) {
    bind(world, only, elementOf(over));
    return;
  }
  const isShort = over.is === "list" && over.items.length > 0 && over.items.length <= maxRows;
  const rows = isShort ? over.items : [unknown];
  for (const [at, name] of names.entries())
    bind(world, name, rows.map((row) => itemOf(row, at)).reduce(either));
}
