import { isOneOf } from "../core/one-of.ts";
import { namesFrom, wordsIn } from "./_find.ts";
import type { Embedded, Inner } from "./embedded.ts";
import type { Run, Word } from "./model.ts";
import { textOf } from "./output.ts";

const unknown: Word = { text: "(input)", known: false, glob: false };

/** A word with a mark in it replaced; a name that was looked for in a folder goes behind a folder by its last part. */
export function replaced(word: Word, mark: string, by: Word): Word {
  if (!word.text.includes(mark)) return word;
  const isBehind = by.glob && word.text.includes(`/${mark}`);
  const text = word.text.split(mark).join(isBehind ? (by.text.split("/").at(-1) ?? by.text) : by.text);
  const from = [...(word.from ?? []), ...(by.from ?? [])];
  return {
    text,
    known: word.known && by.known,
    glob: word.glob || by.glob,
    ...(from.length > 0 ? { from } : {}),
  };
}

/** What comes through a pipe: known words, names of files by where they were looked for, or nobody knows. */
function fedBy(run: Run): readonly Word[] {
  const text = textOf(run.stdin);
  if (text !== undefined) return wordsIn(text);
  const commands = run.stdin?.from === "commands" ? run.stdin.commands : [];
  return namesFrom(commands) ?? [commands.length > 0 ? { ...unknown, from: commands } : unknown];
}

export function ofXargs(run: Run): Embedded {
  const { args } = run;
  let mark: string | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? "";
    if (!text.startsWith("-")) break;
    if (text === "-I" || text === "-J" || text === "--replace") mark = args[++at]?.text;
    else if (text.startsWith("-I")) mark = text.slice(2);
    else if (text.startsWith("-i")) mark = text.slice(2) || "{}";
    else if (text.startsWith("--replace=")) mark = text.slice("--replace=".length);
    else if (isOneOf(text, "-n -P -L -s -d -E -a --max-args --max-procs --max-lines --delimiter --arg-file"))
      at++;
  }
  const words = args.slice(at);
  if (words.length === 0) return { inner: [], keep: true };
  // Words from a file are not what is fed.
  const isFile = args.slice(0, at).some((arg) => /^-a|^--arg-file/.test(arg.text));
  // A mark stands for a whole line.
  const given = isFile ? [unknown] : mark === undefined ? fedBy(run) : linesFed(run);
  if (mark !== undefined)
    return {
      inner: given.map((input) => ({
        via: "xargs",
        words: words.map((word) => replaced(word, mark, input)),
        fed: true,
      })),
      keep: isFile,
    };
  return { inner: [{ via: "xargs", words: [...words, ...given], fed: true }], keep: isFile };
}

const parallelTakes =
  "-j -a -I -N -n -d -C -L -P -S -s --jobs --arg-file --delay --timeout --colsep --joblog --results --retries --load --workdir --wd --tmpdir --halt --memfree --nice --env --sshlogin --max-args --max-procs --delimiter --tagstring --shuf";

/** `parallel rm {} ::: a b`, `parallel < commands`. */
export function ofParallel(run: Run): Embedded {
  const { args } = run;
  let mark = "{}";
  let at = 0;
  for (; at < args.length && args[at]?.text.startsWith("-"); at++) {
    const text = args[at]?.text ?? "";
    if (text === "-I") mark = args[at + 1]?.text ?? mark;
    else if (/^-I./.test(text)) mark = text.slice(2);
    if (isOneOf(text, parallelTakes)) at++;
  }
  const isSource = (arg: Word): boolean => isOneOf(arg.text, ":::+ ::: ::::+ ::::");
  const split = args.findIndex((arg, index) => index >= at && isSource(arg));
  const command = args.slice(at, split === -1 ? undefined : split);
  const isFile = args.slice(0, at).some((arg) => /^-a|^--arg-file/.test(arg.text));
  const sources = split === -1 ? [isFile ? [unknown] : linesFed(run)] : sourcesIn(args.slice(split));
  if (command.length === 0) {
    const known = sources.flat().filter((input) => input.known);
    const inner: Inner[] = known.map((input) => ({ via: "parallel", text: input.text }));
    return inner.length > 0
      ? { inner, keep: false }
      : { inner: [], keep: true, run: run.stdin ? { ...run, opaque: true } : run };
  }
  return {
    inner: combined(sources).map((inputs) => ({ via: "parallel", words: filled(command, mark, inputs) })),
    keep: false,
  };
}

function linesFed(run: Run): readonly Word[] {
  const text = textOf(run.stdin);
  if (text === undefined) return fedBy(run);
  return text
    .split(/[\n\0]/)
    .filter(Boolean)
    .slice(0, 50)
    .map((line) => ({ text: line, known: true, glob: false }));
}

function sourcesIn(args: readonly Word[]): Word[][] {
  const sources: Word[][] = [];
  for (const arg of args) {
    // `::::` names files with the inputs.
    if (/^::::/.test(arg.text)) sources.push([unknown]);
    else if (/^:::/.test(arg.text)) sources.push([]);
    else sources.at(-1)?.push(arg);
  }
  return sources;
}

const maxRounds = 32;

function combined(sources: readonly (readonly Word[])[]): Word[][] {
  let all: Word[][] = [[]];
  for (const source of sources)
    all = all.flatMap((inputs) => source.map((input) => [...inputs, input])).slice(0, maxRounds);
  return all;
}

/** The command with its marks filled in: `{}`, `{2}`, `{.}`, `{/}`, `{//}`; without any, the inputs go to the end. */
function filled(command: readonly Word[], mark: string, inputs: readonly Word[]): Word[] {
  const [first = unknown] = inputs;
  const change = (text: string): Word => ({ ...first, text });
  const marks: [string, Word][] = [
    [mark, inputs.length > 1 ? { ...first, text: inputs.map((each) => each.text).join(" ") } : first],
    ["{.}", change(first.text.replace(/\.[^./]*$/, ""))],
    ["{/}", change(first.text.split("/").at(-1) ?? "")],
    ["{//}", change(first.text.replace(/\/?[^/]*$/, "") || ".")],
    ["{/.}", change((first.text.split("/").at(-1) ?? "").replace(/\.[^.]*$/, ""))],
    ["{#}", { text: "1", known: true, glob: false }],
    ...inputs.map((input, at): [string, Word] => [`{${at + 1}}`, input]),
  ];
  const isMarked = command.some((word) => marks.some(([each]) => word.text.includes(each)));
  if (!isMarked) return [...command, ...inputs];
  return command.map((word) => marks.reduce((made, [each, by]) => replaced(made, each, by), word));
}
