import { quote } from "./_examples.ts";
import { decides, inputNames, isBeforeTool, readsInput, taintedIn } from "./_facts.ts";
import { plugin, pluginWith } from "./_examples.ts";
import { defineLint, type Lint, type Remark } from "./lint.ts";
import { lineAt, lineOf, type Script } from "./script.ts";
import { syntaxOf, type WrittenCommand } from "../shell/syntax.ts";

/** Programs that take an argument for code. */
const interpreters = /^(?:ba|da|z|k)?sh$|^python[\d.]*$|^node$|^perl$|^ruby$/;

export const inputLints: readonly Lint[] = [
  defineLint({
    id: "unquoted-input",
    severity: "error",
    summary: "What the agent wrote stands unquoted in a command.",
    why: "The shell splits the value into words and matches it against file names, so a path with a space or a star becomes other arguments.",
    fix: 'Put it into double quotes: "$TOOL_INPUT". Better still, read standard input as JSON.',
    item: "input",
    examples: {
      bad: [
        { files: plugin("./validate-write.sh $TOOL_INPUT"), at: "plugins/p/hooks/hooks.json:7" },
        {
          files: pluginWith("check.sh", "#!/bin/bash\nFILE=$(jq -r .tool_input.file_path)\nwc -l $FILE\n"),
          at: "plugins/p/scripts/check.sh:3",
        },
      ],
      good: [
        { files: plugin('"${CLAUDE_PLUGIN_ROOT}/check.sh" "$TOOL_INPUT"') },
        {
          files: pluginWith(
            "check.sh",
            '#!/bin/bash\nFILE=$(jq -r .tool_input.file_path)\n[[ $FILE == *.md ]] && wc -l "$FILE"\n# $FILE is fine here\n',
          ),
        },
      ],
    },
    *check({ command, script }) {
      if (command !== undefined)
        for (const { name, splits } of syntaxOf(command).expansions)
          if (splits && inputNames.includes(name)) yield { text: `\`$${name}\` is not quoted`, in: "hook" };
      if (!script?.syntax) return;
      const tainted = taintedIn(script);
      for (const { name, pos, splits } of script.syntax.expansions)
        if (splits && tainted.has(name))
          yield {
            text: `\`$${name}\` is not quoted`,
            in: "script",
            line: lineAt(script.text, pos),
            // A variable of its own may be a list it has made, to be taken apart.
            ...(inputNames.includes(name) ? {} : { severity: "warning" }),
          };
    },
  }),
  defineLint({
    id: "input-as-code",
    severity: "error",
    summary: "What the agent wrote is run as code.",
    why: "Whoever can put words into a file the agent reads can then run anything with the user's rights.",
    fix: "Never give input to eval, `sh -c` or an interpreter's `-c`; compare it, or pass it as an argument of its own.",
    item: "input",
    examples: {
      bad: [
        { files: plugin('bash -c "echo $TOOL_INPUT"'), at: "plugins/p/hooks/hooks.json:7" },
        {
          files: pluginWith("run.sh", '#!/bin/bash\nCMD=$(jq -r .tool_input.command)\neval "$CMD"\n'),
          at: "plugins/p/scripts/run.sh:3",
        },
        { files: plugin('eval "$(jq -r .tool_input.command)"'), at: "plugins/p/hooks/hooks.json:7" },
        { files: plugin("jq -r .tool_input.command | bash"), at: "plugins/p/hooks/hooks.json:7" },
        {
          files: pluginWith(
            "run.sh",
            "#!/bin/bash\njq -r .tool_input.file_path | xargs -I{} sh -c 'wc -l {}'\n",
          ),
          at: "plugins/p/scripts/run.sh:2",
        },
      ],
      good: [
        {
          files: pluginWith(
            "run.sh",
            '#!/bin/bash\nCMD=$(jq -r .tool_input.command)\nprintf "%s" "$CMD" | grep -q rm && exit 2\n',
          ),
        },
        { files: plugin('cat | python3 "${CLAUDE_PLUGIN_ROOT}/check.py"') },
      ],
    },
    *check({ command, script }) {
      if (command !== undefined) yield* coded(command, new Set(inputNames), "hook");
      if (script?.syntax) yield* coded(script.text, taintedIn(script), "script");
      const line =
        script?.language === "python"
          ? lineOf(script, /\b(?:eval|exec|os\.system)\s*\(|shell\s*=\s*True/)
          : script?.language === "javascript"
            ? lineOf(script, /\beval\s*\(|new Function\s*\(|\bexecSync?\s*\(\s*(?:`[^`]*\$\{|[\w.]+\s*[,)+])/)
            : undefined;
      if (line !== undefined)
        yield {
          text: "a text is run as code or by a shell; see that no input is in it",
          in: "script",
          line,
          severity: "warning",
        };
    },
  }),
  defineLint({
    id: "input-not-validated",
    severity: "warning",
    summary: "A hook before a tool uses its input without checking it, or does not look at it at all.",
    why: "A guard that does not read what it guards against stops nothing, and one that takes any input for well-formed breaks on the first that is not.",
    fix: "Read standard input as JSON, refuse what is none, and check each field before it is used.",
    item: "input",
    examples: {
      bad: [
        {
          files: pluginWith("guard.sh", "#!/bin/bash\nset -e\necho checked\nexit 0\n"),
          at: "plugins/p/scripts/guard.sh:1",
        },
        {
          files: pluginWith(
            "guard.sh",
            '#!/bin/bash\nINPUT=$(cat)\nprintf "%s" "$INPUT" >> guard.log\nexit 0\n',
          ),
          at: "plugins/p/scripts/guard.sh:1",
        },
        { files: plugin(`logger ${quote("$TOOL_INPUT")}`), at: "plugins/p/hooks/hooks.json:7" },
      ],
      good: [
        {
          files: pluginWith(
            "guard.sh",
            '#!/bin/bash\nINPUT=$(cat)\nprintf "%s" "$INPUT" | jq -e . >/dev/null || exit 2\nexit 0\n',
          ),
        },
      ],
    },
    *check({ hook, command, script }) {
      if (!isBeforeTool(hook)) return;
      if (script && script.language !== "other") {
        if (!readsInput(script)) yield { text: "it does not read what it is given", in: "script" };
        else if (!decides(script)) yield { text: "it checks nothing of what it is given", in: "script" };
        return;
      }
      if (script || command === undefined) return;
      const { expansions, decides: checks } = syntaxOf(command);
      const used = expansions.find(({ name }) => inputNames.includes(name));
      if (used && !checks) yield { text: `\`$${used.name}\` is used as it comes`, in: "hook" };
    },
  }),
  defineLint({
    id: "traversal-substring",
    severity: "warning",
    summary: "A path is checked by looking for `..` in its text.",
    why: "That refuses `a..b` and lets through absolute paths and links that lead out of the project.",
    fix: "Resolve the path with all links (`realpath`, `os.path.realpath`, `fs.realpathSync`) and compare the result with the root, or look for a segment that is `..`.",
    item: "input",
    examples: {
      bad: [
        {
          files: pluginWith(
            "v.sh",
            '#!/bin/bash\nP=$(jq -r .tool_input.file_path)\nif [[ "$P" == *".."* ]]; then exit 2; fi\n',
          ),
          at: "plugins/p/scripts/v.sh:3",
        },
        {
          files: pluginWith(
            "v.py",
            '#!/usr/bin/env python3\nimport json, sys\np = json.load(sys.stdin)["tool_input"]["file_path"]\nif ".." in p:\n    sys.exit(2)\n',
          ),
          at: "plugins/p/scripts/v.py:4",
        },
        {
          files: pluginWith(
            "v.ts",
            'const p = JSON.parse(await Bun.stdin.text()).tool_input.file_path;\nif (p.includes("..")) process.exit(2);\n',
          ),
          at: "plugins/p/scripts/v.ts:2",
        },
      ],
      good: [
        {
          files: pluginWith(
            "v.sh",
            '#!/bin/bash\nP=$(jq -r .tool_input.file_path)\ncase "/$P/" in */../*) exit 2 ;; esac\n',
          ),
        },
        {
          files: pluginWith(
            "v.ts",
            'const p = (await Bun.stdin.json()).tool_input.file_path;\nif (p.split("/").includes("..")) process.exit(2);\n',
          ),
        },
      ],
    },
    *check({ script }) {
      if (!script) return;
      for (const line of substringChecks(script))
        yield { text: "`..` is looked for anywhere in a path", in: "script", line };
    },
  }),
];

/** Commands that run an argument, or what they are fed, as code, where something of the input is in it. */
function* coded(text: string, names: ReadonlySet<string>, where: "hook" | "script"): Iterable<Remark> {
  const { commands, pipelines } = syntaxOf(text);
  const remark = (what: string, by: string, pos: number): Remark => ({
    text: `${what} is run as code by ${by}`,
    in: where,
    ...(where === "script" ? { line: lineAt(text, pos) } : {}),
  });
  for (const command of commands) {
    const code = codeOf(command);
    const used = code.flatMap((arg) => arg.names).find((each) => names.has(each));
    const asked = code.flatMap((arg) => arg.commands).find((each) => each === "jq" || each === "cat");
    if (used !== undefined) yield remark(`\`$${used}\``, programOf(command), command.pos);
    else if (asked !== undefined) yield remark(`what \`${asked}\` reads`, programOf(command), command.pos);
  }
  for (const [first, ...rest] of pipelines) {
    const fed = rest.find(runsWhatItIsFed);
    if (first && fed && tellsInput(first, names))
      yield remark(`what \`${first.name}\` prints`, programOf(fed), fed.pos);
  }
}

const programOf = ({ name }: WrittenCommand): string => name.split("/").at(-1) ?? name;

/** The arguments that are code. */
function codeOf(command: WrittenCommand): WrittenCommand["args"] {
  const program = programOf(command);
  if (program === "eval") return command.args;
  if (!interpreters.test(program)) return [];
  const at = command.args.findIndex((arg) => /^-\w*[ce]$/.test(arg.text)) + 1;
  return at > 0 ? command.args.slice(at, at + 1) : [];
}

/** An interpreter without a script, or one that `xargs` puts its input into. */
function runsWhatItIsFed(command: WrittenCommand): boolean {
  const words = command.args.map(({ text }) => text);
  if (programOf(command) === "xargs")
    return words.some((word) => interpreters.test(word)) && words.some((word) => /^-\w*[ce]$/.test(word));
  return (
    interpreters.test(programOf(command)) && words.every((word) => word === "-" || /^-[sx]+$/.test(word))
  );
}

/** Whether a command prints what the hook is given. */
const tellsInput = ({ name, args }: WrittenCommand, names: ReadonlySet<string>): boolean =>
  name === "jq" ||
  (name === "cat" && args.every(({ text }) => text === "-" || text === "/dev/stdin")) ||
  args.some((arg) => arg.names.some((each) => names.has(each)));

function substringChecks(script: Script): number[] {
  const { syntax, code, text, language } = script;
  if (syntax) {
    const found = syntax.patterns
      .filter(({ text: pattern }) => /^\*["']?\.\.["']?\*$/.test(pattern))
      .map(({ pos }) => lineAt(text, pos));
    const grepped = syntax.commands
      .filter(
        ({ name, args }) =>
          name === "grep" && args.some((arg) => /^["']?(?:\\\.\\\.|\.\.|\[\.\]\[\.\])["']?$/.test(arg.text)),
      )
      .map(({ pos }) => lineAt(text, pos));
    return [...found, ...grepped];
  }
  const pattern =
    language === "python"
      ? /(["'])\.\.\1\s+in\s+(?!\w+\.(?:parts|split))/
      : language === "javascript"
        ? /(?<!\.split\([^)]*\))\.(?:includes|indexOf)\(\s*(["'`])\.\.\1/
        : undefined;
  const line = pattern && lineOf({ ...script, code }, pattern);
  return line === undefined ? [] : [line];
}
