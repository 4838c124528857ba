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
  tofu: /^ fmt (?!.*-check )/,
  deno: /^ fmt (?!.*--check )/,
  dprint: /^ fmt /,
  oxfmt: /^(?!.* (?:--check|--list-different) )/,
  oxlint: / --fix/,
  yapf: / (?:-i|--in-place) /,
  autoflake: / (?:-i|--in-place) /,
  pyupgrade: /^ .*\.py /,
  "2to3": / (?:-w|--write) /,
  rubocop: / (?:-a|-A|--autocorrect|--autocorrect-all|--auto-correct) /,
  standard: / --fix /,
  xo: / --fix /,
  tslint: / --fix /,
  ng: /^ lint .*--fix /,
  next: /^ lint .*--fix /,
  "php-cs-fixer": /^ fix (?!.*--dry-run )/,
  phpcbf: /^/,
  mix: /^ format (?!.*--check-formatted )/,
  stylua: /^(?!.* (?:--check|-) )/,
  taplo: /^ (?:fmt|format) (?!.*--check )/,
  buf: /^ format .*(?:-w|--write) /,
  "golangci-lint": /^ (?:fmt|run .*--fix) /,
  golines: / -w /,
  gci: /^ write /,
  zig: /^ fmt (?!.*--check )/,
  nixfmt: /^(?!.* (?:--check|-c) )/,
  alejandra: /^(?!.* (?:--check|-c) )/,
  swiftformat: /^(?!.* --lint )/,
  "swift-format": / (?:-i|--in-place) /,
  swift: /^ format .*(?:-i|--in-place) /,
  ktlint: / (?:-F|--format) /,
  "google-java-format": / (?:-i|--replace|-replace) /,
  scalafmt: /^(?!.* (?:--check|--test|--stdout) )/,
  ormolu: / (?:-i|--mode[ =]inplace) /,
  fourmolu: / (?:-i|--mode[ =]inplace) /,
  "elm-format": /^(?!.* --validate )/,
  dart: /^ (?:format (?!.*(?:--output[ =](?:none|show|json)|-o none) )|fix .*--apply )/,
  flutter: /^ format /,
  "cmake-format": / (?:-i|--in-place) /,
  "clang-tidy": / --?fix(?:-errors)? /,
  markdownlint: / (?:--fix|-f) /,
  "markdownlint-cli2": / --fix /,
  jscodeshift: /^(?!.* (?:--dry|-d) )/,
  "ast-grep": / (?:-U|--update-all) /,
  sg: / (?:-U|--update-all) /,
  comby: / (?:-in-place|-i) /,
  sd: /^(?!.* (?:-p|--preview) )(?: \S+){3,} /,
  rpl: /^(?!.* (?:-s|--dry-run) )(?: \S+){3,} /,
  rename: /^(?!.* (?:-n|--nono|--no-act) )/,
  dos2unix: /^(?!.* (?:-n|-i|--info) )/,
  unix2dos: /^(?!.* (?:-n|-i|--info) )/,
  indent: /^(?!.* (?:-o|-st) )/,
  astyle: /^(?!.* --dry-run )/,
  "pre-commit": /^ run /,
  lefthook: /^ run /,
};

/** Files in which a project says what it is made of, and the commands that rewrite them. Adding one is adding a row. */
const manifests: Readonly<Record<string, readonly [commands: RegExp, ...files: string[]]>> = {
  npm: [
    /^ (?:pkg (?:set|delete|fix)|version (?!-)\S+|init|create|set-script|(?:i|in|install|add) (?!-).*|uninstall|un|rm|remove|up|update|audit fix|dedupe) /,
    "package.json",
    "package-lock.json",
  ],
  pnpm: [/^ (?:add|remove|rm|un|update|up|init|pkg set|version|dedupe) /, "package.json", "pnpm-lock.yaml"],
  yarn: [/^ (?:add|remove|up|upgrade|init|version|set version|dedupe) /, "package.json", "yarn.lock"],
  bun: [
    /^ (?:add|a|remove|rm|update|init|create|pm pkg set|(?:i|install) (?!-).*) /,
    "package.json",
    "bun.lock",
  ],
  go: [/^ (?:get|mod (?:tidy|init|edit)|work (?:init|use|sync|edit)) /, "go.mod", "go.sum"],
  cargo: [
    /^ (?:add|rm|remove|update|upgrade|init|new|generate-lockfile|set-version) /,
    "Cargo.toml",
    "Cargo.lock",
  ],
  poetry: [/^ (?:add|remove|update|lock|init|new|version \S+) /, "pyproject.toml", "poetry.lock"],
  uv: [/^ (?:add|remove|lock|init|version \S+) /, "pyproject.toml", "uv.lock"],
  pdm: [/^ (?:add|remove|update|lock|init) /, "pyproject.toml", "pdm.lock"],
  bundle: [/^ (?:add|remove|update|lock|init) /, "Gemfile", "Gemfile.lock"],
  composer: [/^ (?:require|remove|update|init) /, "composer.json", "composer.lock"],
  dotnet: [/^ (?:add|remove|new|sln) /, "*.csproj"],
  swift: [/^ package (?:init|update|resolve|add-\S+) /, "Package.swift", "Package.resolved"],
};

/** The manifests that a command rewrites. */
export function manifestsOf(run: Run): readonly string[] {
  const [commands, ...files] = (Object.hasOwn(manifests, run.program) && manifests[run.program]) || [];
  return commands && run.elsewhere === undefined && isSaid(run, commands) ? files : [];
}

/** Does a command rewrite sources in place, as formatters and fixers do? */
export function rewritesSources(run: Run): boolean {
  const pattern = Object.hasOwn(rewrites, run.program) ? rewrites[run.program] : undefined;
  return pattern !== undefined && run.elsewhere === undefined && isSaid(run, pattern);
}

function isSaid({ args }: Run, pattern: RegExp): boolean {
  // `npm --prefix app init`: where it works stands in front.
  const start = /^(?:--prefix|-C|--cwd|--dir|--directory|--manifest-path)$/.test(args[0]?.text ?? "") ? 2 : 0;
  const words = args.slice(start).map(({ text }) => text);
  return (
    !words.some((word) => /^(?:--help|-h|--version|-V|--dry-run)$/.test(word)) &&
    pattern.test(` ${words.join(" ")} `)
  );
}
