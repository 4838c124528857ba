import { fits } from "./_pattern.ts";

/** Are there characters in a path that a shell matches against names? */
export const hasPattern = (path: string): boolean => /[*?[]|[@+!]\(/.test(path);

/**
 * May a path with patterns in it be this file? `mayBe("/home/u/.a[w]s/cred*", "/home/u/.aws/credentials")`. As in a
 * shell, a dot at the start of a name has to be written.
 */
export function mayBe(pattern: string, path: string): boolean {
  const have = path.split("/");
  const wanted = pattern.split("/").slice(0, 64);
  if (!pattern.includes("**")) {
    if (wanted.length !== have.length) return false;
    for (let at = 0; at < have.length; at++) if (!isName(wanted[at] ?? "", have[at] ?? "")) return false;
    return true;
  }
  // How many names of the path may have been used up so far.
  let used = new Set([0]);
  for (const segment of wanted) {
    const next = new Set<number>();
    for (const count of used) {
      if (segment === "**") {
        // Any number of folders, but no hidden ones.
        for (let more = count; more <= have.length && !next.has(more); more++) {
          next.add(more);
          if (have[more]?.startsWith(".")) break;
        }
      } else if (count < have.length && isName(segment, have[count] ?? "")) next.add(count + 1);
    }
    if (next.size === 0) return false;
    used = next;
  }
  return used.has(have.length);
}

/** May one name fit a pattern without folders? */
export function isName(pattern: string, name: string): boolean {
  if (!hasPattern(pattern)) return pattern === name;
  return alternatives(pattern).some(
    (each) => fits(name, each) && (!name.startsWith(".") || /^(?:\\?\.|\[[^!^\]]*\.)/.test(each)),
  );
}

/** `@(a|b)c` as `ac` and `bc`; what a pattern excludes may be anything. */
function alternatives(pattern: string): string[] {
  let all = [pattern];
  for (let turns = 0; turns < 4; turns++) {
    const next = all.flatMap(firstTaken).slice(0, 64);
    if (next.length === all.length) break;
    all = next;
  }
  return all;
}

function firstTaken(pattern: string): string[] {
  const open = pattern.search(/[?*+@!]\(/);
  const close = open === -1 ? -1 : pattern.indexOf(")", open);
  if (close === -1) return [pattern];
  const kind = pattern.charAt(open);
  const options = kind === "!" ? ["*", ".*"] : pattern.slice(open + 2, close).split("|");
  if (kind === "?" || kind === "*") options.push("");
  return options.slice(0, 16).map((each) => pattern.slice(0, open) + each + pattern.slice(close + 1));
}

/** How many characters of a pattern are written out; a set counts as one. */
export const writtenOut = (pattern: string): number =>
  pattern.replace(/\[[^\]]+\]/g, "x").replace(/[*?.@+!()|]/g, "").length;
