import * as v from "valibot";

const text = v.pipe(v.string(), v.minLength(1));
const texts = v.union([text, v.array(text)]);
const said = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(v.optional(schema), v.description(description));
const named = <S extends v.GenericSchema>(schema: S) => v.record(v.string(), schema);

/** One thing that has to be so; which of the keys are there says what. */
const plainCondition = {
  file: said(text, "A file, or a glob of which one file has to be there with something in it."),
  line: said(texts, "With `file`: lines that have to be in it, `*` standing for anything."),
  without: said(texts, "With `file`: lines that must not be in it."),
  key: said(text, "With `file`: a key of a YAML or JSON file, or of a Markdown file's head, as `a.b`."),
  is: said(v.any(), "With `key`: the value it has to have, or a list of values."),
  isNot: said(v.any(), "With `key`: the value it must not have, or a list of values."),
  byHand: said(v.boolean(), "With `file`: a person brings it about, and the agent may not."),
  updated: said(
    v.picklist(["branch", "session"]),
    "With `file`: it has to have been changed, on this branch or in this session, if anything was.",
  ),
  for: said(texts, "With `updated`: globs of the files whose change asks for it. All others when not given."),
  absent: said(text, "A file or glob that must not be there."),
  branch: said(texts, "Patterns of which one has to fit the branch that is checked out."),
  seen: said(text, "Something of `watch` that was seen: `tests`, `tests failed` or `tests passed`."),
  last: said(text, "How something of `watch` has to have ended the last time: `tests passed`."),
  after: said(texts, "With `last`: what must not have been seen since."),
  tests: said(
    texts,
    "Commands that run the tests: they have to have passed after the last edit: `npm test`.",
  ),
  source: said(
    texts,
    "With `tests`: globs of the files whose edits count. All but documents when not given.",
  ),
  except: said(texts, "With `tests`: files whose edits do not count."),
  passed: said(texts, "With `tests`: lines of the output that say they passed."),
  failed: said(texts, "With `tests`: lines of the output that say they failed."),
  tree: said(v.picklist(["clean"]), "Everything is committed, as git tells."),
  commits: said(v.picklist(["pushed"]), "A remote has every commit, as git tells."),
  todos: said(
    text,
    "`done`: nothing is left on the agent's own list. Or a Markdown file with boxes to tick.",
  ),
  workflow: said(text, "Another workflow, with `at`."),
  at: said(texts, "With `workflow`: the states it may be at."),
};
const not = said(v.strictObject(plainCondition), "A condition that must not hold.");
const anyCondition = {
  ...plainCondition,
  not,
  any: said(v.array(v.strictObject({ ...plainCondition, not })), "Conditions of which one has to hold."),
};
const condition = v.strictObject(anyCondition);
const conditions = v.array(condition);

const forbidden = v.strictObject({
  edit: said(texts, "Globs of files that must be neither written nor deleted, by whatever tool or command."),
  write: said(texts, "Globs of files that must not be written."),
  delete: said(texts, "Globs of files that must not be deleted."),
  read: said(texts, "Globs of files that must not be read."),
  fetch: said(texts, "Addresses that must not be fetched, `*` standing for anything."),
  delegate: said(texts, "Subagents that must not be called."),
  run: said(texts, "Programs that must not run, with the words behind them: `git push`."),
  except: said(texts, "What is not meant, of any of these."),
  unless: said(conditions, "It is not forbidden while all of these hold."),
  why: said(text, "Why, for the agent."),
  instead: said(text, "What to do instead, for the agent."),
});

const state = v.strictObject({
  label: said(text, "What people call it."),
  forbid: said(v.array(forbidden), "What must not happen in this state."),
  requires: said(conditions, "What must hold before this state is left."),
  by: said(texts, "Who may leave it: `main`, or kinds of subagents. Anybody when not given."),
  final: said(v.boolean(), "It is an end."),
});

const transition = v.strictObject({
  from: v.pipe(texts, v.description("The states it leads from; `*` is any.")),
  to: v.pipe(text, v.description("The state it leads to.")),
  when: said(conditions, "Its guard: all of these have to hold when the step has been taken."),
  by: said(texts, "Who may take it: `main`, or kinds of subagents. As the state says when not given."),
  on: said(text, "For a recorded state: what is seen when it is taken, such as `tests failed`."),
  anyway: said(v.boolean(), "What the state `requires` does not count: a way out."),
  label: said(text, "What people call it."),
});

const location = v.strictObject({
  file: said(text, "The file it is kept in; each file that fits a glob is a run of its own."),
  key: said(text, "With `file`: a key of a YAML or JSON file, or of a Markdown file's head, as `a.b`."),
  marker: said(text, "With `file`: a line of it, with `{state}` for the state."),
  present: said(
    named(text),
    "By state: the file or glob whose presence means it. The first that is there counts.",
  ),
  branch: said(named(texts), "By state: patterns of branch names. The first that fits counts."),
  recorded: said(
    v.picklist(["session", "workspace"]),
    "Kept by Hookline itself, for a session or for the whole workspace; transitions say what they wait for with `on`.",
  ),
});

const plainValue = v.union([text, v.number()]);

const watch = v.strictObject({
  run: said(texts, "Commands: `npm test`. They pass or fail by their exit code."),
  passed: said(texts, "With `run`: lines of the output that say it passed, where the exit code cannot tell."),
  failed: said(texts, "With `run`: lines of the output that say it failed."),
  edit: said(texts, "Globs of files that are written or deleted."),
  except: said(texts, "With `edit`: files that are not meant."),
  delegate: said(texts, "Subagents that are called."),
  says: said(
    v.pipe(v.string(), v.regex(/^[A-Za-z][\w.-]*$/)),
    "A tag: what an agent says at its end in `<score>85</score>`. It passes when the last value is good enough.",
  ),
  is: said(v.union([plainValue, v.array(plainValue)]), "With `says`: the values that are good enough."),
  min: said(v.number(), "With `says`: the least a number may be."),
  max: said(v.number(), "With `says`: the most a number may be."),
  by: said(texts, "With `says`: who says it, `main` or kinds of subagents. Anybody when not given."),
});

const most = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));

const held = {
  most: said(most, "How often in a row the agent is held back before it may go. 3."),
  instead: said(text, "What to do, for the agent."),
};

const stop = v.strictObject({
  in: said(texts, "The states it is about. All when not given."),
  needs: said(conditions, "What must hold before the agent may stop. Nothing given: it may not stop there."),
  ...held,
});

/** What a policy may say about stopping, without a workflow: a condition each, or several under `needs`. */
export const stopSchema = v.array(
  v.strictObject({
    ...anyCondition,
    needs: said(conditions, "Several conditions that are counted together."),
    ...held,
  }),
);

const retry = v.strictObject({
  run: said(texts, "Commands that count: `npm test`."),
  delegate: said(texts, "Subagents that count."),
  in: said(texts, "The states it is about. All when not given."),
  most: v.pipe(most, v.description("Failures in a row that may be followed by another try.")),
  handOff: v.pipe(text, v.description("What the agent is told to do instead of trying again.")),
});

const fileSchema = v.strictObject({
  file: v.pipe(text, v.description("The file, or a glob.")),
  schema: said(
    v.record(v.string(), v.any()),
    "A JSON Schema for a JSON or YAML file, or for a Markdown file's head.",
  ),
  headings: said(texts, "For Markdown: headings that have to be there, with their marks: `## Risks`."),
  line: said(texts, "Lines that have to be in it, `*` standing for anything."),
  without: said(texts, "Lines that must not be in it."),
});

/** What a policy may say about one workflow. */
export const workflowSchema = v.strictObject({
  summary: said(text, "What it is for."),
  state: v.pipe(location, v.description("Where its state lives.")),
  initial: said(text, "The state it is in while nothing says otherwise. The first one."),
  states: v.pipe(named(v.nullable(state)), v.description("Its states by name.")),
  transitions: said(v.array(transition), "The steps between states. Any other is refused."),
  watch: said(named(watch), "What is remembered of what tools did and agents said, by name."),
  remember: said(v.picklist(["session", "workspace"]), "How long what was watched is remembered. session."),
  stop: said(v.array(stop), "What must hold before the agent may stop."),
  retries: said(v.array(retry), "How often something may fail before somebody else takes over."),
  schemas: said(v.array(fileSchema), "What files must look like after every write."),
  locked: said(v.boolean(), "Managed policies only: no other layer can change or switch off this workflow."),
});

export type WorkflowSource = v.InferOutput<typeof workflowSchema>;
export type StopSource = v.InferOutput<typeof stopSchema>;
export type ConditionSource = v.InferOutput<typeof condition>;
