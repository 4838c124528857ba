import { isOneOf } from "../core/one-of.ts";
import { effectsOfPowerShell, type PsCommand, unfoldCmd, unfoldPowerShell } from "./powershell.ts";
import type { Inner } from "./embedded.ts";
import type { Effect, Run, Word } from "./model.ts";
import { textOf } from "./output.ts";

export interface WindowsText {
  readonly inner: readonly Inner[];
  /** What the text as a whole does: to fetch something and to run what nobody can tell. */
  readonly effects: readonly Effect[];
  /** It runs a text or a file that cannot be told. */
  readonly opaque: boolean;
  readonly script?: string;
}

/** What `pwsh -c …`, `powershell -enc …` or `cmd /c …` runs; the words may also come on standard input. */
export function unfoldWindows(run: Run): WindowsText {
  const words = run.args.map((arg) => arg.text);
  const fed = textOf(run.stdin);
  if (run.program === "cmd") {
    const at = words.findIndex((word) => /^\/{1,2}[ckr]/i.test(word));
    const text = at === -1 ? fed : [words[at]?.replace(/^\/+./, "") ?? "", ...words.slice(at + 1)].join(" ");
    return text === undefined ? unread(run) : read(unfoldCmd(text), run);
  }
  if (!isOneOf(run.program, "pwsh-preview pwsh powershell"))
    return read(
      unfoldCmd([run.program, ...words.map((word) => (/\s/.test(word) ? `"${word}"` : word))].join(" ")),
      run,
    );
  const script = scriptIn(words);
  if (script !== undefined)
    return fed === undefined ? { ...unread(run), opaque: false, script } : read(unfoldPowerShell(fed), run);
  const asksForInput = words.length === 0 || words.at(-1) === "-";
  if (asksForInput || words.every((word) => /^-/.test(word)))
    return fed === undefined ? unread(run) : read(unfoldPowerShell(fed), run);
  return read(unfoldPowerShell([run.program, ...words.map(quoted)].join(" ")).slice(1), run);
}

const unread = (run: Run): WindowsText => ({ inner: [], effects: [], opaque: run.stdin !== undefined });

const quoted = (word: string): string => (/^-\w+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`);

/** `pwsh -File x.ps1`, `pwsh x.ps1` */
function scriptIn(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^-f(?:i(?:le?)?)?$/i.test(word));
  if (at !== -1) return words[at + 1];
  return words.some((word) => /^-(?:c|e)/i.test(word))
    ? undefined
    : words.find((word) => /\.ps1$/i.test(word));
}

function read(commands: readonly PsCommand[], { program, cwd, stdin }: Run): WindowsText {
  const inner: Inner[] = [];
  const effects: Effect[] = [];
  let folder: string | undefined;
  for (const command of commands) {
    const moved = movesTo(command, cwd);
    if (moved !== undefined)
      folder = moved.startsWith("/") || folder === undefined ? moved : `${folder}/${moved}`;
    // As elsewhere, to go somewhere is no command of its own.
    if (moved !== undefined && isOneOf(command.name, "cd pushd")) continue;
    const done = effectsOfPowerShell(withPlaces(command)).map((effect) => placed(effect, cwd));
    effects.push(
      ...done.filter(
        (effect) => effect.do === "fetch" || (effect.do === "exec" && effect.command === undefined),
      ),
    );
    const where = folder === undefined ? {} : { cwd: folder };
    // A text it starts is read by whoever reads such texts.
    const started = done.flatMap((effect) =>
      effect.do === "exec" && effect.command !== undefined ? [effect.command] : [],
    );
    for (const text of started) inner.push({ via: program, text: withSlashes(text, cwd), ...where });
    if (isOwn(command.name) || done.length > 0)
      inner.push({ via: program, run: runOf(command, done), ...where });
    else if (command.name !== "") inner.push({ via: program, words: wordsOf(command, cwd), ...where });
  }
  const runsUnknown = effects.some((effect) => effect.do === "exec");
  return {
    inner,
    effects: runsUnknown ? effects : [],
    opaque: runsUnknown && stdin !== undefined,
  };
}

/** A cmdlet, a method of the framework, or a command of cmd.exe's own. */
const isOwn = (name: string): boolean =>
  name.startsWith("[") ||
  (/^[a-z]+-[a-z]\w*$/.test(name) && isOneOf(name.slice(0, name.indexOf("-")), cmdletVerbs)) ||
  isOneOf(
    name,
    "del rd copy xcopy robocopy move rename type mkdir mklink echo dir format diskpart cd pushd forfiles certutil cipher rem bitsadmin mshta takeown icacls vssadmin wbadmin bcdedit reg schtasks",
  );

const cmdletVerbs =
  "get set remove new add clear copy move rename invoke start stop restart out write read select where foreach sort format initialize " +
  "import export convertto convertfrom test resolve join split push pop update install uninstall enable disable register unregister " +
  "suspend resume wait measure group compare tee expand compress dismount mount send receive enter exit unblock reset restore save " +
  "show optimize repair resize";

/** Cmdlets that change nothing outside the script. */
const looks =
  /^(?:get|write|select|where|foreach|sort|measure|group|compare|test|resolve|join|split|convertto|convertfrom|format|read|show)-(?!volume)/;

const asWord = (text: string, known: boolean): Word => ({
  text,
  known: known || !text.includes("$"),
  glob: false,
});

/** The command that prints all variables. */
const environment: Run = { program: "env", called: "env", args: [], redirects: [], via: [] };

function runOf(
  command: PsCommand,
  effects: readonly Effect[],
): Pick<Run, "program" | "called" | "args" | "effects"> {
  const { name, args, flags, known } = command;
  const options = Object.entries(flags).flatMap(([flag, value]) =>
    value === true ? [asWord(`-${flag}`, true)] : [asWord(`-${flag}`, true), asWord(value, known)],
  );
  const carried = command.environment ? [{ ...asWord("$env:", false), from: [environment] }] : [];
  return {
    program: name,
    called: name,
    args: [...args.map((arg) => asWord(arg, known)), ...options, ...carried],
    ...(effects.length > 0 || looks.test(name) || flags["whatif"] !== undefined ? { effects } : {}),
  };
}

/** The words of a program that is not PowerShell's own, for whoever knows that program. */
function wordsOf({ name, args, flags, known, text }: PsCommand, cwd: string | undefined): Word[] {
  const switches = Object.entries(flags).flatMap(([flag, value]) => [
    asWord(value === true ? `/${flag}` : `/${flag}:${value}`, known),
  ]);
  // A script by its name is a file beside the others.
  const script = /^(?:[&.]\s+)?["']?((?:[^"'\s]*[\\/])?[^"'\s\\/]+\.(?:bat|cmd|ps1))\b/i.exec(text)?.[1];
  const called =
    script === undefined ? name : withSlashes(/[\\/]/.test(script) ? script : `./${script}`, cwd);
  return [asWord(called, true), ...args.map((arg) => asWord(withSlashes(arg, cwd), known)), ...switches];
}

function movesTo({ name, args, flags, known }: PsCommand, cwd: string | undefined): string | undefined {
  if (!isOneOf(name, "set-location push-location cd pushd") || !known) return undefined;
  const to = flags["path"] ?? flags["literalpath"] ?? args[0];
  return typeof to === "string" ? placeOf(to, cwd) : undefined;
}

const folders: Readonly<Record<string, string>> = {
  temp: "/tmp",
  tmp: "/tmp",
  systemdrive: "/mnt/c",
  homedrive: "/mnt/c",
  windir: "/mnt/c/Windows",
  systemroot: "/mnt/c/Windows",
  programfiles: "/mnt/c/Program Files",
  programdata: "/mnt/c/ProgramData",
  public: "/mnt/c/Users/Public",
  appdata: "~/AppData/Roaming",
  localappdata: "~/AppData/Local",
};

/** Places every Windows has a name for, put in where they begin a path. */
function withPlaces(command: PsCommand): PsCommand {
  if (command.known) return command;
  const put = (text: string): string =>
    text
      .replace(/^\$\{?env:(\w+)\}?/i, (whole, name: string) => folders[name.toLowerCase()] ?? whole)
      .replace(/^\$(?:psscriptroot|pwd)\b/i, ".");
  return {
    ...command,
    args: command.args.map(put),
    flags: Object.fromEntries(
      Object.entries(command.flags).map(([flag, value]) => [flag, value === true ? value : put(value)]),
    ),
  };
}

function placed(effect: Effect, cwd: string | undefined): Effect {
  return "path" in effect && effect.path !== undefined
    ? { ...effect, path: placeOf(effect.path, cwd) }
    : effect;
}

/** A path of Windows as one of this machine: drives lie where WSL has them, unless we are on one. */
function placeOf(path: string, cwd: string | undefined): string {
  const slashed = path.replaceAll("\\", "/");
  const [, letter, rest = ""] = /^([A-Za-z]):\/*(.*)$/s.exec(slashed) ?? [];
  if (letter === undefined || process.platform === "win32") return slashed;
  // The workspace itself may be on a drive.
  const here = /(?:^|\/)([A-Za-z]:[\\/].*)$/s
    .exec(cwd ?? "")?.[1]
    ?.replaceAll("\\", "/")
    .toLowerCase();
  const whole = `${letter}:/${rest}`;
  if (here !== undefined && `${whole.toLowerCase()}/`.startsWith(`${here}/`))
    return whole.slice(here.length + 1) || ".";
  return rest === "" ? `/mnt/${letter.toLowerCase()}` : `/mnt/${letter.toLowerCase()}/${rest}`;
}

/** In the words of a program nobody here has read, only what is plainly a path is changed. */
const withSlashes = (text: string, cwd: string | undefined): string =>
  /^(?:[A-Za-z]:|\.{1,2}|~)[\\/]/.test(text) ? placeOf(text, cwd) : text;
