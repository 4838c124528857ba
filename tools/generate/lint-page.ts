import { checklist, type LintExample } from "../../src/lint/lint.ts";
import { lints } from "../../src/lint/lints.ts";

/** The page of `hookline lint`, from the objects the lints are. */
export function lintPage(): string {
  return [
    "<!-- Written by tools/generate/lint-page.ts; do not edit. -->",
    "",
    "# hookline lint",
    "",
    "```",
    "hookline lint                    all hooks of the workspace, whether their source is on or not",
    "hookline lint plugins/x a.sh     a file or folder, read as what it looks like, wherever it lies",
    "hookline lint --json             findings with rule, severity, file, line, hook, message and fix",
    "hookline lint --sarif            SARIF 2.1.0, for code hosts",
    "hookline lint --rules            the rules",
    "```",
    "",
    "Looks at hook files of every format and at the scripts they run. Nothing is run. What a command line or a script does is found by the",
    "same understanding the safety rules use, so `echo 'rm -rf /'` is no danger and `X=/; rm -rf $X` is. Exit 1 when there is an error or a",
    "warning; a note alone is no reason to fail.",
    "",
    "What scripts do is told from their text: shell by its syntax, Python and JavaScript by words outside comments. A check that is done in a",
    "way these do not know is not seen, and a check that is there in name only is taken for one.",
    "",
    "## The checklist",
    "",
    "Before a hook is used, six things are to be looked at:",
    "",
    ...Object.entries(checklist).map(
      ([item, text]) =>
        `- ${text}: ${lints
          .filter((lint) => lint.item === item)
          .map(({ id }) => `[${id}](#${id})`)
          .join(", ")}`,
    ),
    "",
    "## The rules",
    "",
    "| | | |",
    "|---|---|---|",
    ...lints.map(({ id, severity, summary }) => `| [${id}](#${id}) | ${severity} | ${summary} |`),
    "",
    ...lints.flatMap(({ id, severity, summary, why, fix, examples }) => [
      `### ${id}`,
      "",
      `${summary} ${why}`,
      "",
      `**${severity}.** ${fix}`,
      "",
      ...shown("Found", examples.bad[0]),
      ...shown("Not found", examples.good[0]),
    ]),
  ].join("\n");
}

/** The file an example is about: where it has to speak, or its last one. */
function shown(title: string, example: LintExample | undefined): string[] {
  if (!example) return [];
  const place = /^(.*):(\d+)$/.exec(example.at ?? "");
  const file = place?.[1] ?? Object.keys(example.files).at(-1) ?? "";
  const text = example.files[file] ?? "";
  const at = place ? `, line ${place[2]}` : "";
  return [`${title} (\`${file}\`${at}):`, "", `\`\`\`${languageOf(file)}`, text.trimEnd(), "```", ""];
}

const languageOf = (file: string): string => /\.(\w+)$/.exec(file)?.[1] ?? "";
