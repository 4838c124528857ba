import type { CommandLines } from "./install.ts";
import type { Json } from "./json.ts";

/** What a host without a way to fail closed is told when we could not be started, or died. */
const unanswered = "Hookline did not answer, so this is refused. Run: hookline doctor";

/** The call of an executable with arguments that need no quotes; `refuses` makes every failure exit 2 with a reason, also in a shell that is not POSIX's if it may be any. */
export function commandLines(
  executable: string,
  args: readonly string[],
  platform: NodeJS.Platform,
  refuses: boolean,
  isAnyShell = false,
): CommandLines {
  const rest = ["run", ...args].join(" ");
  // A path of one system is none of another, and there is no client for Windows; there the name has to do.
  const isForeign = platform !== "win32" && /^(?:\/|\$\{)|hookline-warm$/.test(executable);
  const onWindows = isForeign ? "hookline" : executable;
  const posix = `${posixWord(executable)} ${rest}`;
  const powershell = `${powershellWord(onWindows)} ${rest}`;
  const cmd = `${cmdWord(onWindows)} ${rest}`;
  const lines = refuses
    ? {
        // Where the user's own shell runs the line it may be fish, which has no braces and ends at a command it cannot find.
        posix: `${isAnyShell ? "env " : ""}${posix} || sh -c 'echo "${unanswered}" >&2; exit 2'`,
        // What cannot be found leaves no exit code at all.
        powershell: `${powershell}; if ($LASTEXITCODE -ne 0) { [Console]::Error.WriteLine('${unanswered}'); exit 2 }`,
        cmd: `${cmd} || (echo ${unanswered} 1>&2 & exit 2)`,
      }
    : { posix, powershell, cmd };
  return { ...lines, native: platform === "win32" ? lines.powershell : lines.posix };
}

const plain = /^[\w@%+=:,./-]+$/;

// Git Bash takes a Windows path with either slash, and a backslash only within quotes.
const posixWord = (word: string): string =>
  plain.test(word) ? word : `'${slashed(word).replaceAll("'", `'\\''`)}'`;

const powershellWord = (word: string): string =>
  /^[\w:.\\/-]+$/.test(word) ? word : `& '${word.replaceAll("'", "''")}'`;

const cmdWord = (word: string): string => (/^[\w:.\\/-]+$/.test(word) ? word : `"${word}"`);

const slashed = (word: string): string => (/^[A-Za-z]:\\/.test(word) ? word.replaceAll("\\", "/") : word);

/** A command line that starts Hookline's hook mode and nothing else, in any shell and as any version has written it. */
const isOurLine = (line: string): boolean => ours.test(line.trim());

/** The executable a command line of ours names. */
export function executableOf(line: string): string | undefined {
  const found = ours.exec(line.trim())?.groups;
  if (!found) return undefined;
  const { single, double, bare } = found;
  if (single !== undefined) return single.replaceAll(`'\\''`, "'").replaceAll("''", "'");
  return double ?? bare;
}

const name = "hookline(?:-warm|\\.exe|\\.mjs|\\.cmd)?";
const word = [
  `'(?<single>(?:(?:[^']|'\\\\''|'')*[\\\\/])?${name})'`,
  `"(?<double>(?:[^"]*[\\\\/])?${name})"`,
  `(?<bare>(?:[^\\s"';|&<>]*[\\\\/])?${name})`,
].join("|");
const tails = [
  "\\|\\| exit 2",
  "\\|\\| sh -c '[^']*'",
  "\\|\\| \\(echo [^()|&<>]* 1>&2 & exit 2\\)",
  "; if \\(\\$LASTEXITCODE -ne 0\\) \\{ (?:\\[Console\\]::Error\\.WriteLine\\('[^']*'\\); )?exit 2 \\}",
].join("|");
const ours = new RegExp(
  `^(?:& |env |npx (?:-y |--yes )?|node )?(?:${word}) run(?: --[a-z]+[= ][\\w.-]+)*\\s*(?:${tails})?$`,
);

/** Whether a handler in a host's configuration is ours. */
export function isOurHandler(handler: Json): boolean {
  const lines = linesOf(handler);
  return lines.length > 0 && lines.every(isOurLine);
}

/** The command line of a handler that a system runs. */
export function lineFor(handler: Json, platform: NodeJS.Platform): string | undefined {
  const keys =
    platform === "win32"
      ? ["powershell", "commandWindows", "command_windows", "command"]
      : ["bash", "command"];
  const found = keys.map((key) => handler[key]).find((line) => typeof line === "string");
  return found ?? linesOf(handler)[0];
}

/** The command lines of a handler, for whichever shell. */
export const linesOf = (handler: Json): string[] =>
  ["command", "bash", "powershell", "commandWindows", "command_windows"].flatMap((key) =>
    typeof handler[key] === "string" ? [handler[key]] : [],
  );
