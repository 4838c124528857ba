// What we use of `node:path`, where paths have slashes. Loading the built-in module costs a twentieth of an answer, so the
// bundle has this one in its place (tools/bundle.ts); what few calls need is asked of the built-in one.
import type { ParsedPath } from "node:path";

export const sep = "/";
export const delimiter = ":";

export const isAbsolute = (path: string): boolean => path.startsWith("/");

export function resolve(...paths: readonly string[]): string {
  let whole = "";
  for (let at = paths.length - 1; at >= 0 && !isAbsolute(whole); at--) {
    const path = paths[at] ?? "";
    if (path !== "") whole = whole === "" ? path : `${path}/${whole}`;
  }
  return `/${plain(isAbsolute(whole) ? whole : `${process.cwd()}/${whole}`, true)}`;
}

export function join(...paths: readonly string[]): string {
  let whole = "";
  for (const path of paths) if (path !== "") whole = whole === "" ? path : `${whole}/${path}`;
  if (whole === "") return ".";
  const start = isAbsolute(whole) ? "/" : "";
  const rest = plain(whole, start !== "");
  const end = whole.endsWith("/") && rest !== "" ? "/" : "";
  return start + rest + end || (whole.endsWith("/") ? "./" : ".");
}

/** Without `.`, doubled slashes, and `..` where something stands before it; with no slash at either end. */
function plain(path: string, isRooted: boolean): string {
  if (!path.includes("/.") && !path.includes("//") && !path.startsWith("."))
    return path.slice(isRooted ? 1 : 0, path.endsWith("/") ? -1 : path.length);
  const kept: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") kept.push(part);
    else if (kept.length > 0 && kept[kept.length - 1] !== "..") kept.pop();
    else if (!isRooted) kept.push("..");
  }
  return kept.join("/");
}

export function dirname(path: string): string {
  const slash = path.lastIndexOf("/", endOf(path) - 1);
  if (endOf(path) === 0 || slash < 0) return isAbsolute(path) ? "/" : ".";
  if (slash === 0) return "/";
  return slash === 1 && path.startsWith("//") ? "//" : path.slice(0, slash);
}

export function basename(path: string, suffix = ""): string {
  const end = endOf(path);
  const name = path.slice(path.lastIndexOf("/", end - 1) + 1, end);
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

export function extname(path: string): string {
  const name = basename(path);
  const dot = name.lastIndexOf(".");
  return dot <= 0 || name === ".." ? "" : name.slice(dot);
}

/** Where the slashes at the end of a path begin. */
function endOf(path: string): number {
  let end = path.length;
  while (end > 0 && path[end - 1] === "/") end--;
  return end;
}

export function relative(from: string, to: string): string {
  const [start, end] = [resolve(from), resolve(to)];
  if (start === end) return "";
  if (start === "/") return end.slice(1);
  if (end.startsWith(start) && end[start.length] === "/") return end.slice(start.length + 1);
  const [left, right] = [start.split("/"), end === "/" ? [""] : end.split("/")];
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  const steps = right.slice(same);
  for (let up = same; up < left.length; up++) steps.unshift("..");
  return steps.join("/");
}

const builtIn = (): typeof import("node:path").posix => process.getBuiltinModule("node:path").posix;

export const parse = (path: string): ParsedPath => builtIn().parse(path);
export const matchesGlob = (path: string, pattern: string): boolean => builtIn().matchesGlob(path, pattern);
export const posix = { dirname, basename };
