import { callerSources } from "../abilities/task.ts";
import { actionOf, defineCommand, type Command, type Given } from "./_command.ts";
import { environmentFlag } from "./_input.ts";

/** One file an action. */
const parts: Readonly<Record<string, () => Promise<{ run(given: Given): Promise<number> | number }>>> = {
  list: () => import("./_ability-list.ts"),
  suggest: () => import("./_ability-suggest.ts"),
  show: () => import("./_ability-show.ts"),
  lint: () => import("./_ability-lint.ts"),
  create: () => import("./_ability-create.ts"),
  run: () => import("./_ability-run.ts"),
  status: () => import("./_ability-status.ts"),
  delete: () => import("./_ability-delete.ts"),
};

const command: Command = defineCommand({
  summary:
    "The abilities of the workspace: find them, check their registries, run them and see how that went.",
  usage: [
    "ability list [--scope SCOPE] [--env ENV] [--json]",
    "ability suggest MESSAGE [--scope SCOPE] [--env ENV] [--least N] [--most N] [--rerank] [--json]",
    "ability suggest --hook",
    "ability show ID [--json]",
    "ability lint [--json]",
    "ability create ID [--input JSON|-] [--reason TEXT] [--expect TEXT] [--env ENV] [--session ID] [--stage STAGE] [--parent KEY] [--json]",
    "ability run KEY [--caller SOURCE] [--by NAME] [--job ID] [--ask deny|allow] [--again] [--json]",
    "ability status [KEY] [--feedback TEXT] [--json]",
    "ability delete KEY [--json]",
  ],
  actions: {
    list: "the abilities of the nearest ABILITY.md, and what the registry has besides",
    suggest: "abilities that fit a message, with why and how surely",
    show: "all that is known of one, by its id or operation key",
    lint: "what is wrong with registries, routing documents and knowledge documents; exit 1 when it finds anything",
    create:
      "checks the input and makes a task for it, with a key; runs nothing. Exit 1 when the ability is not available",
    run: "runs a task through policy and hooks, and puts it on record; exit 1 when it failed, 2 when it was refused",
    status: "where tasks stand, or all about one",
    delete: "takes a task away that nobody is running",
  },
  details: "docs/routing.md says what the files look like, docs/abilities.md how they are run.",
  flags: {
    env: environmentFlag,
    scope: { type: "string", value: "SCOPE", summary: "Only abilities of this scope or module." },
    input: {
      type: "string",
      value: "JSON|-",
      summary: "create: the input, or - for standard input; {} when not given.",
    },
    reason: { type: "string", value: "TEXT", summary: "create: why it is wanted." },
    expect: { type: "string", value: "TEXT", summary: "create: what is expected of it." },
    session: { type: "string", value: "ID", summary: "create: the session it belongs to." },
    stage: {
      type: "string",
      value: "STAGE",
      summary: "create: understand, plan, act or review.",
      values: () => ["understand", "plan", "act", "review"],
    },
    parent: { type: "string", value: "KEY", summary: "create: the task on whose behalf it is." },
    caller: {
      type: "string",
      value: "SOURCE",
      summary: `run: who calls (${callerSources.join(", ")}); guessed from the environment when not given.`,
      values: () => callerSources,
    },
    by: { type: "string", value: "NAME", summary: "run: who or what has triggered it." },
    job: { type: "string", value: "ID", summary: "run: the job it belongs to." },
    ask: {
      type: "string",
      value: "deny|allow",
      summary: "run: what a question comes to; the person at the terminal is asked, elsewhere it is deny.",
      values: () => ["deny", "allow"],
    },
    again: { type: "boolean", summary: "run: also when the last run was broken off." },
    feedback: {
      type: "string",
      value: "TEXT",
      summary: "status: adds what you have to say about how it went.",
    },
    least: { type: "string", value: "N", summary: "suggest: the least confidence, 0 to 1. 0.5." },
    most: { type: "string", value: "N", summary: "suggest: how many at most. 3." },
    rerank: { type: "boolean", summary: "suggest: the evaluator of prompt hooks puts them into order." },
    hook: {
      type: "boolean",
      summary: "suggest: as a hook at UserPromptSubmit, HookContext in, HookResult out.",
    },
    json: { type: "boolean", summary: "Print JSON." },
  },
  async run(given) {
    const part = parts[actionOf("ability", command, given)];
    return part ? (await part()).run(given) : 2;
  },
});

export default command;
