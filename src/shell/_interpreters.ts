import { isOneOf, unversioned } from "../core/one-of.ts";
import type { Embedded } from "./embedded.ts";
import type { Language, Run, Word } from "./model.ts";
import { textOf } from "./output.ts";
import { codeReader } from "./readers.ts";

export function languageOf(program: string): Language | undefined {
  const bare = unversioned(program);
  if (isOneOf(bare, "python ipython pypy bpython ptpython")) return "python";
  if (isOneOf(program, "node nodejs bun deno tsx ts-node zx")) return "javascript";
  if (isOneOf(program, "gawk mawk nawk awk")) return "awk";
  if (isOneOf(bare, "lua luajit texlua texluajit")) return "lua";
  if (program === "irb" || program === "pry") return "ruby";
  if (program === "psysh") return "php";
  return program === "perl" || program === "ruby" || program === "php" ? program : undefined;
}

/** Options behind which an interpreter's program stands. */
const codeFlags: Readonly<Record<Language, RegExp>> = {
  python: /^-[a-zA-Z]*c$|^--command$/,
  javascript: /^(?:-[a-z]*[ep][a-z]*|--eval|--print)$/,
  // Behind -M, -I and -r stands a name, which may end like an option.
  perl: /^-[aclnpisStTuUvwWX\d]*[eE]$/,
  ruby: /^-[aclnpisSvwW\d]*e$/,
  php: /^-[rBRE]$|^--run$|^--execute$/,
  awk: /^$/,
  lua: /^-e$/,
};

/** The same where the program stands in the same word. */
const gluedCode: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /^(?:-[bBdEiIOqsSuvxP]*c|--command=)(.+)$/s,
  javascript: /^(?:--eval=|--print=)(.+)$/s,
  perl: /^-[aclnpsStTuUvwWX\d]*[eE](.+)$/s,
  ruby: /^-[aclnpsSvw]*e(.+)$/s,
  php: /^(?:-r|--execute=)(.+)$/s,
  lua: /^-e(.+)$/s,
};

/** Modules of Python that are programs, with their names. */
const modules: Readonly<Record<string, string>> = {
  flit: "flit",
  hatch: "hatch",
  poetry: "poetry",
  pdm: "pdm",
  uv: "uv",
  awscli: "aws",
  alembic: "alembic",
  flask: "flask",
  django: "django-admin",
  ansible: "ansible",
  mycli: "mycli",
  pgcli: "pgcli",
  litecli: "litecli",
  invoke: "invoke",
  httpie: "http",
  conda: "conda",
  black: "black",
  isort: "isort",
  ruff: "ruff",
  autopep8: "autopep8",
  yapf: "yapf",
  autoflake: "autoflake",
  pyupgrade: "pyupgrade",
  lib2to3: "2to3",
  pip: "pip",
};

/** Modules that do what a well-known program does, in the words of that program. */
function twinOf(module: string | undefined, args: readonly Word[]): Word[] | undefined {
  const word = (text: string): Word => ({ text, known: true, glob: false });
  const [flag, archive, to] = args;
  switch (module) {
    case "base64":
    case "quopri":
    case "uu":
      return [word("base64"), ...args];
    case "zipfile":
      if (!flag || !archive) return undefined;
      if (isOneOf(flag.text, "-c --create")) return [word("tee"), archive];
      return to && isOneOf(flag.text, "-e --extract") ? [word("unzip"), archive, word("-d"), to] : undefined;
    case "tarfile":
      if (!flag || !archive) return undefined;
      if (isOneOf(flag.text, "-c --create")) return [word("tee"), archive];
      return to && isOneOf(flag.text, "-e --extract")
        ? [word("tar"), word("-xf"), archive, word("-C"), to]
        : undefined;
    case "venv":
    case "virtualenv":
      return [word("mkdir"), ...args.filter(({ text }) => !text.startsWith("-"))];
    case "json.tool": {
      const [from, into] = args.filter(({ text }) => !text.startsWith("-"));
      return from && into ? [word("cp"), from, into] : undefined;
    }
    default:
      return undefined;
  }
}

/** `python -c code`, `node -e code`, `awk 'code'`, `python < code`. */
export function ofInterpreter(run: Run, language: Language): Embedded {
  const words = wordsBehindRun(run);
  // Behind a module stand the module's own options.
  const own = language === "python" ? words.findIndex((word) => word.text === "-m") : -1;
  const at = (own === -1 ? words : words.slice(0, own)).findIndex((word) =>
    codeFlags[language].test(word.text),
  );
  const plain = words.findIndex((word) => !word.text.startsWith("-"));
  const options = plain === -1 ? words : words.slice(0, plain);
  const isConsole = words.some((word) => isOneOf(word.text, "shell shell_plus tinker"));
  const glued =
    at === -1
      ? (isConsole ? words : options).find((word) => gluedCode[language]?.test(word.text))
      : undefined;
  let code = at === -1 ? undefined : words[at + 1];
  if (glued) code = { ...glued, text: gluedCode[language]?.exec(glued.text)?.[1] ?? "" };
  if (language === "awk" && !words.some((word) => word.text === "-f"))
    code = words.find(
      (word, index) => !word.text.startsWith("-") && !isOneOf(words[index - 1]?.text ?? "", "-F -v"),
    );
  if (language === "javascript" && words[0]?.text === "eval") code = words[1];
  if (code)
    return code.known || code.from === undefined ? ofCode(run, language, code.text) : opaque(run, code);
  const script = words.find(
    (word, index) =>
      !word.text.startsWith("-") &&
      word.text !== "/dev/stdin" &&
      words[index - 1]?.text !== "-m" &&
      !(isConsole && /^(?:(?:.*\/)?(?:manage\.py|artisan)|shell|shell_plus|tinker)$/.test(word.text)),
  );
  const asModule = words.findIndex((word) => word.text === "-m");
  const named = modules[words[asModule + 1]?.text ?? ""];
  if (language === "python" && asModule !== -1 && named !== undefined)
    return {
      inner: [
        {
          via: "python -m",
          words: [{ text: named, known: true, glob: false }, ...words.slice(asModule + 2)],
        },
      ],
      keep: true,
    };
  const module = words[words.findIndex((word) => word.text === "-m") + 1]?.text;
  const twin = twinOf(module, words.slice(asModule + 2));
  if (language === "python" && asModule !== -1 && twin)
    return { inner: [{ via: "python -m", words: twin }], keep: true };
  if (words.some((word) => word.text === "-m") && module !== "timeit") return { inner: [], keep: true };
  if (module === "timeit")
    return ofCode(
      run,
      language,
      words
        .map((word) => word.text)
        .filter((text) => /\W/.test(text) && !/^-/.test(text))
        .join("\n"),
    );
  if (script?.from) return opaque(run, script);
  if (
    script &&
    !isOneOf(script.text, "run test install add x task fmt lint check cache build create upgrade info repl")
  )
    return { inner: [], keep: true, run: { ...run, script: script.text } };
  const text = script ? undefined : textOf(run.stdin);
  return text === undefined ? { inner: [], keep: true } : ofCode(run, language, text);
}

/** `bun run a.ts` and `deno run -A -` are `bun a.ts` and `deno -A -`; another name is a task. */
function wordsBehindRun({ program, args }: Run): readonly Word[] {
  if (!isOneOf(program, "bun deno") || args[0]?.text !== "run") return args;
  const behind = args.slice(1);
  const given = behind.find(({ text }) => text === "-" || !text.startsWith("-"))?.text ?? "";
  return given === "-" || /[./]/.test(given) ? behind : args;
}

export function ofCode(run: Run, language: Language, code: string): Embedded {
  const effects = codeReader().effectsOfCode(language, code);
  const inner = effects.flatMap((effect) =>
    effect.do === "exec" && effect.command !== undefined ? [{ via: run.program, text: effect.command }] : [],
  );
  return {
    inner,
    keep: true,
    run: {
      ...run,
      effects: effects.filter((effect) => effect.do !== "exec" || effect.command === undefined),
    },
  };
}

/** A command that runs a text which is only known when it runs. */
export const opaque = (run: Run, text: Word): Embedded => ({
  inner: [],
  keep: true,
  run: { ...run, opaque: true, ...(text.from ? { stdin: { from: "commands", commands: text.from } } : {}) },
});
