import type { Limits } from "../signals.ts";

/** A workflow as a policy declares it, compiled: nothing in it has to be checked any more. */
export interface Workflow {
  readonly name: string;
  readonly summary?: string;
  /** The file it stands in, where that is not the policy itself. */
  readonly file?: string;
  /** It is made of what the policy says about stopping, and has one state. */
  readonly bare?: true;
  /** A managed policy has it, and no other layer can change it. */
  readonly locked?: true;
  readonly state: Location;
  /** Where it stands while nothing says otherwise. */
  readonly initial: string;
  /** By name, in the order they were written. */
  readonly states: Readonly<Record<string, State>>;
  readonly transitions: readonly Transition[];
  /** What is remembered of what tools did and agents said, by name. */
  readonly watch: Readonly<Record<string, Watch>>;
  readonly remember: "session" | "workspace";
  readonly stop: readonly StopCondition[];
  readonly retries: readonly RetryBudget[];
  readonly schemas: readonly FileSchema[];
}

/** Where the state lives. Paths and globs are relative to the workspace's root, with forward slashes. */
export type Location =
  /** A key of a YAML or JSON file, or of the head of a Markdown file. Each file that fits is a run of its own. */
  | { readonly by: "key"; readonly file: string; readonly key: readonly string[] }
  /** The first line that fits, with `{state}` for the state. */
  | { readonly by: "marker"; readonly file: string; readonly marker: string }
  /** The first state of which a file is there. */
  | { readonly by: "presence"; readonly files: Readonly<Record<string, string>> }
  /** The first state that has a pattern for the branch. */
  | { readonly by: "branch"; readonly branches: Readonly<Record<string, readonly string[]>> }
  /** Kept by Hookline itself: transitions are taken when what they wait for is seen. */
  | { readonly by: "record" };

export interface State {
  readonly label?: string;
  readonly forbid: readonly Forbidden[];
  /** What must hold before it is left. */
  readonly requires: readonly Condition[];
  /** Who may leave it; nothing means anybody. */
  readonly by?: readonly string[];
  /** An end: that nothing leads out of it is no mistake. */
  readonly final?: true;
}

/** The kinds of action a state can forbid, by what they are about. */
export const actionWords = ["write", "delete", "edit", "read", "fetch", "delegate"] as const;
export type ActionWord = (typeof actionWords)[number];

export interface Forbidden {
  /** Globs of paths; for `fetch` of addresses, for `delegate` of agents. `edit` is to write or to delete. */
  readonly actions: Readonly<Partial<Record<ActionWord, readonly string[]>>>;
  readonly except: readonly string[];
  /** Programs with the words that follow them: `git push`. */
  readonly run: readonly string[];
  /** It is not forbidden while all of these hold. */
  readonly unless: readonly Condition[];
  readonly why?: string;
  readonly instead?: string;
}

export interface Transition {
  /** `*` is any state but `to`. */
  readonly from: readonly string[];
  readonly to: string;
  readonly when: readonly Condition[];
  readonly by?: readonly string[];
  /** It is taken when this is seen: for a state that is kept by Hookline. */
  readonly on?: Sight;
  /** What the state requires does not count: a way out. */
  readonly anyway?: true;
  readonly label?: string;
}

/** Something that is watched, and how it ended. */
export interface Sight {
  readonly watch: string;
  readonly result?: Result;
}
export type Result = "passed" | "failed";

/** What tools do and agents say that is worth remembering. */
export interface Watch {
  readonly run: readonly string[];
  readonly edit: readonly string[];
  readonly except: readonly string[];
  readonly delegate: readonly string[];
  /** Lines of the output that tell how a command ended, where its exit code does not. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** What an agent says at its end between tags: it passes when that is good enough. */
  readonly says?: Says;
  /** Tests: what their runners usually print tells how they ended, where nothing else does. */
  readonly tests?: true;
}

export interface Says extends Limits {
  readonly tag: string;
  /** Who says it; nothing means anybody. */
  readonly by?: readonly string[];
}

/** One thing that has to be so. */
export type Condition =
  | {
      readonly is: "file";
      readonly file: string;
      /** Lines that have to be in it, and lines that must not, with `*` for anything. */
      readonly line: readonly string[];
      readonly without: readonly string[];
      /** A person puts it there: that no state lets it be written is no mistake. */
      readonly byHand?: true;
    }
  | {
      readonly is: "key";
      readonly file: string;
      readonly key: readonly string[];
      readonly values: readonly unknown[];
      readonly isNot: readonly unknown[];
      readonly byHand?: true;
    }
  | { readonly is: "absent"; readonly file: string }
  | { readonly is: "branch"; readonly branch: readonly string[] }
  /** It was seen at all. */
  | { readonly is: "seen"; readonly sight: Sight }
  /** It ended so the last time, and none of `after` was seen since. */
  | { readonly is: "last"; readonly sight: Sight; readonly after: readonly string[] }
  /** Nothing was edited, or the tests have passed since. */
  | { readonly is: "tests"; readonly run: readonly string[]; readonly watch: string; readonly source: string }
  /** Nothing differs from the last commit. */
  | { readonly is: "tree" }
  /** No commit is only here. */
  | { readonly is: "pushed" }
  /** The file was changed, if any of the others was: on this branch, or in this session, which `watches` has seen. */
  | {
      readonly is: "updated";
      readonly file: string;
      readonly others: readonly string[];
      readonly watches?: { readonly file: string; readonly others: string };
    }
  /** Nothing is left on the agent's own list, or in a Markdown file. */
  | { readonly is: "todos"; readonly file?: string }
  | { readonly is: "state"; readonly workflow: string; readonly states: readonly string[] }
  | { readonly is: "any"; readonly of: readonly Condition[] }
  | { readonly is: "not"; readonly of: Condition };

/** Every condition a workflow speaks of, with what is inside others. */
export const conditionsOf = ({ states, transitions, stop }: Workflow): readonly Condition[] =>
  [
    ...Object.values(states).flatMap(({ requires, forbid }) => [
      ...requires,
      ...forbid.flatMap(({ unless }) => unless),
    ]),
    ...transitions.flatMap(({ when }) => when),
    ...stop.flatMap(({ needs }) => needs),
  ].flatMap(within);

function within(condition: Condition): readonly Condition[] {
  if (condition.is === "any") return [condition, ...condition.of.flatMap(within)];
  return condition.is === "not" ? [condition, ...within(condition.of)] : [condition];
}

/** Conditions that only git can answer, which takes a process and its time. */
export const asksGit = (condition: Condition): boolean =>
  condition.is === "tree" ||
  condition.is === "pushed" ||
  (condition.is === "updated" && condition.watches === undefined);

/** Is the agent's own list of what is to do worth remembering? */
export const wantsTodos = (workflow: Workflow): boolean =>
  conditionsOf(workflow).some((each) => each.is === "todos" && each.file === undefined);

/** What must hold before the agent may stop. */
export interface StopCondition {
  /** The states it is about; none named means all. */
  readonly in: readonly string[];
  /** Nothing named: it may not stop there at all. */
  readonly needs: readonly Condition[];
  /** How often in a row it is held back; then it may go, with a warning. */
  readonly most: number;
  readonly instead?: string;
}

/** How often something may fail before somebody else takes over. */
export interface RetryBudget {
  readonly run: readonly string[];
  readonly delegate: readonly string[];
  readonly in: readonly string[];
  /** Failures in a row that may be followed by another try. */
  readonly most: number;
  /** What the agent is told to do instead of trying again. */
  readonly handOff: string;
}

/** What a file must look like after every write. */
export interface FileSchema {
  readonly file: string;
  readonly schema?: Schema;
  readonly headings: readonly string[];
  readonly line: readonly string[];
  readonly without: readonly string[];
}

/** As much of JSON Schema as can be judged without a library. */
export type Schema = Readonly<Record<string, unknown>>;
