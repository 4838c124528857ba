import type { WriteAction } from "./action.ts";
import { addedLines, applyHunks } from "./patch.ts";
import { sedResult } from "./sed.ts";
import { WorldError, type World } from "./world.ts";

/**
 * A file as it will be. `whole` is false when only the text that comes in is known, because the
 * file it goes into cannot be read or has no place for it.
 */
export interface Image {
  readonly text: string;
  readonly whole: boolean;
}

/** The post-image of a write: the change applied to the file as it is now. Nothing if nobody can tell. */
export function imageAfter(
  { target, change, from }: WriteAction,
  world: Pick<World, "read">,
): Image | undefined {
  if (change.by === "text") return { text: change.text, whole: true };
  if (change.by === "unknown") {
    if (change.fragment !== undefined) return { text: change.fragment, whole: false };
    return from && copied(from.real, world);
  }
  if (change.by === "append") return appended(change.text, target?.real, world);
  const base = change.by === "hunks" ? change.from : target?.real;
  const before = base === undefined ? undefined : world.read(base);
  if (change.by === "hunks") {
    const text = before === undefined ? undefined : applyHunks(before, change.hunks);
    return text === undefined ? { text: addedLines(change.hunks), whole: false } : { text, whole: true };
  }
  if (change.by === "sed") {
    // Of a file that is not there nothing comes.
    const text = before === undefined ? undefined : sedResult(before, change.script, change.extended);
    return text === undefined ? undefined : { text, whole: true };
  }
  if (change.by === "insert") {
    if (before === undefined) return { text: change.text, whole: false };
    const lines = before.split("\n");
    lines.splice(change.line, 0, change.text.replace(/\n$/, ""));
    return { text: lines.join("\n"), whole: true };
  }
  let text = before ?? "";
  for (const edit of change.edits) {
    const next = applyEdit(text, edit.old, edit.new);
    if (next === "endless") return undefined;
    if (next === undefined) return { text: change.edits.map((each) => each.new).join("\n"), whole: false };
    ({ text } = next);
    // Edits can double a text again and again; nobody writes such a file on purpose.
    if (text.length > maxImage) return undefined;
  }
  return { text, whole: true };
}

/** What is put behind a file that cannot be read is a piece of nobody knows what. */
function appended(text: string, path: string | undefined, world: Pick<World, "read">): Image {
  try {
    return path === undefined
      ? { text, whole: false }
      : { text: (world.read(path) ?? "") + text, whole: true };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    return { text, whole: false };
  }
}

/** What a copied or moved file brings is known; a folder is none. */
function copied(path: string, world: Pick<World, "read">): Image | undefined {
  try {
    const text = world.read(path);
    return text === undefined ? undefined : { text, whole: true };
  } catch (error) {
    if (!(error instanceof WorldError)) throw error;
    return undefined;
  }
}

const maxImage = 16 * 1024 * 1024;

/**
 * Replaces every occurrence, also when the tool would replace one or refuse an ambiguous edit: which
 * one it means cannot be known, and a bad line must not pass because another stood before it.
 */
function applyEdit(text: string, old: string, next: string): Edited {
  if (old === "") return text === "" ? { text: next } : undefined;
  if (text.includes(old)) return replaced(text, old, next);
  // Tools match without regard to line ends, so a CRLF file must not hide an edit from us.
  const plain = text.replaceAll("\r\n", "\n");
  const plainOld = old.replaceAll("\r\n", "\n");
  if (plain.includes(plainOld)) return replaced(plain, plainOld, next);
  // Nor do they mind which kind of quotes a model has typed.
  const straight = straightened(plain);
  const straightOld = straightened(plainOld);
  return straight.includes(straightOld) ? replaced(straight, straightOld, next) : undefined;
}

/** Nothing when it has no place; "endless" when it has more than anybody edits at once, which takes its time. */
type Edited = { readonly text: string } | "endless" | undefined;

function replaced(text: string, old: string, next: string): Edited {
  let count = 0;
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length))
    if (++count > mostPlaces) return "endless";
  return { text: text.split(old).join(next) };
}

const mostPlaces = 100_000;

const straightened = (text: string): string =>
  text.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');
