import { isOneOf, unversioned } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { hasFlag, wordsOf } from "./_runs.ts";
import { isInterpreter, runsInput, isShell } from "./_sources.ts";

/** Does the command take its program from what it is fed? */
export function readsProgram(run: Run): boolean {
  if (run.opaque && run.script === undefined) return true;
  // Code that runs what it reads.
  if (run.stdin && run.effects?.some((effect) => effect.do === "exec" && effect.command === undefined))
    return true;
  if (runsInput(run)) return true;
  if (isShell(run.program)) return run.script === undefined && !hasFlag(wordsOf(run), "-n");
  if (isOneOf(run.program, "make gmake gvim vim nvim vi sed gsed gawk mawk awk gdb psql mysql"))
    return run.args.some((arg) => arg.text.startsWith("/dev/fd/") && arg.from !== undefined);
  if (isOneOf(run.program, installers)) return run.args.some((arg) => arg.from !== undefined);
  if (!isInterpreter(run.program)) return false;
  const words = wordsOf(run);
  return words.every(
    (word) =>
      word === "-" ||
      word === "/dev/stdin" ||
      word.startsWith("/dev/fd/") ||
      (word.startsWith("-") && !/^-[a-zA-Z]*[cemnpr]/.test(word)),
  );
}

const installers = "dpkg rpm apt apt-get yum dnf apk installer msiexec";

/** Does it turn what cannot be read into a text that may be run? */
export const isDecoding = (run: Run): boolean =>
  (isOneOf(run.program, "gzip xz bzip2 zstd lz4 brotli") &&
    hasFlag(wordsOf(run), "-d", "--decompress", "--uncompress")) ||
  (isOneOf(run.program, "base64 base32 xxd gpg gunzip zcat uudecode") &&
    (isOneOf(run.program, "gunzip zcat uudecode") ||
      hasFlag(wordsOf(run), "-d", "-D", "--decode", "-r", "--decrypt"))) ||
  (run.program === "openssl" && wordsOf(run).includes("-d")) ||
  // Code that makes a command line up.
  (isOneOf(unversioned(run.program), "python perl ruby php node bun deno lua") &&
    wordsOf(run).some((word) => /^(?:-[a-zA-Z]*[ceEr]|--eval|eval)$/.test(word)));
