import { contradictionIn } from "./contradiction.ts";
import { sayCondition } from "./conditions.ts";
import { fitsGlob, fitsName, isGlob } from "./glob.ts";
import type { Condition, State, Transition, Workflow } from "./model.ts";

/** Something that cannot be meant, at a place of the workflow. */
export interface CheckFinding {
  readonly code:
    | "unreachable"
    | "dead-end"
    | "never-holds"
    | "nobody"
    | "never-matches"
    | "unknown-name"
    | "no-stop";
  readonly path: readonly (string | number)[];
  readonly text: string;
  readonly instead: string;
}

/** What is wrong with a workflow although it can be read. `all` are the workflows it may speak of. */
export function checkWorkflow(workflow: Workflow, all: readonly Workflow[]): CheckFinding[] {
  const steps = workflow.transitions.map((step, at) => stepOf(workflow, step, at));
  const { reached, blocked } = reachOf(workflow, steps);
  return [
    ...unknownNames(workflow, all),
    ...steps.flatMap(({ finding }) => finding ?? []),
    ...blocked,
    ...placeless(workflow),
    ...unreachable(workflow, reached),
    ...deadEnds(workflow, reached, steps),
    ...deadGlobs(workflow),
    ...deadStops(workflow),
  ];
}

/** A transition, and the states from which it can be taken at all. */
interface Step {
  readonly step: Transition;
  readonly at: number;
  readonly froms: readonly string[];
  /** Why it is none. */
  readonly finding?: CheckFinding;
}

function stepOf(workflow: Workflow, step: Transition, at: number): Step {
  const name = nameOf(step);
  const none = (code: CheckFinding["code"], text: string, instead: string): Step => ({
    step,
    at,
    froms: [],
    finding: { code, path: ["transitions", at], text, instead },
  });
  if (step.by?.length === 0)
    return none("nobody", `nobody may take ${name}`, "Name who may with `by`, or take the empty list out.");
  const sources = sourcesOf(workflow, step);
  const [first] = sources;
  if (first === undefined)
    return none("nobody", `${name} leads from a state to itself, which is no step`, "Name another state.");
  const manned = sources.filter((from) => mayBeTaken(workflow.states[from], step));
  if (manned.length === 0)
    return none(
      "nobody",
      `nobody may take ${name}: ${whoTakes(workflow.states[first], step).join(" or ")} cannot be called in ${sources.join(", ")}`,
      "Let the state call who has to take the step, or let `main` take it.",
    );
  const kept = keptIn(workflow);
  const open = manned.filter((from) => kept === undefined || mayWrite(workflow.states[from], kept));
  if (open.length === 0)
    return none(
      "never-holds",
      `${name} can never be taken: the state is kept in ${kept}, which ${manned.join(", ")} forbids to write`,
      `Except ${kept} from what is forbidden.`,
    );
  const after = placeAfter(workflow, step);
  let reason: string | undefined;
  const froms = open.filter((from) => {
    if (step.on && !maySee(workflow, workflow.states[from], step.on.watch)) {
      reason ??= `${from} forbids what ${step.on.watch} watches`;
      return false;
    }
    const found = contradictionIn([...requiresOf(workflow, from, step), ...step.when, ...after], workflow);
    reason ??= found;
    return found === undefined;
  });
  return froms.length === 0
    ? none(
        "never-holds",
        `the guard of ${name} can never hold: ${reason}`,
        "Mend the guard, or what the state requires.",
      )
    : { step, at, froms };
}

const nameOf = ({ from, to }: Transition): string => `${from.join(", ")} → ${to}`;

const requiresOf = ({ states }: Workflow, from: string, { anyway }: Transition): readonly Condition[] =>
  anyway ? [] : (states[from]?.requires ?? []);

/** The states a transition leads from. */
export const sourcesOf = ({ states }: Workflow, { from, to }: Transition): string[] =>
  from.includes("*") ? Object.keys(states).filter((name) => name !== to) : from.filter((name) => name !== to);

const whoTakes = (state: State | undefined, { by }: Transition): readonly string[] =>
  by ?? state?.by ?? ["main"];

/** Is there somebody who may take a step and can be there? */
function mayBeTaken(state: State | undefined, step: Transition): boolean {
  const barred = (state?.forbid ?? []).filter(({ unless }) => unless.length === 0);
  return whoTakes(state, step).some(
    (name) =>
      name === "main" ||
      !barred.some(
        ({ actions, except }) =>
          actions.delegate?.some((pattern) => fitsName(pattern, name)) &&
          !except.some((pattern) => fitsName(pattern, name)),
      ),
  );
}

/** A file that says where the workflow stands, where that is one. */
const keptIn = ({ state }: Workflow): string | undefined =>
  state.by === "key" || state.by === "marker" ? state.file.replaceAll("*", "x") : undefined;

/** Does a state let happen what is watched? */
function maySee({ watch }: Workflow, state: State | undefined, name: string): boolean {
  const { run = [], edit = [], delegate = [], says } = watch[name] ?? {};
  if (run.length === 0 || edit.length + delegate.length > 0 || says) return true;
  const barred = (state?.forbid ?? []).filter(
    ({ unless, except }) => unless.length === 0 && except.length === 0,
  );
  return run.some((command) =>
    barred.every(({ run: all }) =>
      all.every((each) => each !== "*" && each !== command && !command.startsWith(`${each} `)),
    ),
  );
}

/** What holds by itself when a step has been taken: the state is where it is kept. */
function placeAfter({ state }: Workflow, { to }: Transition): readonly Condition[] {
  if (state.by === "key" && !isGlob(state.file))
    return [{ is: "key", file: state.file, key: state.key, values: [to], isNot: [] }];
  if (state.by === "branch" && state.branches[to]) return [{ is: "branch", branch: state.branches[to] }];
  if (state.by === "presence" && state.files[to] !== undefined)
    return [{ is: "file", file: state.files[to], line: [], without: [] }];
  return [];
}

/**
 * The states that can come about. A step counts if what it asks for can have been made on the way to it: a file that no
 * state up to then lets anybody write is never there, unless a person puts it there.
 */
function reachOf(
  workflow: Workflow,
  steps: readonly Step[],
): { reached: ReadonlySet<string>; blocked: CheckFinding[] } {
  const bits = contestedIn(workflow, steps);
  const maskOf = (files: readonly string[]): bigint =>
    files.reduce((mask, file) => mask | (bits.get(file) ?? 0n), 0n);
  const writable = (name: string): bigint =>
    maskOf([...bits.keys()].filter((need) => mayBring(workflow, workflow.states[name], need)));
  const bySource = new Map<string, Step[]>();
  for (const each of steps)
    for (const from of each.froms) {
      const there = bySource.get(from);
      if (there) there.push(each);
      else bySource.set(from, [each]);
    }
  // What may have been made by the time each state is reached; several ways may leave different things behind.
  const made = new Map<string, bigint[]>();
  const waiting: { name: string; has: bigint }[] = [];
  const arrive = (name: string, before: bigint): void => {
    const has = before | writable(name);
    const known = made.get(name) ?? [];
    if (known.some((each) => (each & has) === has)) return;
    const others = known.filter((each) => (each & has) !== each);
    // Too many ways to follow each: taken together they reach more than they do, and never less.
    const kept =
      others.length >= mostWays ? [others.reduce((all, each) => all | each, has)] : [...others, has];
    made.set(name, kept);
    waiting.push({ name, has: kept.at(-1) ?? has });
  };
  arrive(workflow.initial, 0n);
  for (const { name, has } of waiting)
    for (const { step } of bySource.get(name) ?? []) {
      const needed = maskOf(needsOf(workflow, name, step));
      if ((has & needed) === needed) arrive(step.to, has);
    }
  const blocked = steps.flatMap(({ step, at, froms }): CheckFinding[] => {
    const here = froms.filter((name) => made.has(name));
    const missing = here.map((name) => missingAt(name, step));
    const [need] = missing;
    if (need === undefined || missing.includes(undefined)) return [];
    const seen = watchIn(need);
    const text =
      seen === undefined
        ? `${need} has to be there, and no state up to then lets it be written`
        : `${seen} has to be seen, and no state up to then lets it happen`;
    const instead =
      seen === undefined
        ? `Except ${need} from what ${here[0]} forbids, or say \`byHand: true\` if a person puts it there.`
        : `Allow in some state what ${seen} watches.`;
    return [
      {
        code: "never-holds",
        path: ["transitions", at],
        text: `the guard of ${nameOf(step)} can never hold: ${text}`,
        instead,
      },
    ];
  });
  /** What a step lacks whichever way its state was reached. */
  function missingAt(name: string, step: Transition): string | undefined {
    const needed = needsOf(workflow, name, step);
    const lacks = (has: bigint): string | undefined =>
      needed.find((need) => (has & (bits.get(need) ?? 0n)) !== (bits.get(need) ?? 0n));
    const ways = (made.get(name) ?? []).map(lacks);
    return ways.includes(undefined) ? undefined : ways[0];
  }
  return { reached: new Set(made.keys()), blocked };
}

const mostWays = 16;

/** What some step needs and some state forbids to bring about, a bit each; all else can be made anywhere. */
function contestedIn(workflow: Workflow, steps: readonly Step[]): ReadonlyMap<string, bigint> {
  const needed = new Set(
    steps.flatMap(({ step, froms }) => froms.flatMap((from) => needsOf(workflow, from, step))),
  );
  const strict = Object.values(workflow.states).filter(({ forbid }) => forbid.length > 0);
  const contested = [...needed].filter((need) => strict.some((state) => !mayBring(workflow, state, need)));
  return new Map(contested.map((need, at) => [need, 1n << BigInt(at)]));
}

/** What a step needs and the agent has to bring about: plain files, and what has to be seen. */
const needsOf = (workflow: Workflow, from: string, step: Transition): string[] =>
  [...requiresOf(workflow, from, step), ...step.when].flatMap((each) => {
    if (each.is === "seen" || each.is === "last") return [`${sight}${each.sight.watch}`];
    const isPlain =
      (each.is === "file" || each.is === "key") &&
      !each.byHand &&
      !isGlob(each.file) &&
      !each.file.includes("{dir}");
    return isPlain ? [each.file] : [];
  });

/** In front of a name that is no file's. */
const sight = "\0";

const watchIn = (need: string): string | undefined => (need.startsWith(sight) ? need.slice(1) : undefined);

function mayBring(workflow: Workflow, state: State | undefined, need: string): boolean {
  const seen = watchIn(need);
  return seen === undefined ? mayWrite(state, need) : maySee(workflow, state, seen);
}

const mayWrite = (state: State | undefined, file: string): boolean =>
  !(state?.forbid ?? []).some(
    ({ actions, except, unless }) =>
      unless.length === 0 &&
      [...(actions.edit ?? []), ...(actions.write ?? [])].some((glob) => fitsGlob(glob, file)) &&
      !except.some((glob) => fitsGlob(glob, file)),
  );

const unreachable = ({ states, initial }: Workflow, reached: ReadonlySet<string>): CheckFinding[] =>
  Object.keys(states).flatMap((name) =>
    reached.has(name)
      ? []
      : [
          {
            code: "unreachable" as const,
            path: ["states", name],
            text: `${name} is never reached from ${initial}`,
            instead: "Add a transition to it, mend the guard on the way, or take the state out.",
          },
        ],
  );

function deadEnds(workflow: Workflow, reached: ReadonlySet<string>, steps: readonly Step[]): CheckFinding[] {
  const left = new Set(steps.flatMap(({ froms }) => froms));
  return Object.entries(workflow.states).flatMap(([name, { final }]) =>
    final || left.has(name) || !reached.has(name)
      ? []
      : [
          {
            code: "dead-end" as const,
            path: ["states", name],
            text: `nothing leads out of ${name}`,
            instead: "Add a transition, or say `final: true` if it is an end.",
          },
        ],
  );
}

/** States that no place stands for, or for which an earlier one always stands. */
function placeless({ state, states, initial }: Workflow): CheckFinding[] {
  const places =
    state.by === "presence"
      ? Object.entries(state.files).map(([name, glob]) => [name, [glob]] as const)
      : state.by === "branch"
        ? Object.entries(state.branches)
        : undefined;
  if (!places) return [];
  const key = state.by === "presence" ? "present" : "branch";
  const missing = Object.keys(states).filter(
    (name) => name !== initial && !places.some(([each]) => each === name),
  );
  const hidden = places.flatMap(([name, patterns], at) => {
    const earlier = places
      .slice(0, at)
      .flatMap(([other, each]) => each.map((pattern) => ({ other, pattern })));
    const by = patterns.map((pattern) =>
      earlier.find((each) => each.pattern === pattern || each.pattern === "*"),
    );
    const [first] = by;
    return first && !by.includes(undefined) ? [{ name, other: first.other }] : [];
  });
  return [
    ...missing.map((name) => ({
      code: "unreachable" as const,
      path: ["states", name],
      text: `no ${state.by === "presence" ? "file" : "branch"} stands for ${name}`,
      instead: `Name one under \`state.${key}\`, or take the state out.`,
    })),
    ...hidden.map(({ name, other }) => ({
      code: "unreachable" as const,
      path: ["state", key, name],
      text: `whatever stands for ${name} stands for ${other}, which comes first`,
      instead: "Put the narrower one first.",
    })),
  ];
}

/** Globs that fit nothing, and what is forbidden and excepted at once. */
function deadGlobs({ states }: Workflow): CheckFinding[] {
  return Object.entries(states).flatMap(([name, { forbid }]) =>
    forbid.flatMap(({ actions, run, except }, at): CheckFinding[] => {
      const path = ["states", name, "forbid", at];
      const all = [...Object.values(actions).flat(), ...run];
      const dead = Object.entries(actions)
        .filter(([word]) => word !== "fetch" && word !== "delegate")
        .flatMap(([, globs]) => globs)
        .filter(
          (glob) =>
            glob.trim() !== glob ||
            glob === "" ||
            glob.split("/").some((part) => part === "." || part === "{}"),
        );
      const isAll =
        all.length > 0 && all.every((glob) => except.some((each) => each === glob || each === "**"));
      return [
        ...dead.map((glob) => ({
          code: "never-matches" as const,
          path,
          text: `${JSON.stringify(glob)} fits no file`,
          instead: "Write it relative to the workspace's root, without `.` or blanks at its ends.",
        })),
        ...(isAll
          ? [
              {
                code: "never-matches" as const,
                path,
                text: "everything that is forbidden here is excepted",
                instead: "Narrow `except`.",
              },
            ]
          : []),
      ];
    }),
  );
}

/** A stop that nothing allows is only ended by its cap. */
const deadStops = (workflow: Workflow): CheckFinding[] =>
  workflow.stop.flatMap(({ needs }, at) => {
    const reason = contradictionIn(needs, workflow);
    return reason === undefined
      ? []
      : [
          {
            code: "no-stop" as const,
            path: ["stop", at],
            text: `what a stop needs can never hold: ${reason}`,
            instead: "Mend `needs`.",
          },
        ];
  });

/** Other workflows and their states that conditions speak of. */
function unknownNames(workflow: Workflow, all: readonly Workflow[]): CheckFinding[] {
  const found: CheckFinding[] = [];
  const look = (condition: Condition, path: readonly (string | number)[]): void => {
    if (condition.is === "any") for (const each of condition.of) look(each, path);
    if (condition.is === "not") look(condition.of, path);
    if (condition.is !== "state") return;
    const other = all.find(({ name }) => name === condition.workflow);
    const unknown = other ? condition.states.find((name) => !Object.hasOwn(other.states, name)) : undefined;
    if (other && unknown === undefined) return;
    found.push({
      code: "unknown-name",
      path,
      text: other
        ? `${condition.workflow} has no state "${unknown}"`
        : `there is no workflow "${condition.workflow}"`,
      instead: `In \`${sayCondition(condition)}\`: expected any of ${(other ? Object.keys(other.states) : all.map(({ name }) => name)).slice(0, 20).join(", ")}.`,
    });
  };
  for (const [name, { requires, forbid }] of Object.entries(workflow.states)) {
    for (const [at, each] of requires.entries()) look(each, ["states", name, "requires", at]);
    for (const [at, { unless }] of forbid.entries())
      for (const each of unless) look(each, ["states", name, "forbid", at, "unless"]);
  }
  for (const [at, { when }] of workflow.transitions.entries())
    for (const each of when) look(each, ["transitions", at, "when"]);
  for (const [at, { needs }] of workflow.stop.entries())
    for (const each of needs) look(each, ["stop", at, "needs"]);
  return found;
}
