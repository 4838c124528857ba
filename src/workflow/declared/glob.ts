/**
 * Does a path fit a glob? Both are relative, with forward slashes. `*` and `?` stay within a name, `**` is any number of folders,
 * `{a,b}` is either. A dot at the start of a name is a letter like any other. A glob that ends in a plain name or in `/` stands
 * for all that is in there, too.
 */
export function fitsGlob(glob: string, path: string): boolean {
  const names = path.split("/");
  return alternatives(glob).some((each) => fitsSegments(segmentsOf(each), names));
}

/** `src/`, `src` and `src/**` all mean the folder and what is in it; `src/*` means its files. */
export function segmentsOf(glob: string): string[] {
  const segments = glob
    .replace(/^(?:\.\/)+/, "")
    .split("/")
    .filter((segment, at, all) => segment !== "" || (at === 0 && all.length > 1));
  const last = segments.at(-1) ?? "";
  return glob.endsWith("/") || !isGlob(last) ? [...segments, "**"] : segments;
}

/** May something in a folder fit a glob? */
export function mayFitBelow(glob: string, folder: string): boolean {
  const names = folder === "" ? [] : folder.split("/");
  return alternatives(glob).some((each) => {
    const wanted = segmentsOf(each);
    // `**` stands for what is missing, so that only the names that are there have to fit.
    return (
      wanted.some((_, length) => fitsSegments(wanted.slice(0, length), names)) || fitsSegments(wanted, names)
    );
  });
}

/** How many names each part of the glob may have used up so far: as many steps as both have names, whatever they are. */
function fitsSegments(wanted: readonly string[], names: readonly string[]): boolean {
  let used = new Set([0]);
  for (const segment of wanted) {
    const next = new Set<number>();
    for (const count of used) {
      if (segment === "**") for (let more = count; more <= names.length; more++) next.add(more);
      else if (count < names.length && fitsName(segment, names[count] ?? "")) next.add(count + 1);
    }
    if (next.size === 0) return false;
    used = next;
  }
  return used.has(names.length);
}

/** Does a text fit a pattern in which `*` stands for anything and `?` for one character? */
export function fitsName(pattern: string, text: string): boolean {
  let [at, from] = [0, 0];
  let [star, mark] = [-1, 0];
  while (from < text.length) {
    const wanted = pattern[at];
    if (wanted === "*") {
      star = at++;
      mark = from;
    } else if (wanted !== undefined && (wanted === "?" || wanted === text[from])) {
      at++;
      from++;
    } else if (star === -1) return false;
    else {
      at = star + 1;
      from = ++mark;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

const most = 64;

/** A glob with its braces written out. */
export function alternatives(glob: string): string[] {
  const all = [glob];
  for (let at = 0; at < all.length && all.length < most; at++) {
    const found = /\{([^{}]*)\}/.exec(all[at] ?? "");
    if (!found) continue;
    const [whole, inner = ""] = found;
    const before = all[at]?.slice(0, found.index) ?? "";
    const after = all[at]?.slice(found.index + whole.length) ?? "";
    all.splice(at--, 1, ...inner.split(",").map((each) => before + each + after));
  }
  return all;
}

export const isGlob = (text: string): boolean => /[*?{]/.test(text);
