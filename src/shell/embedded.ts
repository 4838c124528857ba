import { isOneOf } from "../core/one-of.ts";
import { foundBy } from "./_find.ts";
import { languageOf, ofCode, ofInterpreter, opaque } from "./_interpreters.ts";
import { ofParallel, ofXargs, replaced } from "./_xargs.ts";
import type { Run, Word } from "./model.ts";
import { textOf } from "./output.ts";
import { windowsReader } from "./readers.ts";

/** A program inside a program: more words to run, or a text for a shell. */
export type Inner = {
  readonly via: string;
  readonly cwd?: string;
  /** The text came from the standard input, which is used up by it. */
  readonly fed?: true;
} & (
  | { readonly words: readonly Word[] }
  /** A command that has been read already. */
  | { readonly run: Pick<Run, "program" | "called" | "args" | "effects"> }
  | { readonly text: string; readonly args?: readonly Word[]; readonly zero?: Word }
);

export interface Embedded {
  readonly inner: readonly Inner[];
  /** Is the outer command itself still worth a look? */
  readonly keep: boolean;
  /** The outer command, with what was learnt about it. */
  readonly run?: Run;
}

const windowsShells = "pwsh-preview pwsh powershell cmd";
/** Programs of Windows that a POSIX shell may start there. */
const windowsPrograms = "robocopy xcopy certutil bitsadmin mshta forfiles diskpart takeown icacls";
const shells = "sh bash zsh dash ksh ash mksh pdksh rbash fish";

/** What a command runs besides itself: shells, `find -exec`, `xargs`, `git -c alias`, editors. */
export function embedded(run: Run, substitutions: ReadonlyMap<string, readonly Run[]>): Embedded | undefined {
  const { program, args } = run;
  if (isOneOf(program, shells)) return ofShell(run, substitutions);
  if (program === "source" || program === ".") return ofSource(run, substitutions);
  if (isOneOf(program, windowsShells) || isOneOf(program, windowsPrograms)) return ofWindows(run);
  // The console of a framework runs code in the language it is made in.
  if (program === "rails" && isOneOf(args[0]?.text ?? "", "runner r console c")) {
    const given = isOneOf(args[0]?.text ?? "", "runner r") ? args[1] : undefined;
    const code = given && given.text !== "-" ? given.text : textOf(run.stdin);
    if (code !== undefined && !/\.rb$/.test(code)) return ofCode(run, "ruby", code);
  }
  if (isOneOf(program, "manage.py django-admin flask") && isOneOf(args[0]?.text ?? "", "shell shell_plus"))
    return ofInterpreter(run, "python");
  if (program === "artisan" && args[0]?.text === "tinker") return ofInterpreter(run, "php");
  if (program === "bun" && args[0]?.text === "exec" && args[1]?.known)
    return texts([args[1].text], "bun exec");
  const language = languageOf(program);
  if (language) return ofInterpreter(run, language);
  switch (program) {
    case "find":
    case "gfind":
      return ofFind(args);
    case "fd":
    case "fdfind":
      return afterFlag(args, ["-x", "-X", "--exec", "--exec-batch"], program);
    case "xargs":
    case "gxargs":
      return ofXargs(run);
    case "parallel":
    case "rush":
      return ofParallel(run);
    case "git":
      return ofGit(args);
    case "tar":
    case "gtar":
      return texts(
        flagValues(args, ["--to-command", "-I", "--use-compress-program", "--checkpoint-action"]).map(
          (text) => text.replace(/^exec=/, ""),
        ),
        "tar",
        (text) => !/^(?:[a-z0-9]+|[a-z]+=.*)$/.test(text),
      );
    case "vim":
    case "vi":
    case "nvim":
    case "ex":
    case "view":
      return texts(
        flagValues(args, ["-c", "+", "--cmd"])
          .concat(args.filter((arg) => arg.text.startsWith("+")).map((arg) => arg.text.slice(1)))
          .filter((text) => /^:?\s*!/.test(text))
          .map((text) => text.replace(/^:?\s*!/, "")),
        program,
      );
    case "sed":
    case "gsed":
      return texts(
        args
          .flatMap(({ text }) => [
            /^(?:\d+|\/[^/]*\/|\$)?\s*e\s+(.+)$/s.exec(text)?.[1],
            /^s(.)(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1\w*e\w*$/s.exec(text)?.[2]?.replace(/\\(.)/gs, "$1"),
          ])
          .filter((text) => text !== undefined),
        "sed e",
      );
    case "gdb":
    case "lldb":
      return texts(
        flagValues(args, ["-ex", "--eval-command", "-iex", "-o", "--one-line"]).flatMap(
          (text) => /^(?:shell|platform shell|pipe|!)\s*(.+)$/s.exec(text.trim())?.[1] ?? [],
        ),
        program,
      );
    case "sqlite3":
      return texts(
        args
          .map((arg) => arg.text)
          .filter((text) => /^\.(?:shell|system)\s/.test(text))
          .map((text) => text.replace(/^\.\w+\s+/, "")),
        "sqlite3 .shell",
      );
    default:
      return undefined;
  }
}

/** `bash -c text`, `bash < text`, `bash file`, `bash <(…)`. */
function ofShell(run: Run, substitutions: ReadonlyMap<string, readonly Run[]>): Embedded {
  const { args, program } = run;
  // Only looks whether the text is well formed.
  if (args.some((arg) => /^-[a-z]*n[a-z]*$/.test(arg.text) && !arg.text.includes("c")))
    return { inner: [], keep: false };
  for (let at = 0; at < args.length; at++) {
    const arg = args[at];
    const text = arg?.text ?? "";
    if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(text)) {
      const script = args.slice(at + 1).find((each) => !/^[-+]/.test(each.text));
      if (!script) return { inner: [], keep: true };
      // "$0" is the word behind the text, the first argument the one after that.
      if (script.known)
        return {
          inner: [
            {
              via: `${program} -c`,
              text: script.text,
              args: args.slice(at + 3),
              ...(args[at + 2] ? { zero: args[at + 2] } : {}),
            },
          ],
          keep: false,
        };
      return opaque(run, script);
    }
    if (text === "-s" || text === "-" || text === "/dev/stdin") break;
    const settings = isOneOf(text, "--rcfile --init-file")
      ? substitutions.get(args[at + 1]?.text ?? "")
      : undefined;
    if (settings) return fromFeed({ ...run, stdin: { from: "commands", commands: settings } }, []);
    if (/^[-+][oO]$/.test(text) || text === "--rcfile" || text === "--init-file") at++;
    else if (!text.startsWith("-") && !text.startsWith("+")) {
      const fed = substitutions.get(text);
      return fed
        ? fromFeed({ ...run, stdin: { from: "commands", commands: fed } }, args.slice(at + 1))
        : { inner: [], keep: true, run: { ...run, script: text, opaque: true } };
    }
  }
  return fromFeed(run, []);
}

/** `pwsh -c text`, `powershell -enc …`, `cmd /c text`. */
function ofWindows(run: Run): Embedded {
  const { inner, effects, opaque: isOpaque, script } = windowsReader().unfoldWindows(run);
  // One of its programs is read as its own command line, and comes first in it.
  const [first, ...others] = inner;
  if (isOneOf(run.program, windowsPrograms) && first && "run" in first)
    return { inner: others, keep: true, run: { ...run, effects: first.run.effects ?? [] } };
  return {
    inner,
    keep: true,
    run: {
      ...run,
      ...(effects.length > 0 ? { effects } : {}),
      ...(isOpaque ? { opaque: true } : {}),
      ...(script === undefined ? {} : { script }),
    },
  };
}

function fromFeed(run: Run, args: readonly Word[]): Embedded {
  const text = textOf(run.stdin);
  if (text !== undefined) return { inner: [{ via: `${run.program} <`, text, args, fed: true }], keep: false };
  return { inner: [], keep: true, run: run.stdin ? { ...run, opaque: true } : run };
}

function ofSource(run: Run, substitutions: ReadonlyMap<string, readonly Run[]>): Embedded {
  const file = run.args[0]?.text ?? "";
  const fed = substitutions.get(file);
  if (fed) return fromFeed({ ...run, stdin: { from: "commands", commands: fed } }, run.args.slice(1));
  if (file === "/dev/stdin") return fromFeed(run, []);
  return { inner: [], keep: true, run: { ...run, script: file } };
}

function ofFind(args: readonly Word[]): Embedded {
  const inner: Inner[] = [];
  for (let at = 0; at < args.length; at++) {
    if (!isOneOf(args[at]?.text ?? "", "-exec -execdir -ok -okdir")) continue;
    const end = args.findIndex((arg, index) => index > at && (arg.text === ";" || arg.text === "+"));
    const words = args.slice(at + 1, end === -1 ? undefined : end);
    for (const found of foundBy(args))
      inner.push({ via: `find ${args[at]?.text}`, words: words.map((word) => replaced(word, "{}", found)) });
    at = end === -1 ? args.length : end;
  }
  return { inner, keep: true };
}

function ofGit(args: readonly Word[]): Embedded | undefined {
  const inner: Inner[] = [];
  const settings = flagValues(args, ["-c"]);
  const verb = args.find(
    (arg, at) =>
      !arg.text.startsWith("-") && !isOneOf(args[at - 1]?.text ?? "", "-C -c --git-dir --work-tree"),
  )?.text;
  for (const setting of settings) {
    const alias = /^alias\.([^=]+)=(.*)$/s.exec(setting);
    if (alias && alias[1] === verb) {
      const text = alias[2] ?? "";
      inner.push({ via: "git alias", text: text.startsWith("!") ? text.slice(1) : `git ${text}` });
    }
    const runs =
      /^(?:core\.(?:pager|editor|sshcommand|fsmonitor)|sequence\.editor|diff\.external|credential\.helper)=(.*)$/is.exec(
        setting,
      );
    if (runs) inner.push({ via: "git -c", text: (runs[1] ?? "").replace(/^!/, "") });
  }
  const words = args.map((arg) => arg.text);
  const foreach = words.indexOf("foreach");
  if (words.includes("submodule") && foreach !== -1)
    inner.push({
      via: "git submodule foreach",
      text: words
        .slice(foreach + 1)
        .filter((word) => word !== "--recursive" && word !== "--quiet")
        .join(" "),
    });
  const bisect = words.indexOf("run");
  if (words.includes("bisect") && bisect !== -1)
    inner.push({ via: "git bisect run", words: args.slice(bisect + 1) });
  const glued = words.flatMap((word) => /^-O(.+)$/s.exec(word)?.[1] ?? []);
  if (words.includes("grep"))
    for (const pager of [...flagValues(args, ["--open-files-in-pager"]), ...glued])
      inner.push({ via: "git pager", text: pager });
  if (words.includes("difftool") || words.includes("mergetool"))
    for (const tool of flagValues(args, ["-x", "--extcmd"])) inner.push({ via: "git difftool", text: tool });
  // An address that names a program to talk to.
  for (const word of words)
    if (/^ext::/.test(word)) inner.push({ via: "git ext::", text: word.slice(5).replace(/%(.)/g, "$1") });
  for (const program of flagValues(args, ["--upload-pack", "--receive-pack", "--exec"]))
    if (/\s/.test(program) && isOneOf(verb ?? "", "clone fetch pull push ls-remote archive"))
      inner.push({ via: "git", text: program });
  const exec = flagValues(args, ["-x", "--exec"]);
  if (words.includes("rebase")) inner.push(...exec.map((text) => ({ via: "git rebase --exec", text })));
  return inner.length > 0 ? { inner, keep: true } : undefined;
}

function afterFlag(args: readonly Word[], flags: readonly string[], via: string): Embedded | undefined {
  const at = args.findIndex((arg) => flags.includes(arg.text));
  if (at === -1) return undefined;
  // With a pattern or a filter it is something found, without one everything.
  const narrowed = args
    .slice(0, at)
    .some(
      (arg) => !arg.text.startsWith("-") || /^-[eSE]|^--(?:extension|changed|size|exclude)/.test(arg.text),
    );
  const plain = args
    .slice(0, at)
    .filter(
      (arg, index) => !arg.text.startsWith("-") && !isOneOf(args[index - 1]?.text ?? "", "-e -t -E -d -S"),
    );
  const folder = plain[1]?.text ?? ".";
  const everything = !narrowed || plain[0]?.text === ".";
  const named = /^\^?\\?(\.?[\w-]+)\$?$/.exec(plain[0]?.text ?? "")?.[1];
  const start = {
    text: `${folder.replace(/\/$/, "")}/${everything ? "*" : plain[0]?.text.startsWith("^") && named ? named : "*.found"}`,
    known: true,
    glob: true,
  };
  const words = args.slice(at + 1).map((word) => replaced(word, "{}", start));
  return {
    inner: [
      { via, words: words.some((word, index) => word !== args[at + 1 + index]) ? words : [...words, start] },
    ],
    keep: true,
  };
}

function flagValues(args: readonly Word[], flags: readonly string[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    const flag = text === "" ? undefined : flags.find((each) => text === each || text.startsWith(`${each}=`));
    if (flag === undefined) continue;
    const value = text === flag ? args[at + 1]?.text : text.slice(flag.length + 1);
    if (value !== undefined) found.push(value);
  }
  return found;
}

function texts(
  all: readonly string[],
  via: string,
  keep: (text: string) => boolean = () => true,
): Embedded | undefined {
  const inner = all.filter((text) => text !== "" && keep(text)).map((text) => ({ via, text }));
  return inner.length > 0 ? { inner, keep: true } : undefined;
}
