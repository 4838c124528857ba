import type { ArrayValue, Word as SyntaxWord, WordPart } from "unbash";
import type { Run, Word } from "./model.ts";
import { calculated, numberOf } from "./_arithmetic.ts";
import { expandBraces } from "./_braces.ts";
import { applyOperation } from "./_parameters.ts";

/** What a variable holds, as far as can be told. */
export interface Value {
  readonly text: string;
  readonly known: boolean;
  /** The elements of an array, or the fields a value is made of. */
  readonly list?: readonly Word[];
  /** `$x` is only the first element of `list`. */
  readonly array?: true;
  /** The names of the elements, where those are not their numbers. */
  readonly keys?: readonly string[];
  /** The commands whose output it is. */
  readonly from?: readonly Run[];
  /** Of a word whose parts are not all known: those that are. */
  readonly emptied?: string;
  /** The variable this one is another name of. */
  readonly refers?: string;
  /** What becomes of the letters of everything it is given. */
  readonly letters?: "lower" | "upper";
}

/** What the expansion of a word needs to know and may cause. */
export interface Scope {
  get(name: string): Value | undefined;
  set(name: string, value: Value): void;
  /** Runs the commands of a substitution; gives what they print, if that can be told. */
  substitute(part: WordPart): Value;
  readonly home: string;
  /** What separates fields. */
  readonly ifs: string;
}

/** A piece of a word before it is split into fields. */
interface Piece {
  readonly text: string;
  readonly known: boolean;
  readonly quoted: boolean;
  readonly glob?: boolean;
  /** Elements that stay fields of their own, as in "${a[@]}". */
  readonly list?: readonly Word[];
  readonly from?: readonly Run[];
}

const maxFields = 256;

/** Expands one word of a command to the fields it becomes. */
export function expandWord(word: SyntaxWord, scope: Scope): Word[] {
  // Most words are plain text, which is one field unless it is split.
  if (!word.parts) {
    const text = tilde(word.value, word.text, scope);
    if (word.value !== word.text || (text !== "" && !gapsOf(scope.ifs).test(text)))
      return [{ text, known: true, glob: false }];
  }
  const texts = word.parts?.some((part) => part.type === "BraceExpansion")
    ? expandBraces(word.text)
    : undefined;
  // Alternatives of a brace expansion are plain text once more; a substitution inside them stays unknown.
  // An empty one is no word at all, unless it is quoted.
  if (texts)
    return texts
      .slice(0, maxFields)
      .filter((text) => text !== "")
      .map((text) => plainWord(text, scope));
  return toFields(piecesOf(word, scope), scope.ifs);
}

/** Expands a word where it is not split: an assignment, a redirection target, a here-string. */
export function expandSingle(word: SyntaxWord, scope: Scope): Value {
  return joinPieces(piecesOf(word, scope));
}

/** Expands the parts of a here-document. */
export const expandParts = (parts: readonly WordPart[], scope: Scope): Value =>
  joinPieces(parts.flatMap((part) => pieces(part, scope, true)));

export function expandAssignment(value: SyntaxWord | ArrayValue, scope: Scope): Value {
  if (value.type === "Word") return expandSingle(value, scope);
  return arrayOf(value.elements.flatMap((element) => expandWord(element, scope)));
}

/** An array of words, of which those like `[name]=value` bring their names with them. */
function arrayOf(words: readonly Word[]): Value {
  const named = words.map((word) => /^\[([^\]]*)\]\+?=(.*)$/s.exec(word.text));
  if (words.length === 0 || !named.some(Boolean)) return fromList(words);
  const list = words.map((word, at): Word => {
    const text = named[at]?.[2];
    return text === undefined ? word : { ...word, text, glob: false };
  });
  return fromList(
    list,
    named.map((each, at) => each?.[1] ?? String(at)),
  );
}

export function fromList(list: readonly Word[], keys?: readonly string[]): Value {
  const [first] = list;
  return {
    text: first?.text ?? "",
    known: first?.known ?? true,
    list,
    array: true,
    ...(keys ? { keys } : {}),
  };
}

function plainWord(text: string, scope: Scope): Word {
  const unquoted = text.replace(/\\(.)|'([^']*)'|"([^"]*)"/g, (_, escaped, single, double) =>
    String(escaped ?? single ?? double ?? ""),
  );
  const tilde = text.startsWith("~/") || text === "~" ? scope.home + unquoted.slice(1) : unquoted;
  const simple = tilde.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => scope.get(name)?.text ?? whole);
  return { text: simple, known: !/[$`]/.test(simple), glob: /[*?[]/.test(text) };
}

function piecesOf(word: SyntaxWord, scope: Scope): Piece[] {
  if (!word.parts) return [{ text: tilde(word.value, word.text, scope), known: true, quoted: true }];
  const all = word.parts.flatMap((part) => pieces(part, scope, false));
  const first = word.parts[0];
  if (first?.type === "Literal" && all[0])
    all[0] = { ...all[0], text: tilde(all[0].text, first.text, scope) };
  return all;
}

function tilde(value: string, text: string, scope: Scope): string {
  if (text === "~" || text.startsWith("~/")) return scope.home + value.slice(1);
  // Behind `name=`, too.
  const name = text.includes("=~") ? /^[A-Za-z_]\w*=(?=~(?:\/|$))/.exec(text)?.[0] : undefined;
  if (name !== undefined) return name + scope.home + value.slice(name.length + 1);
  // `~name` is somebody's home.
  return text.startsWith("~") && /^~[a-z_][\w-]*(?:\/|$)/.test(text)
    ? value.replace(/^~([\w-]+)/, (_, name: string) => (name === "root" ? "/root" : `/home/${name}`))
    : value;
}

function pieces(part: WordPart, scope: Scope, quoted: boolean): Piece[] {
  switch (part.type) {
    case "Literal":
      // Only what an expansion brings is split, whatever $IFS holds.
      return [{ text: part.value, known: true, quoted: true }];
    case "SingleQuoted":
    case "AnsiCQuoted":
      return [{ text: part.value, known: true, quoted: true }];
    case "DoubleQuoted":
    case "LocaleString": {
      const inner = part.parts.flatMap((child) => pieces(child, scope, true));
      return inner.length === 0 ? [{ text: "", known: true, quoted: true }] : inner;
    }
    case "Glob":
    case "ExtendedGlob":
      return [{ text: part.text, known: true, quoted, glob: true }];
    case "SimpleExpansion":
      return [lookUp(part.text.replace(/^\$\{?|\}$/g, ""), scope, quoted)];
    case "ParameterExpansion":
      return [parameter(part, scope, quoted)];
    case "CommandExpansion":
    case "ProcessSubstitution":
      return [{ ...scope.substitute(part), quoted }];
    case "ArithmeticExpansion":
      // With a command inside it is only a number.
      if (part.text.includes("$(", 2) || part.text.includes("`")) scope.substitute(part);
      else
        return [
          { text: String(calculated(part.expression, reachOf(scope)) ?? 0), known: true, quoted: true },
        ];
      return [{ text: "0", known: true, quoted: true }];
    case "BraceExpansion":
      return [{ text: part.text, known: true, quoted }];
  }
}

const reachOf = (scope: Scope): Parameters<typeof numberOf>[1] => ({
  scope,
  expand: (parts) => expandParts(parts, scope),
});

/** The number an expression in the text of a command stands for. */
export const numberIn = (text: string, scope: Scope): number | undefined => numberOf(text, reachOf(scope));

function lookUp(name: string, scope: Scope, quoted: boolean): Piece {
  const value = scope.get(name);
  if (!value) return { text: `$${name}`, known: false, quoted };
  const { text, known, list, from, array } = value;
  return {
    text,
    known,
    quoted,
    ...(list && !array && (!quoted || name === "@") ? { list } : {}),
    ...(from ? { from } : {}),
  };
}

function parameter(part: WordPart & { type: "ParameterExpansion" }, scope: Scope, quoted: boolean): Piece {
  const value = scope.get(part.parameter);
  const index = part.index ? expandSingle(part.index, scope).text : undefined;
  const isArguments = part.parameter === "@" || part.parameter === "*";
  if (value && (index === "@" || index === "*" || (isArguments && part.operation)))
    return manyOf(part, value, index === "*" || part.parameter === "*", scope, quoted);
  const one = index === undefined ? value : elementOf(value, index, scope);
  if (part.prefix === "!") {
    const name = one?.known ? one.text : undefined;
    return name === undefined ? { text: part.text, known: false, quoted } : lookUp(name, scope, quoted);
  }
  if (part.prefix === "#") return { text: String(one?.text.length ?? 0), known: one?.known ?? false, quoted };
  if (part.operation) return { ...operated(part, one, scope), quoted };
  if (index === undefined) return lookUp(part.parameter, scope, quoted);
  return one ? { ...one, quoted } : { text: part.text, known: false, quoted };
}

function operated(
  part: WordPart & { type: "ParameterExpansion" },
  value: Value | undefined,
  scope: Scope,
): { text: string; known: boolean; from?: readonly Run[] } {
  if (!part.operation) return value ?? { text: part.text, known: false };
  const { text, known, from } = applyOperation(part.operation, value, part.text, {
    expand: (word) => expandSingle(word, scope),
    number: (word) => numberIn(expandSingle(word, scope).text, scope),
    assign: (given) => scope.set(part.parameter, given),
  });
  return { text, known, ...(from ? { from } : {}) };
}

/** `${a[@]}` and its relatives: all elements, some of them, their names or how many there are. */
function manyOf(
  part: WordPart & { type: "ParameterExpansion" },
  value: Value,
  isJoined: boolean,
  scope: Scope,
  quoted: boolean,
): Piece {
  const all = value.list ?? [{ text: value.text, known: value.known, glob: false }];
  if (part.prefix === "#") return { text: String(all.length), known: true, quoted };
  const { operation } = part;
  let list = all;
  if (part.prefix === "!")
    list = (value.keys ?? all.map((_, at) => String(at))).map((text) => ({ text, known: true, glob: false }));
  else if (operation?.type === "Slice") {
    const offset = numberIn(expandSingle(operation.offset, scope).text, scope) ?? 0;
    const length = operation.length ? numberIn(expandSingle(operation.length, scope).text, scope) : undefined;
    // The arguments are counted from one.
    const from = part.index || offset <= 0 ? offset : offset - 1;
    list = all.slice(from).slice(0, length);
  } else if (operation) list = all.map((word) => ({ ...word, ...operated(part, word, scope) }));
  const text = list.map((word) => word.text).join(isJoined && quoted ? scope.ifs.slice(0, 1) : " ");
  const known = list.every((word) => word.known);
  return isJoined && quoted ? { text, known, quoted } : { text, known, quoted, list };
}

function elementOf(value: Value | undefined, index: string, scope: Scope): Value | undefined {
  if (!value) return undefined;
  if (value.keys) {
    const known = value.keys.indexOf(index);
    const at = known === -1 ? value.keys.indexOf(String(numberIn(index, scope))) : known;
    return at === -1 ? { text: "", known: true } : value.list?.[at];
  }
  const at = numberIn(index, scope);
  if (at === undefined) return undefined;
  return (value.list ? value.list.at(at) : at === 0 ? value : undefined) ?? { text: "", known: true };
}

function joinPieces(all: readonly Piece[]): Value {
  const from = all.flatMap((piece) => piece.from ?? []);
  const text = all.map((piece) => piece.text).join("");
  const known = all.every((piece) => piece.known);
  return {
    text,
    known,
    ...(from.length > 0 ? { from } : {}),
    ...(known ? {} : { emptied: all.map((piece) => (piece.known ? piece.text : "")).join("") }),
  };
}

const gapsOf = (ifs: string): RegExp =>
  ifs === " \t\n" ? usualGaps : new RegExp(`[${ifs.replace(/[\\\]^-]/g, "\\$&") || "\\0"}]+`);

const usualGaps = /\s+/;

/** Splits unquoted values at white space, as the shell does. */
function toFields(all: readonly Piece[], ifs: string): Word[] {
  const gaps = gapsOf(ifs);
  const fields: Word[] = [];
  let open: Word | undefined;
  const add = (text: string, known: boolean, glob = false, from: readonly Run[] = []): void => {
    const all = [...(open?.from ?? []), ...from];
    const allKnown = (open?.known ?? true) && known;
    open = {
      text: (open?.text ?? "") + text,
      known: allKnown,
      glob: (open?.glob ?? false) || glob,
      ...(all.length > 0 ? { from: all } : {}),
      ...(allKnown ? {} : { emptied: (open?.emptied ?? open?.text ?? "") + (known ? text : "") }),
    };
  };
  const close = (): void => {
    if (open && fields.length < maxFields) fields.push(open);
    open = undefined;
  };
  for (const piece of all) {
    if (piece.list) {
      for (const [at, element] of piece.list.entries()) {
        if (at > 0) close();
        const isWhole = piece.quoted || !element.known || element.glob || !gaps.test(element.text);
        for (const [place, text] of (isWhole ? [element.text] : element.text.split(gaps)).entries()) {
          if (place > 0) close();
          if (isWhole || text !== "") add(text, element.known, element.glob, element.from);
        }
      }
    } else if (piece.quoted || piece.glob || piece.from || !gaps.test(piece.text)) {
      // An unquoted empty value makes no field.
      if (piece.quoted || piece.text !== "") add(piece.text, piece.known, piece.glob ?? false, piece.from);
    } else {
      const parts = piece.text.split(gaps);
      for (const [at, text] of parts.entries()) {
        if (at > 0) close();
        if (text !== "") add(text, piece.known, /[*?[]/.test(text), piece.from);
      }
    }
  }
  close();
  return fields;
}
