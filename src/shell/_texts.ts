import type { Run } from "./model.ts";
import { outputOf, textOf } from "./output.ts";
import { isKnownProgram } from "./programs.ts";

/** Programs whose arguments are data, however much they look like commands. */
const talkers = new Set(
  (
    "echo printf grep egrep fgrep rg ag ack sed awk gawk jq yq gh glab hub curl wget http cat test [ [[ : true false " +
    "npm yarn pnpm jest vitest mocha pytest go cargo say notify-send logger wall man type which apropos history git " +
    "wc tr cut uniq nl tac rev fold column md5sum sha256sum base64 xxd od strings ls rm cp mv ln mkdir touch chmod chown tar zip unzip ssh scp rsync time env " +
    "python python3 node perl ruby php bash sh zsh dash find xargs parallel rush tee head tail diff sort cowsay figlet hookline export kubectl docker aws"
  ).split(" "),
);

// At the start of a text, or behind what makes an editor, a debugger or a database client start a shell.
const command =
  /^(?::?\s*\\?!\s*|shell\s+|exec\s+|spawn\s+|\w*[cC]ommand=|exec=)?((?:sudo\s+)?(?:rm|mkfs[.\w]*|dd|shred|shutdown|reboot|poweroff|halt|chmod|chown|wipefs|kill|find|git|curl|wget|sh|bash)\s+\S.*)$/s;

/** Texts a program is given to run that nobody has described: a schedule, a terminal, a pager, a filter. */
export function textsRunBy(run: Run): { via: string; text: string; fed: true }[] {
  if (talkers.has(run.program) && !(run.program === "man" && run.args[0]?.text === "-P")) return [];
  const found: string[] = [];
  for (const { text, known } of run.args) {
    if (!known || !/\s/.test(text)) continue;
    const value = text.replace(/^[-+]{1,2}[\w-]*=/, "").replace(/^\+/, "");
    for (const piece of [
      value,
      ...(/system\(|shell script|execute\(|exec\(|popen/.test(value)
        ? (value.match(/"[^"]+"|'[^']+'/g) ?? [])
        : []
      ).map((each) => each.slice(1, -1)),
      ...value.split(/[;\n]/),
    ]) {
      const text_ = command.exec(piece.trim())?.[1];
      if (text_ !== undefined && !found.includes(text_)) found.push(text_);
    }
  }
  return [...found, ...fedTo(run)].slice(0, 20).map((text) => ({ via: run.program, text, fed: true }));
}

/** Programs that run what they read, line by line. */
function fedTo(run: Run): string[] {
  const given =
    run.program === "make" || run.program === "gmake"
      ? run.args.flatMap((arg) => (arg.from ? [outputOf(arg.from)] : []))
      : [];
  const text = textOf(run.stdin) ?? given[0];
  if (text === undefined) return [];
  if (run.program === "at" || run.program === "batch") return [text];
  if (run.program === "make" || run.program === "gmake")
    return text
      .split("\n")
      .filter((line) => line.startsWith("\t"))
      .map((line) => line.replace(/^\t[@-]*/, ""));
  if (isKnownProgram(run.program)) return [];
  return text.split("\n").flatMap((line) => command.exec(line.trim())?.[1] ?? []);
}
