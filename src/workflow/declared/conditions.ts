import type { Todo } from "../../core/action.ts";
import type { Condition, Sight } from "./model.ts";
import { keyIn, type ReadYaml } from "./keys.ts";
import type { Moment } from "./moment.ts";
import { fitsName } from "./glob.ts";
import { fitsBranch } from "./standing.ts";
import { pushedLack, testsLack, todosLack, treeLack, updatedLack } from "./work.ts";

/** All a condition may look at. */
export interface Look {
  readonly moment: Moment;
  readonly yaml?: ReadYaml;
  /** What was seen so far, oldest first. */
  readonly seen: readonly Seen[];
  /** The agent's own list of what is to do. */
  readonly todos: () => readonly Todo[];
  /** The folder of the file that the run is kept in, for `{dir}` in paths. */
  readonly dir: string;
  /** Where another workflow stands. */
  readonly stateOf: (workflow: string) => readonly string[];
}

/** Something that was watched and happened. */
export interface Seen {
  readonly watch: string;
  readonly result?: string;
}

/** Why a condition does not hold. */
export interface Lack {
  readonly text: string;
  /** `untold`: nobody can tell. `beyond`: nor can the agent do anything about it, as where there is no git. */
  readonly why?: "untold" | "beyond";
}

/** What is missing for some conditions, each in a few words; nothing when all hold. */
export const missingOf = (conditions: readonly Condition[], look: Look): string[] =>
  lacksOf(conditions, look).map(({ text }) => text);

export const lacksOf = (conditions: readonly Condition[], look: Look): Lack[] =>
  conditions.flatMap((condition) => lackOf(condition, look) ?? []);

export const holds = (conditions: readonly Condition[], look: Look): boolean =>
  conditions.every((condition) => lackOf(condition, look) === undefined);

/** What is missing for a condition to hold. What nobody can tell does not hold. */
function lackOf(condition: Condition, look: Look): Lack | undefined {
  const { moment } = look;
  switch (condition.is) {
    case "file": {
      const glob = inFolder(condition.file, look.dir);
      const files = moment.files(glob);
      const reasons = files.map((file) => lacking(file, condition, moment));
      if (reasons.includes(undefined)) return undefined;
      return reasons[0] ?? { text: `${glob} is missing` };
    }
    case "absent": {
      const glob = inFolder(condition.file, look.dir);
      const [file] = moment.files(glob);
      return file === undefined ? undefined : { text: `${file} is still there` };
    }
    case "key":
      return keyLack(condition, look);
    case "branch": {
      const branch = moment.branch();
      if (branch === "?") return { text: "which branch is checked out cannot be told", why: "untold" };
      return branch !== undefined && condition.branch.some((pattern) => fitsBranch(pattern, branch))
        ? undefined
        : { text: `the branch is ${branch ?? "none"}, not ${condition.branch.join(" or ")}` };
    }
    case "seen":
      return look.seen.some((each) => isSight(each, condition.sight))
        ? undefined
        : { text: `${sayOf(condition.sight)} has not been seen` };
    case "last":
      return lastLack(condition, look.seen);
    case "tests":
      return testsLack(condition, look);
    case "tree":
      return treeLack(look);
    case "pushed":
      return pushedLack(look);
    case "updated":
      return updatedLack({ ...condition, file: inFolder(condition.file, look.dir) }, look);
    case "todos":
      return todosLack(condition, look);
    case "state": {
      const states = look.stateOf(condition.workflow);
      return states.length > 0 && states.every((state) => condition.states.includes(state))
        ? undefined
        : {
            text: `${condition.workflow} is at ${states.join(", ") || "no state"}, not at ${condition.states.join(" or ")}`,
          };
    }
    case "any":
      return anyLack(condition.of.map((each) => lackOf(each, look)));
    case "not": {
      const lack = lackOf(condition.of, look);
      if (!lack) return { text: `${sayCondition(condition.of)}, which must not be` };
      return lack.why && lack;
    }
  }
}

/** None of them holds: if one of them might, nobody can tell. */
function anyLack(lacks: readonly (Lack | undefined)[]): Lack | undefined {
  const all = lacks.flatMap((lack) => lack ?? []);
  if (all.length < lacks.length) return undefined;
  const text = all.map((lack) => lack.text).join(", or ");
  if (all.length > 0 && all.every(({ why }) => why === "beyond")) return { text, why: "beyond" };
  return all.some(({ why }) => why) ? { text, why: "untold" } : { text };
}

/** `{dir}/plan.md` lies beside the file that the state is in. */
const inFolder = (path: string, dir: string): string =>
  path.replaceAll("{dir}/", dir === "" ? "" : `${dir}/`).replaceAll("{dir}", dir);

function lacking(
  file: string,
  { line, without }: Extract<Condition, { is: "file" }>,
  moment: Moment,
): Lack | undefined {
  const content = moment.content(file);
  // That it is there is known, and more is not asked.
  if (content === "untold") return line.length + without.length === 0 ? undefined : cannotTell(file);
  if (content === "missing") return { text: `${file} is missing` };
  const lines = content.text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .map((each) => each.trim());
  if (lines.every((each) => each === "")) return { text: `${file} is empty` };
  const absent = line.find((pattern) => !lines.some((each) => fitsName(pattern, each)));
  if (absent !== undefined) return { text: `${file} has no line \`${absent}\`` };
  const present = without.find((pattern) => lines.some((each) => fitsName(pattern, each)));
  return present === undefined ? undefined : { text: `${file} still has a line \`${present}\`` };
}

const cannotTell = (file: string): Lack => ({ text: `what ${file} says cannot be told`, why: "untold" });

function keyLack(condition: Extract<Condition, { is: "key" }>, look: Look): Lack | undefined {
  const glob = inFolder(condition.file, look.dir);
  const name = condition.key.join(".");
  const [file] = look.moment.files(glob);
  const content = file === undefined ? "missing" : look.moment.content(file);
  if (file === undefined || content === "missing") return { text: `${glob} is missing` };
  if (content === "untold") return cannotTell(file);
  const read = keyIn(file, content.text, condition.key, look.yaml);
  if ("error" in read) return { text: `${file} cannot be read (${read.error})`, why: "untold" };
  const value = JSON.stringify(read.value ?? null);
  const isOne = (values: readonly unknown[]): boolean =>
    values.some((each) => JSON.stringify(each) === value);
  const { values, isNot } = condition;
  if (values.length > 0 && !isOne(values))
    return {
      text: `${name} of ${file} is ${value.slice(0, 80)}, not ${values.map((each) => JSON.stringify(each)).join(" or ")}`,
    };
  if (isOne(isNot)) return { text: `${name} of ${file} is ${value.slice(0, 80)}` };
  return values.length + isNot.length === 0 && read.value === undefined
    ? { text: `${file} has no ${name}` }
    : undefined;
}

const isSight = (seen: Seen, { watch, result }: Sight): boolean =>
  seen.watch === watch && (result === undefined || seen.result === result);

function lastLack(
  { sight, after }: Extract<Condition, { is: "last" }>,
  seen: readonly Seen[],
): Lack | undefined {
  const at = seen.findLastIndex(({ watch }) => watch === sight.watch);
  const last = seen[at];
  if (!last) return { text: `${sight.watch} has not been seen` };
  if (!isSight(last, sight))
    return { text: `${sight.watch} ${last.result ?? "ended nobody knows how"} the last time` };
  const later = seen.slice(at + 1).find(({ watch }) => after.includes(watch));
  return later && { text: `${later.watch} was seen after the last ${sight.watch}` };
}

const sayOf = ({ watch, result }: Sight): string => (result === undefined ? watch : `${watch} ${result}`);

/** A condition in a few words, for people. */
export function sayCondition(condition: Condition): string {
  switch (condition.is) {
    case "file":
      return [
        condition.file,
        ...condition.line.map((each) => `with \`${each}\``),
        ...condition.without.map((each) => `without \`${each}\``),
      ].join(" ");
    case "absent":
      return `no ${condition.file}`;
    case "key": {
      const { values, isNot } = condition;
      const is = values.length === 0 ? "" : ` is ${values.map((each) => JSON.stringify(each)).join(" or ")}`;
      const not =
        isNot.length === 0 ? "" : ` is not ${isNot.map((each) => JSON.stringify(each)).join(" or ")}`;
      return `${condition.key.join(".")} of ${condition.file}${is}${not}`;
    }
    case "branch":
      return `the branch is ${condition.branch.join(" or ")}`;
    case "seen":
      return `${sayOf(condition.sight)} was seen`;
    case "last":
      return `${sayOf(condition.sight)} the last time${condition.after.length === 0 ? "" : `, and no ${condition.after.join(" or ")} since`}`;
    case "tests":
      return `\`${condition.run[0] ?? ""}\` passed after the last edit`;
    case "tree":
      return "everything is committed";
    case "pushed":
      return "everything is pushed";
    case "updated":
      return `${condition.file} was updated`;
    case "todos":
      return `nothing left to do${condition.file === undefined ? "" : ` by ${condition.file}`}`;
    case "state":
      return `${condition.workflow} is at ${condition.states.join(" or ")}`;
    case "any":
      return condition.of.map(sayCondition).join(", or ");
    case "not":
      return `not ${sayCondition(condition.of)}`;
  }
}
