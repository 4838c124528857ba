import { isOneOf } from "../core/one-of.ts";
/** Programs worth finding behind one that nobody has described, or at the start of a text it is given. */
const startable =
  "rm rmdir unlink dd shred wipefs chmod chown chattr find git curl wget bash sh zsh dash sudo " +
  "terraform tofu terragrunt pulumi kubectl helm aws gcloud gsutil az docker podman psql mysql redis-cli mongosh dropdb " +
  "rails rake npm cargo twine cat truncate tee xargs eval source";

export const isStartable = (program: string): boolean =>
  isOneOf(program, startable) || (program.startsWith("mkfs") && /^mkfs[.\w]*$/.test(program));

// At the start of a text, or behind what makes an editor, a debugger or a database client start a shell.
export const command = new RegExp(
  `^(?::?\\s*\\\\?!\\s*|shell\\s+|system\\s+|exec\\s+|spawn\\s+|\\w*[cC]ommand=|exec=)?((?:sudo\\s+)?(?:mkfs[.\\w]*|${startable.replaceAll(" ", "|")}|shutdown|reboot|poweroff|halt|kill)\\s+\\S.*)$`,
  "s",
);

export const quotedIn = (text: string): string[] =>
  (text.match(/"[^"]+"|'[^']+'|`[^`]+`/g) ?? []).map((each) => each.slice(1, -1));

const deleting =
  /(?:RemoveAll|remove_dir_all|Directory\.Delete|unlink|rm_rf!?|rm_r|\brm|delete-directory|delete-file|remove_all|deleteRecursively|deleteDirectory|file\s+delete(?:\s+-force)?|os\.remove|\bdelete)[\s(]+(?:expand\(\s*)?(?:"([^"]*)"|'([^']*)'|(homedir\(\)))|\bfile\s+delete\s+(?:-force\s+)?(?:--\s+)?([~/.][^\s;\]}"']*)/g;

const reading =
  /(?:insert-file-contents(?:-literally)?|find-file|File\.read!?|File\.stream!?|readLines|read_file|ReadFile|read_to_string|readFile|slurp|\bread|\bopen)[\s(]+"([^"'$]+)"/g;

/** Code that runs what lies at an address: `source("https://…")`. */
const sourcing =
  /\b(?:source|source_url|include|load|eval|sys\.source)\b[^;\n]*?["'](https?:\/\/[^"']+)["']/g;

/** Files that code of such a language writes: `open out.txt w`, `WriteFile("out.txt", …)`. */
const writing =
  /(?:\b(?:WriteFile|write_file|File\.write!?|fs::write|File::create|os\.Create|spit|writeFile)[\s(]+"([^"'$]+)"|\bopen[\s(]+"?([^\s"'()$[\],]+)"?[\s,]+"?[wa]\+?\b)/g;

/** Command lines and deletions in code of a language that is not read: `system("rm x")`, `unlink("x")`. */
export function inOtherLanguage(code: string): string[] {
  if (code.length > 64 * 1024) return [];
  const quoted = quotedIn(code);
  const lines = [...quoted, quoted.join(" ")].flatMap((piece) => command.exec(piece.trim())?.[1] ?? []);
  // The Finder is told in words.
  if (/\bFinder"/i.test(code) && /tell app(?:lication)? "Finder"[^]*\b(?:delete|empty)\b/i.test(code))
    lines.push('rm -rf "$items"');
  // To compile a pattern takes longer than all else here, so each is asked only about code with a word of it.
  const found = (pattern: RegExp, words: string): RegExpExecArray[] =>
    words.split(" ").some((word) => code.includes(word)) ? [...code.matchAll(pattern)] : [];
  const deleted = found(deleting, "emove elete unlink rm").map(
    (match) => match[1] ?? match[2] ?? match[4] ?? "~",
  );
  const shown = found(reading, "insert-file find-file ead tream slurp open").map(
    (match) => `cat '${match[1] ?? ""}'`,
  );
  const fetched = found(sourcing, "http").map((match) => `curl -s '${match[1] ?? ""}' | sh`);
  const written = found(writing, "rite reate spit open").map(
    (match) => `: > '${match[1] ?? match[2] ?? ""}'`,
  );
  return [
    ...lines,
    ...shown,
    ...written,
    ...fetched,
    ...deleted.map((path) =>
      path.startsWith("~") ? `rm -rf ${path.replace(/[^\w~./-]/g, "")}` : `rm -rf '${path}'`,
    ),
  ];
}
