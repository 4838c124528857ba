import { isOneOf, unversioned } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { hasFlag, plainWords, wordsOf } from "./_runs.ts";

const downloaders =
  "curl wget http https xh xhs aria2c axel fetch lwp-request lwp-download nc ncat netcat socat telnet lynx links elinks w3m iwr invoke-webrequest invoke-restmethod start-bitstransfer certutil bitsadmin ftp lftp tftp sftp /dev/tcp";

/** Verbs with which the tools of clouds and forges print what lies there. */
const printing: Readonly<Record<string, RegExp>> = {
  aws: /^(?:s3 (?:cp|mv|sync)|s3api get-object|ssm get-parameters?|codecommit get-file|lambda invoke|secretsmanager get-secret-value)\b/,
  gsutil: /^(?:cat|cp|rsync)\b/,
  gcloud:
    /^(?:storage (?:cat|cp|rsync)|secrets versions access|compute (?:ssh|scp)|artifacts generic download)\b/,
  az: /^(?:storage blob download|storage file download|keyvault secret show|rest)\b/,
  rclone: /^(?:cat|copy|copyto|sync|copyurl)\b/,
  mc: /^(?:cat|cp|get|mirror)\b/,
  s3cmd: /^(?:get|sync)\b/,
  b2: /^(?:download|file download|cat)/,
  kubectl: /^(?:get|cp|logs)\b/,
  oc: /^(?:get|cp|logs|rsync)\b/,
  gh: /^(?:api|gist view|release download|run download)\b/,
  glab: /^(?:api|snippet)\b/,
  vault: /^(?:read|kv get)\b/,
  consul: /^kv get\b/,
  etcdctl: /^get\b/,
  "redis-cli": /^(?:get|hget|lpop|rpop)\b/i,
};

/** Does a command bring something here from another machine? */
export function isFetching(run: Run): boolean {
  // What a program on another machine prints; a container's own is not far away.
  if (run.elsewhere !== undefined && isOneOf(run.elsewhere, "ssh kubectl oc vagrant"))
    return !isOneOf(run.program, "echo printf");
  if (isOneOf(run.program, downloaders)) return true;
  if (run.program === "ssh") return run.redirects.some(({ mode }) => mode !== "read");
  const words = wordsOf(run);
  if (isOneOf(run.program, "dig host nslookup drill kdig"))
    return words.some((word) => /^(?:-?(?:q|query|type)=)?txt$/i.test(word));
  if (isOneOf(run.program, "scp rsync"))
    return plainWords(words)
      .slice(0, -1)
      .some((word) => /^[\w.@-]+:|^rsync:/.test(word));
  if (run.program === "git") return isRemoteGit(words);
  const pattern = Object.hasOwn(printing, run.program) ? printing[run.program] : undefined;
  return (
    pattern?.test(
      plainWords(
        words.filter(
          (_word, at) =>
            !isOneOf(words[at - 1] ?? "", "--profile --region -n --namespace --context --project"),
        ),
      ).join(" "),
    ) ?? false
  );
}

/** What was fetched but never checked out. */
const isRemoteGit = (words: readonly string[]): boolean =>
  (words[0] === "archive" && words.some((word) => word.startsWith("--remote"))) ||
  (isOneOf(words[0] ?? "", "show cat-file") &&
    words.some((word) => /^(?:origin|upstream|FETCH_HEAD|refs\/remotes)\b.*:/.test(word)));

/** A bucket may well be the team's own: that is asked about, not forbidden. */
export function isFromStore(run: Run): boolean {
  const words = wordsOf(run);
  if (!words.some((word) => /^(?:s3|gs):\/\//.test(word)) && run.program !== "az") return false;
  if (run.program === "aws") return words.includes("s3") && words.includes("cp");
  if (run.program === "az") return words.includes("blob") && words.includes("download");
  return (
    isOneOf(run.program, "gsutil gcloud s3cmd s5cmd rclone") &&
    words.some((word) => isOneOf(word, "cat cp get"))
  );
}

/** Interpreters that run what they are fed when they are given nothing else. */
export const isInterpreter = (program: string): boolean => isOneOf(unversioned(program), interpreters);

const interpreters =
  "python pypy node bun deno perl ruby php osascript lua luajit pwsh powershell tclsh wish expect Rscript R julia elixir iex guile " +
  "octave groovy racket crystal ocaml runghc jshell scala swift gnuplot sbcl clojure bb irb gdb";

export const isShell = (program: string): boolean =>
  isOneOf(program, "sh bash zsh dash ksh ash fish source . eval");

/** Programs that run what they read from their standard input. */
export function runsInput(run: Run): boolean {
  const words = wordsOf(run);
  const isInput = (word: string | undefined): boolean => word === "-" || word === "/dev/stdin";
  switch (run.program) {
    case "at":
    case "batch":
      return !hasFlag(words, "-l", "-f", "-r", "-c");
    case "make":
    case "gmake":
    case "just":
    case "task":
    case "ninja":
      return words.some(
        (word, at) =>
          isOneOf(word, "-f- --makefile=- --justfile=- --taskfile=- --file=-") ||
          (isOneOf(word, "-f --makefile --justfile --file -t --taskfile") && isInput(words[at + 1])),
      );
    case "awk":
    case "gawk":
    case "mawk":
    case "sed":
    case "gsed":
      return words.some(
        (word, at) => isOneOf(word, "-f- -f/dev/stdin --file=-") || (word === "-f" && isInput(words[at + 1])),
      );
    case "ansible-playbook":
    case "k6":
    case "envsubst":
      return run.program !== "envsubst" && words.some(isInput);
    case "crontab":
      return words.every(isInput);
    default:
      return false;
  }
}
