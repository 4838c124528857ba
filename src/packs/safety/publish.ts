import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { deployers, deploys, verbs } from "./_publishers.ts";
import { hasFlag, plainWords, runsOf, shown, wordsOf } from "./_runs.ts";

export default defineRule({
  summary: "Asks before anything is published where others take it from.",
  why: "What others have downloaded cannot be called back.",
  since: "0.1.0",
  outcome: "ask",
  presets: { recommended: {} },
  on: {
    events: beforeTool,
    actions: ["exec"],
    get programs() {
      return [...Object.keys(verbs), ...deployers, ..."publish gh glab curl python*".split(" ")];
    },
  },
  options: (v) => v.strictObject({}),
  messages: {
    publishes: { what: "`{command}` publishes to others.", instead: "Let the user decide, or do a dry run." },
    removes: { what: "`{command}` removes what others rely on.", instead: "Ask the user to do it." },
  },
  examples: {
    catches: [
      { shell: "npm publish" },
      { shell: "docker push acme/shop:latest" },
      { shell: "gh release create v1.2.0" },
      { shell: "cargo publish" },
      { shell: "gh repo delete acme/shop --yes" },
    ],
    allows: [
      { shell: "npm publish --dry-run" },
      { shell: "npm pack" },
      { shell: "docker build -t acme/shop ." },
      { shell: "gh release list" },
      { shell: "cargo package" },
    ],
  },
  *check({ event }) {
    for (const run of runsOf(event)) {
      const found = publishes(run);
      const data = { command: shown(run) };
      if (found === "publishes") yield { message: "publishes", data };
      else if (found === "removes") yield { message: "removes", data };
    }
  },
});

function publishes(run: Run): "publishes" | "removes" | undefined {
  const words = wordsOf(run);
  if (run.program === "gh" || run.program === "glab")
    return github(plainWords(withoutRepository(words)), words);
  if (hasFlag(words, "--dry-run", "-n", "--help", "--snapshot", "--list") && run.program !== "gem")
    return undefined;

  if (
    run.program === "curl" &&
    hasFlag(words, "-X", "--request") &&
    words.includes("DELETE") &&
    words.some((word) => /api\.(?:github|gitlab)|\/api\/v4\/projects/.test(word))
  )
    return "removes";
  if (
    /^python[\d.]*$/.test(run.program) &&
    words[0] === "-m" &&
    words[1] === "twine" &&
    words[2] === "upload"
  )
    return "publishes";
  if (
    /^python[\d.]*$/.test(run.program) &&
    /(?:^|\/)setup\.py$/.test(words[0] ?? "") &&
    words.some((word) => word === "upload" || word === "register")
  )
    return "publishes";
  if (
    /^(?:npm|pnpm|yarn)$/.test(run.program) &&
    plainWords(words).slice(0, 6).includes("publish") &&
    !/^(?:run|test|exec|install|add|view|info|search|help)$/.test(plainWords(words)[0] ?? "")
  )
    return "publishes";
  if (run.program === "npm" && words[0] === "owner" && /^(?:add|rm)$/.test(words[1] ?? ""))
    return "publishes";
  if (run.program === "cargo" && words[0] === "release" && hasFlag(words, "--execute", "-x"))
    return "publishes";
  if (run.program === "np" || run.program === "release-it") return "publishes";
  if (run.program === "ko")
    return words.includes("--push=false") || words.includes("--local") ? undefined : "publishes";
  if (run.program === "cargo" && words[0] === "ws" && words[1] === "publish") return "publishes";
  if (run.program === "docker" && words.includes("--push")) return "publishes";
  if (run.about === "publish" || deploys(run.program, words, plainWords(words))) return "publishes";
  if (run.program === "cabal" && !words.includes("--publish")) return undefined;
  if (
    /^(?:hub|regctl|tfx)$/.test(run.program) &&
    !words.some((word) => /^(?:create|copy|put|publish|edit)$/.test(word))
  )
    return undefined;
  const [verb = "", next = ""] = plainWords(
    words.filter(
      (word, at) => !/^(?:--context|-H|--host|--config|-c)$/.test(words[at - 1] ?? "") && !/^\+/.test(word),
    ),
  );
  if (verb === "workspace" || verb === "-w") return undefined;
  if (!Object.hasOwn(verbs, run.program)) return undefined;
  const all = plainWords(words);
  const named =
    verbs[run.program]?.test(verb) ||
    (/^(?:mvnw?|gradlew?|sbt)$/.test(run.program) &&
      all.some(
        (word) => verbs[run.program]?.test(word.split(":").at(-1) ?? word) || verbs[run.program]?.test(word),
      ));
  if (run.program === "semantic-release") return "publishes";
  if (!named) return isNested(run.program, verb, next) ? "publishes" : undefined;
  if (run.program === "yarn" && verb === "npm") return next === "publish" ? "publishes" : undefined;
  if (run.program === "dotnet") return next === "push" || next === "delete" ? "publishes" : undefined;
  if (/^(?:dart|flutter)$/.test(run.program)) return next === "publish" ? "publishes" : undefined;
  if (run.program === "pod") return next === "push" ? "publishes" : undefined;
  if (run.program === "npm" && verb === "dist-tag")
    return /^(?:add|rm)$/.test(next) ? "publishes" : undefined;
  return /^un|yank|deprecate/.test(verb) ? "removes" : "publishes";
}

const isNested = (program: string, verb: string, next: string): boolean =>
  /^(?:docker|podman)$/.test(program) && /^(?:image|manifest|compose)$/.test(verb) && next === "push";

/** `-R owner/name` stands before the noun. */
const withoutRepository = (words: readonly string[]): string[] =>
  words.filter((_word, at) => !/^(?:-R|--repo)$/.test(words[at - 1] ?? ""));

function github(
  [noun = "", verb = ""]: readonly string[],
  words: readonly string[],
): "publishes" | "removes" | undefined {
  if (noun === "release")
    return /^(?:create|upload|edit)$/.test(verb) ? "publishes" : /^delete/.test(verb) ? "removes" : undefined;
  if (noun === "repo")
    return /^(?:delete|archive|rename)$/.test(verb)
      ? "removes"
      : verb === "edit" && words.some((word) => word.startsWith("--visibility"))
        ? "publishes"
        : undefined;
  if (noun === "pr" && verb === "merge" && words.includes("--admin")) return "publishes";
  if (
    /^(?:secret|variable|ssh-key|gpg-key|codespace|label|environment|ruleset|project|deploy-key|issue|run|ci|release)$/.test(
      noun,
    ) &&
    /^(?:delete|remove)$/.test(verb)
  )
    return "removes";
  if (noun === "workflow" && verb === "disable") return "removes";
  if (
    noun === "api" &&
    words.some((word) => /\/releases$/.test(word)) &&
    words.some((word, at) => /^(?:-X|--method)$/.test(word) && /^POST$/i.test(words[at + 1] ?? ""))
  )
    return "publishes";
  if (noun === "api")
    return words.some(
      (word, at) => /^(?:-X|--method)$/.test(word) && /^DELETE$/i.test(words[at + 1] ?? ""),
    ) || words.some((word) => /^(?:-X|--method=)DELETE$/i.test(word))
      ? "removes"
      : undefined;
  return undefined;
}
