/** One place of a patched file: where to look, what stands there, what will stand there. */
export interface Hunk {
  /** Lines after `@@` that place the hunk below a heading. */
  readonly below: readonly string[];
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** It belongs at the end of the file. */
  readonly end?: boolean;
}

export type FilePatch =
  | { readonly kind: "add"; readonly path: string; readonly text: string }
  | { readonly kind: "delete"; readonly path: string }
  | {
      readonly kind: "update";
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

const heading = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
const moving = /^\*\*\* Move to: (.+?)\s*$/;

/**
 * Reads the `*** Begin Patch` format of apply_patch tools. Tolerant: file headings count wherever they
 * stand, because a tool may be more tolerant than the grammar it documents.
 */
export function parsePatch(text: string): FilePatch[] {
  const strict = parseLines(text.split(/\r?\n/), (line) => line);
  // What another reader could take for a heading counts as a file that may be touched.
  const named = new Set(
    strict.flatMap((file) => [
      file.path,
      ...(file.kind === "update" && file.moveTo !== undefined ? [file.moveTo] : []),
    ]),
  );
  const loose = parseLines(text.split(/\r\n|[\n\r\u2028\u2029]/), (line) => line.trimStart()).flatMap(
    (file) => {
      const paths = [
        file.path,
        ...(file.kind === "update" && file.moveTo !== undefined ? [file.moveTo] : []),
      ];
      return paths
        .filter((path) => !named.has(path))
        .map((path): FilePatch => ({ kind: "update", path, hunks: [] }));
    },
  );
  if (strict.length > 0) return [...strict, ...loose];
  return parseLines(text.split(/\r\n|[\n\r\u2028\u2029]/), (line) => line.trimStart());
}

function parseLines(lines: readonly string[], shape: (line: string) => string): FilePatch[] {
  const files: FilePatch[] = [];
  const isHeading = (line: string): boolean =>
    heading.test(shape(line)) || /^\*\*\* (?:End|Begin) Patch/.test(shape(line));
  for (let at = 0; at < lines.length; at++) {
    const match = heading.exec(shape(lines[at] ?? ""));
    if (!match) continue;
    const path = match[2] ?? "";
    const body: string[] = [];
    let moveTo: string | undefined;
    while (at + 1 < lines.length && !isHeading(lines[at + 1] ?? "")) {
      const line = lines[++at] ?? "";
      const move = moving.exec(shape(line));
      if (move) moveTo = move[1];
      else body.push(line);
    }
    if (match[1] === "Delete") files.push({ kind: "delete", path });
    else if (match[1] === "Add") files.push({ kind: "add", path, text: addedText(body) });
    else
      files.push({ kind: "update", path, ...(moveTo === undefined ? {} : { moveTo }), hunks: hunksOf(body) });
  }
  return files;
}

/** Applies hunks to a text, or returns nothing when a hunk has no place in it. */
export function applyHunks(text: string, hunks: readonly Hunk[]): string | undefined {
  const newline = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  let from = 0;
  for (const hunk of hunks) {
    for (const line of hunk.below) {
      const found = findLines(lines, [line], from);
      if (found !== undefined) from = found + 1;
    }
    if (hunk.old.length === 0) {
      const end = lines.at(-1) === "" ? lines.length - 1 : lines.length;
      lines.splice(hunk.below.length > 0 ? from : end, 0, ...hunk.new);
      continue;
    }
    const last = hunk.end
      ? findLines(lines, hunk.old, Math.max(0, lines.length - hunk.old.length - 1))
      : undefined;
    const at = last ?? findLines(lines, hunk.old, from) ?? findLines(lines, hunk.old, 0);
    if (at === undefined) return undefined;
    lines.splice(at, hunk.old.length, ...hunk.new);
    from = at + hunk.new.length;
  }
  return lines.join(newline);
}

/** All lines the hunks bring in, for judging a patch whose base cannot be read. */
export const addedLines = (hunks: readonly Hunk[]): string => hunks.flatMap((hunk) => hunk.new).join("\n");

const addedText = (body: readonly string[]): string => {
  const lines = body.filter((line) => line.startsWith("+")).map((line) => line.slice(1));
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
};

function hunksOf(body: readonly string[]): Hunk[] {
  const hunks: { below: string[]; old: string[]; new: string[]; end?: boolean }[] = [];
  let open: { below: string[]; old: string[]; new: string[]; end?: boolean } | undefined;
  for (const line of body) {
    if (line.startsWith("@@")) {
      const below = line.slice(2).trim();
      // Several @@ lines in a row narrow one hunk down.
      if (!open || open.old.length > 0 || open.new.length > 0)
        hunks.push((open = { below: [], old: [], new: [] }));
      if (below !== "") open.below.push(below);
      continue;
    }
    if (line.startsWith("*** End of File")) {
      if (open) open.end = true;
      continue;
    }
    if (!open) hunks.push((open = { below: [], old: [], new: [] }));
    const mark = line[0];
    if (mark === "+") open.new.push(line.slice(1));
    else if (mark === "-") open.old.push(line.slice(1));
    else {
      const kept = mark === " " ? line.slice(1) : line;
      open.old.push(kept);
      open.new.push(kept);
    }
  }
  const last = hunks.at(-1);
  // The empty string after the final newline of the patch is not a context line.
  if (last && last.old.at(-1) === "" && last.new.at(-1) === "") {
    last.old.pop();
    last.new.pop();
  }
  return hunks;
}

// Like the real tools: exact first, then without trailing, then without any surrounding white space.
function findLines(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  for (const shape of [
    (line: string) => line,
    (line: string) => line.trimEnd(),
    (line: string) => line.trim(),
  ]) {
    const want = wanted.map(shape);
    for (let at = from; at + want.length <= lines.length; at++) {
      if (want.every((line, offset) => shape(lines[at + offset] ?? "") === line)) return at;
    }
  }
  return undefined;
}
