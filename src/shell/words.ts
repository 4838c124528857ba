import type { ArrayValue, Word as SyntaxWord, WordPart } from "unbash";
import type { Run, Word } from "./model.ts";
import { expandBraces } from "./_braces.ts";
import { applyOperation } from "./_parameters.ts";

/** What a variable holds, as far as can be told. */
export interface Value {
  readonly text: string;
  readonly known: boolean;
  /** The elements of an array. */
  readonly list?: readonly Word[];
  /** The commands whose output it is. */
  readonly from?: readonly Run[];
  /** Of a word whose parts are not all known: those that are. */
  readonly emptied?: string;
}

/** What the expansion of a word needs to know and may cause. */
export interface Scope {
  get(name: string): Value | undefined;
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
  const texts = word.parts?.some((part) => part.type === "BraceExpansion")
    ? expandBraces(word.text)
    : undefined;
  // Alternatives of a brace expansion are plain text once more; a substitution inside them stays unknown.
  if (texts) return texts.slice(0, maxFields).map((text) => plainWord(text, scope));
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
  const list = value.elements.flatMap((element) => expandWord(element, scope));
  return { text: list.map((word) => word.text).join(" "), known: list.every((word) => word.known), list };
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
  if (!word.parts)
    return [{ text: tilde(word.value, word.text, scope), known: true, quoted: word.value !== word.text }];
  const all = word.parts.flatMap((part) => pieces(part, scope, false));
  const first = word.parts[0];
  if (first?.type === "Literal" && all[0])
    all[0] = { ...all[0], text: tilde(all[0].text, first.text, scope) };
  return all;
}

function tilde(value: string, text: string, scope: Scope): string {
  if (text === "~" || text.startsWith("~/")) return scope.home + value.slice(1);
  // `~name` is somebody's home.
  return /^~[a-z_][\w-]*(?:\/|$)/.test(text)
    ? value.replace(/^~([\w-]+)/, (_, name: string) => (name === "root" ? "/root" : `/home/${name}`))
    : value;
}

function pieces(part: WordPart, scope: Scope, quoted: boolean): Piece[] {
  switch (part.type) {
    case "Literal":
      return [{ text: part.value, known: true, quoted }];
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
      scope.substitute(part);
      return [{ text: "0", known: true, quoted: true }];
    case "BraceExpansion":
      return [{ text: part.text, known: true, quoted }];
  }
}

function lookUp(name: string, scope: Scope, quoted: boolean): Piece {
  const value = scope.get(name);
  if (!value) return { text: `$${name}`, known: false, quoted };
  const { text, known, list, from } = value;
  return {
    text,
    known,
    quoted,
    ...(list && (!quoted || name === "@") ? { list } : {}),
    ...(from ? { from } : {}),
  };
}

function parameter(part: WordPart & { type: "ParameterExpansion" }, scope: Scope, quoted: boolean): Piece {
  const value = scope.get(part.parameter);
  const index = part.index?.value;
  if (index !== undefined && value?.list) {
    if ((index === "@" || index === "*") && part.operation?.type === "Slice") {
      const from = Number(part.operation.offset.value);
      const list = value.list.slice(Number.isNaN(from) ? 0 : from);
      return { text: list.map((word) => word.text).join(" "), known: value.known, quoted, list };
    }
    if (index === "@" || index === "*")
      return { text: value.text, known: value.known, quoted, list: value.list };
    const element = value.list[Number(index)];
    return element ? { text: element.text, known: element.known, quoted } : { text: "", known: true, quoted };
  }
  if (part.prefix === "!") {
    const name = value?.known ? value.text : undefined;
    return name === undefined ? { text: part.text, known: false, quoted } : lookUp(name, scope, quoted);
  }
  if (part.prefix === "#")
    return { text: String(value?.text.length ?? 0), known: value?.known ?? false, quoted };
  if (!part.operation) return lookUp(part.parameter, scope, quoted);
  const expand = (word: SyntaxWord): Value => expandSingle(word, scope);
  return { ...applyOperation(part.operation, value, part.text, expand), quoted };
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

/** Splits unquoted values at white space, as the shell does. */
function toFields(all: readonly Piece[], ifs: string): Word[] {
  const gaps = ifs === " \t\n" ? /\s+/ : new RegExp(`[${ifs.replace(/[\\\]^-]/g, "\\$&") || "\\0"}]+`);
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
        add(element.text, element.known, element.glob, element.from);
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
