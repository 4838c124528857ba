import { memberOf, receivedBy } from "./_code-call.ts";
import { is, isWord } from "./_code-token.ts";
import { itemOf, unknown, type Value } from "./_code-value.ts";
import { bind, peek, type Reader } from "./_code-world.ts";

/** Reads a function from its parameters on; its body counts as run, with whatever the call hands over. */
export function functionValue(reader: Reader): Value {
  parameters(reader);
  return body(reader);
}

/** Reads parameters in round brackets, if they are here. */
export function parameters(reader: Reader): void {
  const { world } = reader;
  const open = peek(reader);
  const given = world.element ?? unknown;
  world.element = undefined;
  world.straight = false;
  if (!is(open, "(") || open === undefined) return;
  const end = open.close;
  reader.at++;
  if (is(peek(reader), "{") || is(peek(reader), "[")) destructure(reader, given);
  let isFirst = true;
  for (; reader.at < end; reader.at++) {
    const token = peek(reader);
    const before = peek(reader, -1);
    // A name behind a colon is a type, behind an equals sign a default.
    if (
      !isWord(token) ||
      !(is(before, "(") || is(before, ",") || is(before, "*") || is(before, "**") || is(before, "..."))
    )
      continue;
    world.variables.set(token.text, isFirst ? given : unknown);
    isFirst = false;
  }
  reader.at = Math.min(end + 1, reader.tokens.length);
}

/** A block in curly brackets, or else one expression. */
export function body(reader: Reader): Value {
  const open = peek(reader);
  if (!is(open, "{") || open === undefined) return reader.expression();
  reader.at++;
  reader.level++;
  reader.statements(open.close);
  reader.level--;
  reader.at = Math.min(open.close + 1, reader.tokens.length);
  return unknown;
}

/** Gives the names of a pattern such as `{ rm, unlink: u }` or `[a, b]` their parts of a value. */
export function destructure(reader: Reader, value: Value): void {
  const open = peek(reader);
  if (open === undefined) return;
  let place = 0;
  for (reader.at++; reader.at < open.close; reader.at++) {
    const token = peek(reader);
    if (is(token, ",")) place++;
    if (!isWord(token)) continue;
    const inner = is(open, "[") ? itemOf(value, place) : memberOf(reader.world, value, token.text);
    const renamed = is(peek(reader, 1), ":") || is(peek(reader, 1), "as") ? peek(reader, 2) : undefined;
    if (renamed !== undefined) reader.at += 2;
    bind(reader.world, isWord(renamed) ? renamed.text : token.text, inner);
  }
  reader.at = Math.min(open.close + 1, reader.tokens.length);
}

/** `x.each { |y| … }` and `x.each do |y| … end`; the body of the second is read as what follows. */
export function block(reader: Reader, callee: Value, result: Value): void {
  const { world } = reader;
  const token = peek(reader);
  if (!is(token, "{") && !is(token, "do")) return;
  // A block behind the opening of a file runs once, with the file.
  const given = result.is === "file" ? result : (receivedBy(world, callee) ?? unknown);
  if (result.is !== "file") world.straight = false;
  if (is(peek(reader, 1), "|")) {
    let at = reader.at + 2;
    for (let isFirst = true; !is(reader.tokens[at], "|") && at < reader.tokens.length; at++) {
      const name = reader.tokens[at];
      if (!isWord(name)) continue;
      world.variables.set(name.text, isFirst ? given : unknown);
      isFirst = false;
    }
    if (is(token, "do")) reader.at = at;
  }
  if (is(token, "{")) body(reader);
  else reader.at++;
}
