import type { Run } from "../core/command.ts";

/** Programs that rewrite sources in place, by what they are told. Adding one is adding a row. */
const rewrites: Readonly<Record<string, RegExp>> = {
  gofmt: / -w /,
  goimports: / -w /,
  gofumpt: / -w /,
  go: /^ (?:fmt|fix|generate) /,
  prettier: / (?:--write|-w) /,
  eslint: / --fix /,
  stylelint: / --fix /,
  biome: / (?:--write|--fix|--apply|--apply-unsafe) /,
  black: /^(?!.* (?:--check|--diff) )/,
  isort: /^(?!.* (?:--check|--check-only|--diff|-c) )/,
  ruff: /^ format (?!.*--(?:check|diff) )| --fix /,
  autopep8: / (?:--in-place|-i) /,
  rustfmt: /^(?!.* --check )/,
  cargo: /^ (?:fmt (?!.*--check )|fix |clippy .*--fix )/,
  "clang-format": / -i /,
  shfmt: / -w /,
  terraform: /^ fmt (?!.*-check )/,
  dotnet: /^ format (?!.*--verify-no-changes )/,
};

export const formatters = Object.keys(rewrites);

/** Does a command rewrite sources in place, as formatters and fixers do? */
export function rewritesSources({ program, args, elsewhere }: Run): boolean {
  const pattern = Object.hasOwn(rewrites, program) ? rewrites[program] : undefined;
  if (!pattern || elsewhere !== undefined) return false;
  const words = args.map(({ text }) => text);
  return (
    !words.some((word) => /^(?:--help|-h|--version|-V)$/.test(word)) && pattern.test(` ${words.join(" ")} `)
  );
}
