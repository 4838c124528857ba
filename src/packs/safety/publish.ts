import { isOneOf, unversioned } from "../../core/one-of.ts";
import type { Run } from "../../core/command.ts";
import { beforeTool } from "../../core/event.ts";
import { defineRule } from "../../core/rule.ts";
import { deployers, deploys, verbs } from "./_publishers.ts";
import { asksForHelp, hasFlag, plainWords, runsOf, shown, wordsOf } from "./_runs.ts";

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
  if (asksForHelp(words)) return undefined;
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
    unversioned(run.program) === "python" &&
    words[0] === "-m" &&
    words[1] === "twine" &&
    words[2] === "upload"
  )
    return "publishes";
  if (
    unversioned(run.program) === "python" &&
    /(?:^|\/)setup\.py$/.test(words[0] ?? "") &&
    words.some((word) => word === "upload" || word === "register")
  )
    return "publishes";
  if (
    isOneOf(run.program, "npm pnpm yarn") &&
    plainWords(words).slice(0, 6).includes("publish") &&
    !isOneOf(plainWords(words)[0] ?? "", "run test exec install add view info search help")
  )
    return "publishes";
  if (run.program === "npm" && words[0] === "owner" && isOneOf(words[1] ?? "", "add rm")) return "publishes";
  if (run.program === "cargo" && words[0] === "release" && hasFlag(words, "--execute", "-x"))
    return "publishes";
  if (run.program === "hub" && words[0] === "delete") return "removes";
  if (run.program === "np" || run.program === "release-it") return "publishes";
  if (run.program === "ko")
    return words.includes("--push=false") || words.includes("--local") ? undefined : "publishes";
  if (run.program === "cargo" && words[0] === "ws" && words[1] === "publish") return "publishes";
  if (run.program === "docker" && words.includes("--push")) return "publishes";
  if (run.about === "publish" || deploys(run.program, words, plainWords(words))) return "publishes";
  if (run.program === "cabal" && !words.includes("--publish")) return undefined;
  if (
    isOneOf(run.program, "hub regctl tfx") &&
    !words.some((word) => isOneOf(word, "create copy put publish edit"))
  )
    return undefined;
  const [verb = "", next = ""] = plainWords(
    words.filter(
      (word, at) => !isOneOf(words[at - 1] ?? "", "--context -H --host --config -c") && !/^\+/.test(word),
    ),
  );
  if (verb === "workspace" || verb === "-w") return undefined;
  if (!Object.hasOwn(verbs, run.program)) return undefined;
  const all = plainWords(words);
  const named =
    verbs[run.program]?.test(verb) ||
    (isOneOf(run.program, "mvnw mvn gradlew gradle sbt") &&
      all.some(
        (word) => verbs[run.program]?.test(word.split(":").at(-1) ?? word) || verbs[run.program]?.test(word),
      ));
  if (run.program === "semantic-release") return "publishes";
  if (!named) return isNested(run.program, verb, next) ? "publishes" : undefined;
  if (run.program === "yarn" && verb === "npm") return next === "publish" ? "publishes" : undefined;
  if (run.program === "dotnet") return next === "push" || next === "delete" ? "publishes" : undefined;
  if (isOneOf(run.program, "dart flutter")) return next === "publish" ? "publishes" : undefined;
  if (run.program === "pod") return next === "push" ? "publishes" : undefined;
  if (run.program === "npm" && verb === "dist-tag") return isOneOf(next, "add rm") ? "publishes" : undefined;
  return /^un|yank|deprecate/.test(verb) ? "removes" : "publishes";
}

const isNested = (program: string, verb: string, next: string): boolean =>
  (isOneOf(program, "docker podman") && isOneOf(verb, "image manifest compose") && next === "push") ||
  (program === "wrangler" && verb === "pages" && isOneOf(next, "deploy publish")) ||
  (program === "supabase" && verb === "functions" && next === "deploy") ||
  (program === "ansible-galaxy" && verb === "collection" && next === "publish") ||
  (program === "kaggle" && isOneOf(next, "create version")) ||
  // The platform stands before the lane.
  (program === "fastlane" && isOneOf(verb, "ios android mac") && (verbs["fastlane"]?.test(next) ?? false));

/** `-R owner/name` stands before the noun. */
const withoutRepository = (words: readonly string[]): string[] =>
  words.filter((_word, at) => !isOneOf(words[at - 1] ?? "", "-R --repo"));

function github(
  [noun = "", verb = ""]: readonly string[],
  words: readonly string[],
): "publishes" | "removes" | undefined {
  if (noun === "release")
    return isOneOf(verb, "create upload edit") ? "publishes" : /^delete/.test(verb) ? "removes" : undefined;
  if (noun === "repo")
    return isOneOf(verb, "delete archive rename")
      ? "removes"
      : verb === "edit" && words.some((word) => word.startsWith("--visibility"))
        ? "publishes"
        : undefined;
  if (noun === "pr" && verb === "merge" && words.includes("--admin")) return "publishes";
  if (
    isOneOf(
      noun,
      "secret variable ssh-key gpg-key codespace label environment ruleset project deploy-key issue run ci release",
    ) &&
    isOneOf(verb, "delete remove")
  )
    return "removes";
  if (noun === "workflow" && verb === "disable") return "removes";
  // A private repository that is opened to everybody.
  if (noun === "api" && words.some((word) => /^(?:visibility=public|private=false)$/.test(word)))
    return "publishes";
  if (
    noun === "api" &&
    words.some((word) => /\/releases$/.test(word)) &&
    words.some((word, at) => isOneOf(word, "-X --method") && /^POST$/i.test(words[at + 1] ?? ""))
  )
    return "publishes";
  if (noun === "api")
    return words.some((word, at) => isOneOf(word, "-X --method") && /^DELETE$/i.test(words[at + 1] ?? "")) ||
      words.some((word) => /^(?:-X|--method=)DELETE$/i.test(word))
      ? "removes"
      : undefined;
  return undefined;
}
