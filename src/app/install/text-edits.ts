import type { Node } from "jsonc-parser";

/**
 * Insertions, replacements and removals in a JSON text, by the nodes of its tree, written in the text's own manner. Of one list or
 * mapping either something is taken out or something is added, not both.
 */
export class TextEdits {
  readonly #text: string;
  readonly #eol: string;
  readonly #unit: string;
  /** Everything on one line stays on one line. */
  readonly #compact: boolean;
  readonly #added = new Map<Node, string[]>();
  readonly #changes: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  readonly #removed = new Map<Node, Set<Node>>();

  constructor(text: string, root: Node) {
    this.#text = text;
    this.#eol = text.includes("\r\n") ? "\r\n" : "\n";
    const inside = this.#textOf(root);
    this.#compact = !inside.includes("\n") && (root.children ?? []).length > 0;
    this.#unit = /\n([ \t]+)\S/.exec(inside)?.[1] ?? "  ";
  }

  /** Puts a value behind everything else in a list, or with a key behind everything else in a mapping. */
  add(container: Node, key: string | undefined, value: unknown): void {
    const items = this.#added.get(container) ?? [];
    const isInline = this.#isInline(container);
    const indent = isInline ? this.#lineIndent(endOf(container)) : this.#childIndent(container);
    const isOneLine = isInline && !this.#textOf(container).includes("\n");
    const text = isOneLine ? JSON.stringify(value) : this.#write(value, indent);
    items.push(key === undefined ? text : `${JSON.stringify(key)}:${this.#compact ? "" : " "}${text}`);
    this.#added.set(container, items);
  }

  replace(node: Node, value: unknown): void {
    const text = this.#write(value, this.#lineIndent(node.offset));
    this.#changes.push({ from: node.offset, to: node.offset + node.length, text });
  }

  /** Takes children out of a list or mapping, with the comma and the blanks before each; comments of others stay. */
  remove(container: Node, children: readonly Node[]): void {
    const gone = this.#removed.get(container) ?? new Set();
    for (const child of children) gone.add(child);
    this.#removed.set(container, gone);
  }

  apply(): string {
    for (const container of new Set([...this.#added.keys(), ...this.#removed.keys()])) this.#close(container);
    let text = this.#text;
    // From the end, so that places before stay where they are; at one place the later one was meant to stand behind.
    const order = this.#changes.map((change, at) => ({ ...change, at }));
    order.sort((one, other) => other.from - one.from || other.at - one.at);
    for (const { from, to, text: put } of order) text = text.slice(0, from) + put + text.slice(to);
    return text;
  }

  #close(container: Node): void {
    const children = container.children ?? [];
    const gone = this.#removed.get(container) ?? new Set<Node>();
    const items = this.#added.get(container) ?? [];
    if (items.length > 0) this.#insert(container, items, children.at(-1));
    if (gone.size > 0 && gone.size === children.length) this.#collapse(container, children);
    for (let at = 0; at < children.length && gone.size < children.length; at++) {
      const first = children[at];
      if (!first || !gone.has(first)) continue;
      const before = children[at - 1];
      while (gone.has(children[at + 1] ?? container)) at++;
      this.#cut(before, first, children[at] ?? first, children[at + 1]);
    }
  }

  /** Takes out a row of neighbours with one of the two commas around it. Comments before it, and before what follows, stay. */
  #cut(before: Node | undefined, first: Node, last: Node, next: Node | undefined): void {
    const behind = this.#behindComma(endOf(last));
    if (!before) {
      const kept = next ? this.#text.slice(behind, next.offset).trimStart() : "";
      this.#changes.push({ from: first.offset, to: next?.offset ?? behind, text: kept });
      return;
    }
    const from = endOf(before);
    const between = this.#text.slice(from, first.offset);
    const comma = commaIn(between);
    const hasOther = behind > endOf(last);
    const kept = hasOther ? between : between.slice(0, comma) + between.slice(comma + 1);
    const follows = /^[ \t]*\r?\n/.test(this.#text.slice(behind, behind + 1000)) || !endsInComment(kept);
    this.#changes.push({ from, to: behind, text: kept.trimEnd() + (follows ? "" : this.#eol) });
  }

  #insert(container: Node, items: readonly string[], last: Node | undefined): void {
    const close = endOf(container) - 1;
    const from = last ? endOf(last) : container.offset + 1;
    const tail = this.#text.slice(from, close);
    const filled = from + tail.trimEnd().length;
    const hasComma = last !== undefined && commaIn(tail) >= 0;
    const isInline = this.#isInline(container);
    const gap = this.#compact ? "" : isInline ? " " : `${this.#eol}${this.#childIndent(container)}`;
    if (last && !hasComma) this.#changes.push({ from, to: from, text: "," });
    // What closes the list keeps its own line where it has one.
    const blank = this.#text.slice(filled, close);
    const closing =
      blank.includes("\n") || isInline ? blank : `${this.#eol}${this.#lineIndent(container.offset)}`;
    const text = `${gap}${items.join(`,${gap}`)}${hasComma ? "," : ""}${closing}`;
    this.#changes.push({ from: filled, to: close, text });
  }

  /** The closing bracket stands behind the last child: so will what is added. */
  #isInline(container: Node): boolean {
    if (this.#compact) return true;
    const last = container.children?.at(-1);
    return last !== undefined && !this.#text.slice(endOf(last), endOf(container)).includes("\n");
  }

  /** A list without children closes where it opens, unless comments stand in it. */
  #collapse(container: Node, children: readonly Node[]): void {
    const [first] = children;
    const last = children.at(-1);
    if (!first || !last) return;
    const [open, close] = [container.offset + 1, endOf(container) - 1];
    const behind = this.#behindComma(endOf(last));
    const around = this.#text.slice(open, first.offset) + this.#text.slice(behind, close);
    const isBlank = around.trim() === "";
    this.#changes.push({ from: isBlank ? open : first.offset, to: isBlank ? close : behind, text: "" });
  }

  #behindComma(from: number): number {
    const comma = commaIn(this.#text.slice(from, this.#nextMark(from)));
    return comma < 0 ? from : from + comma + 1;
  }

  /** As far as blanks, comments and commas go. */
  #nextMark(from: number): number {
    const found = /^(?:\s|,|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/.exec(this.#text.slice(from, from + 10_000));
    return from + (found?.[0].length ?? 0);
  }

  #write(value: unknown, indent: string): string {
    if (this.#compact) return JSON.stringify(value);
    return JSON.stringify(value, null, this.#unit).replaceAll("\n", `${this.#eol}${indent}`);
  }

  #childIndent(container: Node): string {
    const [first] = container.children ?? [];
    if (first && this.#text.slice(container.offset, first.offset).includes("\n"))
      return this.#lineIndent(first.offset);
    return this.#lineIndent(container.offset) + this.#unit;
  }

  #textOf({ offset, length }: Node): string {
    return this.#text.slice(offset, offset + length);
  }

  #lineIndent(offset: number): string {
    const start = this.#text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(this.#text.slice(start, offset))?.[0] ?? "";
  }
}

const endOf = (node: Node): number => node.offset + node.length;

/** Where the first comma outside comments stands, or -1. */
const commaIn = (text: string): number => walk(text).comma;

/** Whether what is written behind the text would be part of a comment. */
const endsInComment = (text: string): boolean => walk(text.trimEnd()).isOpen;

/** Goes through blanks, commas and comments. */
function walk(text: string): { readonly comma: number; readonly isOpen: boolean } {
  let comma = -1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "," && comma < 0) comma = at;
    const end = text.startsWith("//", at) ? "\n" : text.startsWith("/*", at) ? "*/" : undefined;
    if (end === undefined) continue;
    const behind = text.indexOf(end, at + 2);
    if (behind < 0) return { comma, isOpen: true };
    at = behind + end.length - 1;
  }
  return { comma, isOpen: false };
}
