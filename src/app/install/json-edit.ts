import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { isOurHandler } from "../../core/command-lines.ts";
import { isObject, type Json } from "../../core/json.ts";
import { ConfigTrouble } from "./trouble.ts";
import { TextEdits } from "./text-edits.ts";

/**
 * Changes what is ours in a file of hooks and leaves every other byte alone: comments, order, indentation, line ends and trailing commas.
 * Pure: text in, text out.
 */
export function withHooks(text: string, fresh: Json, wanted: Readonly<Record<string, Json>>): string {
  const document = read(text);
  if (!document.root) return newFile(document, { ...fresh, hooks: lists(wanted) });
  const edits = new TextEdits(document.text, document.root);
  for (const [key, value] of Object.entries(fresh))
    if (!property(document.root, key)) edits.add(document.root, key, value);
  const hooks = property(document.root, "hooks");
  if (!hooks) edits.add(document.root, "hooks", lists(wanted));
  else {
    mustBe(hooks, "object", "hooks", document);
    for (const [event, entry] of Object.entries(wanted)) {
      const list = property(hooks, event);
      if (!list) edits.add(hooks, event, [entry]);
      else putInto(list, `hooks.${event}`, entry, edits, document);
    }
  }
  return without(document.mark + edits.apply(), wanted);
}

/** The text without anything of ours; lists and mappings that only held ours go with it. */
export const withoutHooks = (text: string): string => without(text, {});

/** Takes out what is ours, but for one entry of each event that is as it is wanted. */
function without(text: string, wanted: Readonly<Record<string, Json>>): string {
  const document = read(text);
  const hooks = document.root && property(document.root, "hooks");
  if (!document.root || hooks?.type !== "object") return text;
  const edits = new TextEdits(document.text, document.root);
  const emptied: Node[] = [];
  for (const each of hooks.children ?? []) {
    const [key, list] = each.children ?? [];
    if (list?.type !== "array") continue;
    const entry = wanted[String(key?.value)];
    const isLast = property(hooks, String(key?.value)) === list;
    const kept = isLast ? (list.children ?? []).find((node) => isSame(node, entry)) : undefined;
    const gone = (list.children ?? []).filter((node) => isWhollyOurs(node) && node !== kept);
    if (gone.length > 0 && gone.length === list.children?.length) emptied.push(each);
    else if (gone.length > 0) edits.remove(list, gone);
    for (const node of list.children ?? []) if (!isWhollyOurs(node)) removeHandlers(node, edits);
  }
  const holder = hooks.parent?.parent;
  if (emptied.length > 0 && emptied.length === hooks.children?.length && holder && hooks.parent)
    edits.remove(holder, [hooks.parent]);
  else if (emptied.length > 0) edits.remove(hooks, emptied);
  return document.mark + edits.apply();
}

/** What stands in the file, as its host reads it. */
export function readConfig(text: string): Json {
  const { root } = read(text);
  const value: unknown = root ? getNodeValue(root) : {};
  return isObject(value) ? value : {};
}

export interface OurEntry {
  readonly event: string;
  readonly entry: Json;
  readonly handler: Json;
}

/** Every handler of ours, with the entry of the list it stands in. */
export function oursIn(config: Json): OurEntry[] {
  const hooks = isObject(config["hooks"]) ? config["hooks"] : {};
  return Object.entries(hooks).flatMap(([event, list]) =>
    (Array.isArray(list) ? (list as unknown[]) : []).filter(isObject).flatMap((entry) =>
      handlersOf(entry)
        .filter(isOurHandler)
        .map((handler) => ({ event, entry, handler })),
    ),
  );
}

/** The handlers of an entry: those nested below a matcher, or itself. */
export const handlersOf = (entry: Json): Json[] =>
  Array.isArray(entry["hooks"]) ? (entry["hooks"] as unknown[]).filter(isObject) : [entry];

const lists = (wanted: Readonly<Record<string, Json>>): Json =>
  Object.fromEntries(Object.entries(wanted).map(([event, entry]) => [event, [entry]]));

interface Document {
  readonly mark: string;
  readonly text: string;
  readonly root: Node | undefined;
}

function read(whole: string): Document {
  const mark = whole.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = whole.slice(mark.length);
  if (text.trim() === "") return { mark, text, root: undefined };
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    throw new ConfigTrouble("is nested too deeply to be read");
  }
  const [error] = errors;
  if (error || !root)
    throw new ConfigTrouble(
      `is no valid JSON: ${error ? printParseErrorCode(error.error) : "nothing"} at ${placeOf(text, error?.offset ?? 0)}`,
    );
  if (root.type !== "object") throw new ConfigTrouble(`holds ${a(root.type)} where an object was expected`);
  return { mark, text, root };
}

const a = (type: string): string =>
  /^[aeiou]/.test(type) ? `an ${type}` : type === "null" ? type : `a ${type}`;

function placeOf(text: string, offset: number): string {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`;
}

function newFile({ mark, text }: Document, value: Json): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return `${mark}${JSON.stringify(value, null, 2)}\n`.replaceAll("\n", eol);
}

/** The value of a key; where it is there twice the last one counts, as for whoever parses the file. */
function property(object: Node, key: string): Node | undefined {
  return object.children?.findLast((each) => each.children?.[0]?.value === key)?.children?.[1];
}

function mustBe(node: Node, type: Node["type"], name: string, { text }: Document): void {
  if (node.type !== type)
    throw new ConfigTrouble(
      `holds ${a(node.type)} as \`${name}\` (${placeOf(text, node.offset)}) where ${a(type)} was expected`,
    );
}

/** Of several entries of ours the first one is changed to what it should be; what is there beside it goes later. */
function putInto(list: Node, name: string, entry: Json, edits: TextEdits, document: Document): void {
  mustBe(list, "array", name, document);
  const whole = (list.children ?? []).filter(isWhollyOurs);
  if (whole.some((node) => isSame(node, entry))) return;
  const [first] = whole;
  if (first) edits.replace(first, entry);
  else edits.add(list, undefined, entry);
}

const isSame = (node: Node, entry: Json | undefined): boolean =>
  entry !== undefined && Bun.deepEquals(getNodeValue(node), entry, true);

const isWhollyOurs = (node: Node): boolean => {
  const value: unknown = getNodeValue(node);
  if (!isObject(value)) return false;
  const handlers = handlersOf(value);
  return handlers.length > 0 && handlers.every(isOurHandler);
};

function removeHandlers(entry: Node, edits: TextEdits): void {
  const nested = entry.type === "object" ? property(entry, "hooks") : undefined;
  if (nested?.type !== "array") return;
  const gone = (nested.children ?? []).filter((node) => {
    const value: unknown = getNodeValue(node);
    return isObject(value) && isOurHandler(value);
  });
  if (gone.length > 0) edits.remove(nested, gone);
}
