import { isOneOf } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { hasFlag, wordsOf } from "./_runs.ts";
import { isEchoed } from "./_secret-printers.ts";

/** Does a command show or carry away what it reads? A copy in place or a sourced file does neither. */
export function prints(run: Run, runs: readonly Run[]): boolean {
  const words = wordsOf(run);
  // Into a variable is not onto the screen.
  if (run.via.includes("$(…)") && !isEchoed(run, runs)) return false;
  if (isOneOf(run.program, "cp mv ln install chmod chown touch test [ stat ls diff shred gcp gmv"))
    return run.program === "diff";
  if (showsNames(run.program, words)) return false;
  if (isOneOf(run.program, "grep egrep rg"))
    return !hasFlag(words, "-q", "-c", "-l", "-L", "--quiet", "--count", "--files-with-matches");
  if (isOneOf(run.program, "sed gsed")) return !hasFlag(words, "-i");
  if (run.program === "openssl")
    return (
      !words.some((word) => isOneOf(word, "x509 verify s_client req")) &&
      !words.includes("-pubout") &&
      (!words.includes("-noout") || words.includes("-text"))
    );
  // A redirection feeds a program that does with it what it does.
  if (
    run.redirects.some((redirect) => redirect.mode === "read") &&
    isOneOf(run.program, "wc docker kubectl psql mysql while xargs read")
  )
    return false;
  return true;
}

/** Does a command show only the names of the variables, not what they hold? */
function showsNames(program: string, words: readonly string[]): boolean {
  const text = words.join(" ");
  if (program === "cut") return /(?:^| )-d ?=? ?=?(?: |$)/.test(text) && /(?:^| )-f ?1(?: |$)/.test(text);
  if (isOneOf(program, "gsed sed"))
    return words.some((word) => /^s([/|,#])=\.\*\$?\1(?:=?|=\S*)\1g?$/.test(word));
  if (isOneOf(program, "gawk mawk awk")) return /-F ?=/.test(text) && /\{\s*print \$1\s*\}/.test(text);
  return (
    isOneOf(program, "egrep grep rg") &&
    hasFlag(words, "-o", "--only-matching") &&
    /\^\[?[\w\\^=[\]-]*\+?\*?(?: |=?$)/.test(text) &&
    !/=\.|\.\*/.test(text)
  );
}
