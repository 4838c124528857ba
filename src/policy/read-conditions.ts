import type { Path } from "../core/yaml-place.ts";
import type { Condition, Result, Sight, Watch } from "../workflow/declared/model.ts";
import { glob, keyPath, list, show, suggest, values, type Complain } from "./_workflow-words.ts";
import type { ConditionSource } from "./workflow-settings.ts";

/** What conditions of a workflow can speak of. */
export interface Names {
  readonly states: readonly string[];
  readonly watches: readonly string[];
  /** What is watched because a condition asks for it, by name; filled as conditions are read. */
  readonly implied: Map<string, Watch>;
  readonly say: Complain;
}

export const readConditions = (
  sources: readonly ConditionSource[] | undefined,
  path: Path,
  names: Names,
): readonly Condition[] =>
  (sources ?? []).flatMap((each, at) => readCondition(each, [...path, at], names) ?? []);

/** Each kind of condition by the key that makes it one. */
export const conditionKeys = [
  ...(["file", "absent", "branch", "seen", "last"] as const),
  ...(["tests", "tree", "commits", "todos", "workflow", "any", "not"] as const),
];

export function readCondition(source: ConditionSource, path: Path, names: Names): Condition | undefined {
  const { say } = names;
  const kinds = conditionKeys.filter((key) => source[key] !== undefined);
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    say(
      path,
      "HL_BAD_VALUE",
      kind === undefined ? "it says no condition" : `${kinds.join(" and ")} are two conditions`,
      `Expected one of ${conditionKeys.join(", ")}.`,
    );
    return undefined;
  }
  for (const [key, needs] of Object.entries(companions))
    if (source[key as keyof ConditionSource] !== undefined && source[needs] === undefined)
      say(
        [...path, key],
        "HL_BAD_VALUE",
        `\`${key}\` means nothing without \`${needs}\``,
        `Add \`${needs}\`, or take \`${key}\` out.`,
      );
  const file = source.file === undefined ? "" : glob(source.file, [...path, "file"], say);
  const byHand = source.byHand === true ? { byHand: true as const } : {};
  switch (kind) {
    case "file":
      if (source.updated !== undefined) return readUpdated(source, file, path, names);
      if (source.key === undefined)
        return { is: "file", file, line: list(source.line), without: list(source.without), ...byHand };
      if (source.line !== undefined || source.without !== undefined)
        say(path, "HL_BAD_VALUE", "`key` and `line` are two conditions", "Write them as two.");
      return {
        is: "key",
        file,
        key: keyPath(source.key),
        values: values(source.is),
        isNot: values(source.isNot),
        ...byHand,
      };
    case "absent":
      return { is: "absent", file: glob(source.absent ?? "", [...path, "absent"], say) };
    case "branch":
      return { is: "branch", branch: list(source.branch) };
    case "seen":
      return { is: "seen", sight: readSight(source.seen ?? "", [...path, "seen"], names) };
    case "last": {
      const after = list(source.after);
      for (const name of after)
        if (!names.watches.includes(name))
          say([...path, "after"], "HL_WORKFLOW", `"${name}" is not watched`, suggest(name, names.watches));
      return { is: "last", sight: readSight(source.last ?? "", [...path, "last"], names), after };
    }
    case "tests":
      return readTests(source, path, names);
    case "tree":
      return { is: "tree" };
    case "commits":
      return { is: "pushed" };
    case "todos":
      return source.todos === "done"
        ? { is: "todos" }
        : { is: "todos", file: glob(source.todos ?? "", [...path, "todos"], say) };
    case "workflow":
      if (source.at === undefined)
        say(path, "HL_BAD_VALUE", "it does not say where the other workflow has to be", "Add `at: [state]`.");
      return { is: "state", workflow: source.workflow ?? "", states: list(source.at) };
    case "any":
      return { is: "any", of: readConditions(source.any, [...path, "any"], names) };
    case "not": {
      const of = readCondition(source.not ?? {}, [...path, "not"], names);
      return of && { is: "not", of };
    }
  }
}

/** Keys that only mean something beside another one. */
const companions: Readonly<Record<string, keyof ConditionSource>> = {
  line: "file",
  without: "file",
  key: "file",
  byHand: "file",
  is: "key",
  isNot: "key",
  updated: "file",
  for: "updated",
  after: "last",
  source: "tests",
  except: "tests",
  passed: "tests",
  failed: "tests",
  at: "workflow",
};

/** `npm test` by its other names. */
const otherNames: readonly (readonly string[])[] = [
  ["npm test", "npm t", "npm tst", "npm run test", "npm run-script test"],
  ["pnpm test", "pnpm t", "pnpm run test"],
  ["yarn test", "yarn run test"],
];

/** What no test is about, unless somebody says so. */
const papers = ["**/*.{md,mdx,txt,rst,adoc}", "docs", "LICENSE"];

function readTests(source: ConditionSource, path: Path, { implied, say }: Names): Condition {
  const run = list(source.tests);
  if (run.length === 0)
    say(
      [...path, "tests"],
      "HL_BAD_VALUE",
      "there is nothing to run",
      "Name the command, such as `npm test`.",
    );
  const globs = list(source.source).map((each) => glob(each, [...path, "source"], say));
  const except = source.except === undefined && globs.length === 0 ? papers : list(source.except);
  const edits = { ...nothing, edit: globs.length === 0 ? ["**"] : globs, except };
  const watch = `tests (${run.join(", ")})`;
  const edited = editsName(edits);
  implied.set(edited, edits);
  implied.set(watch, {
    ...nothing,
    run: run.flatMap((each) => otherNames.find(([name]) => name === each.trim()) ?? [each]),
    passed: list(source.passed),
    failed: list(source.failed),
    tests: true,
  });
  return { is: "tests", run, watch, source: edited };
}

function readUpdated(source: ConditionSource, file: string, path: Path, { implied, say }: Names): Condition {
  const more = (["key", "line", "without"] as const).find((key) => source[key] !== undefined);
  if (more !== undefined)
    say(path, "HL_BAD_VALUE", `\`updated\` and \`${more}\` are two conditions`, "Write them as two.");
  const globs = list(source.for).map((each) => glob(each, [...path, "for"], say));
  const others = globs.length === 0 ? ["**"] : globs;
  if (source.updated === "branch") return { is: "updated", file, others };
  const own = { ...nothing, edit: [file] };
  const rest = { ...nothing, edit: others, except: [file] };
  const watches = { file: editsName(own), others: editsName(rest) };
  implied.set(watches.file, own);
  implied.set(watches.others, rest);
  return { is: "updated", file, others, watches };
}

const nothing = { run: [], edit: [], except: [], delegate: [], passed: [], failed: [] };

/** No name that can be declared has a blank in it. */
const editsName = ({ edit, except }: Watch): string =>
  `edits (${[edit.join(", "), ...(except.length === 0 ? [] : [`not ${except.join(", ")}`])].join(", ")})`;

/** `tests failed`: something that is watched, and how it ended. */
export function readSight(text: string, path: Path, { watches, say }: Names): Sight {
  const [watch = "", result, ...more] = text.trim().split(/\s+/);
  if (!watches.includes(watch))
    say(
      path,
      "HL_WORKFLOW",
      `"${watch}" is not watched`,
      watches.length === 0 ? "Declare it under `watch`." : suggest(watch, watches),
    );
  if (more.length > 0 || (result !== undefined && !results.includes(result)))
    say(
      path,
      "HL_BAD_VALUE",
      `${show(text)} does not fit`,
      "Expected a name of `watch`, with `passed` or `failed` behind it if that matters.",
    );
  return { watch, ...(result === undefined ? {} : { result: result as Result }) }; // one of them, or it was said
}

const results = ["passed", "failed"];
