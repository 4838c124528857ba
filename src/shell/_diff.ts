const most = 500;

/**
 * The files a unified diff, a context diff or a mail of git names, as they stand there: the first parts of the paths are not
 * taken off. Of very many the ones come first that are hidden, lead elsewhere or could be ours.
 */
export function filesInDiff(text: string): string[] {
  const found = new Set<string>();
  for (const [line] of text.matchAll(heading)) {
    const [, sign = "", rest = ""] = /^\s*(\S+(?: --git| from| to)?) (.*)$/.exec(line) ?? [];
    for (const path of sign === "diff --git" ? bothNames(rest) : [nameIn(rest)])
      if (path !== "" && path !== "/dev/null") found.add(path);
  }
  const all = [...found];
  if (all.length <= most) return all;
  return [
    ...all.filter((path) => curious.test(path)),
    ...all.filter((path) => !curious.test(path)).slice(0, most),
  ];
}

const heading =
  /^[ \t]{0,20}(?:---|\+\+\+|\*\*\*|Index:|diff --git|rename (?:from|to)|copy (?:from|to)) [^\r\n]+/gm;
const curious = /(?:^|\/)\.|^\/|hookline|opencode/i;

/** A name may be quoted; behind a tab stands a date. */
function nameIn(rest: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1];
  return quoted === undefined ? (rest.split("\t")[0] ?? "").trim() : unquoted(quoted);
}

/** `a/x b/x`; with blanks in it the name stands there twice, each half as long. */
function bothNames(rest: string): string[] {
  const quoted = rest.match(/"(?:[^"\\]|\\.)*"/g);
  if (quoted) return quoted.map((name) => nameIn(name));
  const words = rest.trim().split(" ");
  if (words.length === 2) return words;
  const half = (rest.trim().length - 1) / 2;
  return [rest.trim().slice(0, half), rest.trim().slice(half + 1)];
}

const unquoted = (text: string): string => {
  const bytes = text.replace(/\\(?:([0-7]{3})|(.))/g, (_, octal?: string, plain?: string) =>
    octal === undefined ? (plain ?? "") : String.fromCharCode(parseInt(octal, 8)),
  );
  // The octal numbers are bytes of UTF-8.
  return [...bytes].every((char) => char.charCodeAt(0) < 256) && /[\x80-\xff]/.test(bytes)
    ? new TextDecoder().decode(Uint8Array.from(bytes, (char) => char.charCodeAt(0)))
    : bytes;
};

/** A path without so many of its first parts; as `patch` does it when there are too few, with the last alone. */
export function stripped(path: string, parts: number): string {
  const all = path.split(/\/+/);
  return all.length > parts ? all.slice(parts).join("/") : (all.at(-1) ?? path);
}
