import { defined, isObject } from "../core/json.ts";
import type { Path } from "../core/yaml-place.ts";
import { schemaProblems } from "../workflow/declared/schema.ts";
import {
  actionWords,
  type Location,
  type State,
  type Watch,
  type Workflow,
} from "../workflow/declared/model.ts";
import {
  checkShape,
  glob,
  keyPath,
  list,
  mapValues,
  show,
  suggest,
  type Complain,
} from "./_workflow-words.ts";
import { readConditions, readSight, type Names } from "./read-conditions.ts";
import { workflowSchema, type WorkflowSource } from "./workflow-settings.ts";

/** Reads a workflow as it was declared. Nothing when something is wrong with it, which has been said by then. */
export function readWorkflow(name: string, value: unknown, complain: Complain): Workflow | undefined {
  let isSound = true;
  const say: Complain = (...problem) => {
    isSound = false;
    complain(...problem);
  };
  if (!isObject(value)) {
    say(
      [],
      "HL_BAD_VALUE",
      "not a mapping",
      "Expected `state`, `states` and `transitions`; docs/workflows.md has examples.",
    );
    return undefined;
  }
  checkShape(workflowSchema, value, say);
  if (!isSound) return undefined;
  const workflow = compileWorkflow(name, value as WorkflowSource, say);
  return isSound ? workflow : undefined;
}

function compileWorkflow(name: string, source: WorkflowSource, say: Complain): Workflow {
  const names = Object.keys(source.states);
  if (names.length === 0) say(["states"], "HL_BAD_VALUE", "there is no state", "Name at least one.");
  const watch = mapValues(source.watch ?? {}, (each, key) => readWatch(each, ["watch", key], say));
  const implied: Names["implied"] = new Map();
  const known: Names = { states: names, watches: Object.keys(watch), implied, say };
  const state = readLocation(source.state, known);
  const states = mapValues(source.states, (each, key): State =>
    readState(each ?? {}, ["states", key], known),
  );
  const transitions = (source.transitions ?? []).map((each, at) => {
    const path = ["transitions", at];
    const on = each.on === undefined ? undefined : readSight(each.on, [...path, "on"], known);
    if (each.on !== undefined && state.by !== "record")
      say(
        [...path, "on"],
        "HL_WORKFLOW",
        "only a recorded state moves by itself",
        "Take `on` out, or keep the state with `recorded: session`.",
      );
    if (each.on === undefined && state.by === "record")
      say(
        path,
        "HL_WORKFLOW",
        "nothing takes this step",
        "Say with `on` what is seen when it is taken, such as `on: tests failed`.",
      );
    return {
      from: knownStates(each.from, [...path, "from"], known, ["*"]),
      to: knownStates(each.to, [...path, "to"], known)[0] ?? "",
      when: readConditions(each.when, [...path, "when"], known),
      ...defined({ by: each.by === undefined ? undefined : list(each.by), on, label: each.label }),
      ...(each.anyway === true ? { anyway: true as const } : {}),
    };
  });
  const initial = source.initial ?? names[0] ?? "";
  if (source.initial !== undefined) knownStates(source.initial, ["initial"], known);
  const stop = (source.stop ?? []).map((each, at) => ({
    in: knownStates(each.in ?? [], ["stop", at, "in"], known),
    needs: readConditions(each.needs, ["stop", at, "needs"], known),
    most: each.most ?? 3,
    ...defined({ instead: each.instead }),
  }));
  const retries = (source.retries ?? []).map((each, at) => {
    if (each.run === undefined && each.delegate === undefined)
      say(["retries", at], "HL_BAD_VALUE", "there is nothing to count", "Say `run` or `delegate`.");
    return {
      run: list(each.run),
      delegate: list(each.delegate),
      in: knownStates(each.in ?? [], ["retries", at, "in"], known),
      most: each.most,
      handOff: each.handOff,
    };
  });
  const schemas = (source.schemas ?? []).map((each, at) => {
    for (const problem of each.schema === undefined ? [] : schemaProblems(each.schema))
      say(["schemas", at, "schema", ...problem.path], "HL_WORKFLOW", problem.text, problem.hint);
    return {
      file: glob(each.file, ["schemas", at, "file"], say),
      headings: list(each.headings),
      line: list(each.line),
      without: list(each.without),
      ...defined({ schema: each.schema }),
    };
  });
  const remember = source.state.recorded ?? source.remember ?? "session";
  return {
    name,
    ...defined({ summary: source.summary }),
    state,
    initial,
    states,
    transitions,
    watch: { ...watch, ...Object.fromEntries(implied) },
    remember,
    stop,
    retries,
    schemas,
  };
}

function readWatch(source: NonNullable<WorkflowSource["watch"]>[string], path: Path, say: Complain): Watch {
  const { run, edit, except, delegate, passed, failed, says, is, min, max, by } = source;
  const ways = [run, edit, delegate, says];
  if (ways.every((each) => each === undefined))
    say(path, "HL_BAD_VALUE", "there is nothing to watch", "Say `run`, `edit`, `delegate` or `says`.");
  if (min !== undefined && max !== undefined && min > max)
    say(
      [...path, "min"],
      "HL_BAD_VALUE",
      "nothing is between `min` and `max`",
      "Make `min` the smaller one.",
    );
  if (says === undefined && [is, min, max, by].some((each) => each !== undefined))
    say(path, "HL_BAD_VALUE", "`is`, `min`, `max` and `by` are about `says`", "Say which tag is meant.");
  const values = is === undefined ? [] : [is].flat().map(String);
  const limits = { values, min: min ?? null, max: max ?? null };
  return {
    run: list(run),
    edit: list(edit),
    except: list(except),
    delegate: list(delegate),
    passed: list(passed),
    failed: list(failed),
    ...(says === undefined
      ? {}
      : { says: { tag: says, ...limits, ...defined({ by: by === undefined ? undefined : list(by) }) } }),
  };
}

function readLocation(source: WorkflowSource["state"], { states, say }: Names): Location {
  const { file, key, marker, present, branch, recorded } = source;
  const ways = [file, present, branch, recorded].filter((each) => each !== undefined);
  const none = { by: "record" } as const;
  if (ways.length !== 1) {
    say(
      ["state"],
      "HL_BAD_VALUE",
      ways.length === 0 ? "it does not say where the state lives" : "it says two places",
      "Expected one of `file` (with `key` or `marker`), `present`, `branch`, `recorded`.",
    );
    return none;
  }
  const known = (by: Readonly<Record<string, unknown>>, under: string): void => {
    for (const name of Object.keys(by))
      if (!states.includes(name))
        say(
          ["state", under, name],
          "HL_WORKFLOW",
          `"${name}" is no state of this workflow`,
          suggest(name, states),
        );
  };
  if (present) {
    known(present, "present");
    return {
      by: "presence",
      files: mapValues(present, (each, name) => glob(each, ["state", "present", name], say)),
    };
  }
  if (branch) {
    known(branch, "branch");
    return { by: "branch", branches: mapValues(branch, list) };
  }
  if (file === undefined) return none;
  const path = glob(file, ["state", "file"], say);
  if ((key === undefined) === (marker === undefined)) {
    say(
      ["state"],
      "HL_BAD_VALUE",
      "it does not say where in the file the state stands",
      "Say `key: a.b`, or `marker: 'Status: {state}'`.",
    );
    return none;
  }
  if (marker !== undefined) {
    if (marker.split("{state}").length !== 2 || marker.trim() === "{state}")
      say(
        ["state", "marker"],
        "HL_BAD_VALUE",
        `${show(marker)} has no place for the state`,
        "Write the line with `{state}` once: `Status: {state}`.",
      );
    return { by: "marker", file: path, marker };
  }
  if (!/\.(?:ya?ml|jsonc?|mdx?|markdown)$/i.test(path))
    say(
      ["state", "file"],
      "HL_BAD_VALUE",
      `${show(path)} has no keys`,
      "Name a .yaml, .json or .md file, or use `marker`.",
    );
  return { by: "key", file: path, key: keyPath(key ?? "") };
}

function readState(source: NonNullable<WorkflowSource["states"][string]>, path: Path, names: Names): State {
  const { label, by, final } = source;
  return {
    forbid: (source.forbid ?? []).map((each, at) => {
      const here = [...path, "forbid", at];
      const actions = Object.fromEntries(
        actionWords.flatMap((word) => {
          const globs = list(each[word]);
          const isPath = word !== "fetch" && word !== "delegate";
          return globs.length === 0
            ? []
            : [[word, isPath ? globs.map((one) => glob(one, [...here, word], names.say)) : globs]];
        }),
      );
      const run = list(each.run);
      if (Object.keys(actions).length + run.length === 0)
        names.say(
          here,
          "HL_BAD_VALUE",
          "it forbids nothing",
          `Say any of ${[...actionWords, "run"].join(", ")}.`,
        );
      return {
        actions,
        run,
        except: list(each.except),
        unless: readConditions(each.unless, [...here, "unless"], names),
        ...defined({ why: each.why, instead: each.instead }),
      };
    }),
    requires: readConditions(source.requires, [...path, "requires"], names),
    ...defined({ label, by: by === undefined ? undefined : list(by) }),
    ...(final === true ? { final: true as const } : {}),
  };
}

function knownStates(
  given: string | readonly string[],
  path: Path,
  { states, say }: Names,
  more: readonly string[] = [],
): readonly string[] {
  for (const [at, name] of list(given).entries())
    if (!states.includes(name) && !more.includes(name))
      say(
        typeof given === "string" ? path : [...path, at],
        "HL_WORKFLOW",
        `"${name}" is no state of this workflow`,
        suggest(name, states),
      );
  return list(given);
}
