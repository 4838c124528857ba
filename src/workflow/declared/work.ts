import type { Todo } from "../../core/action.ts";
import { checklistIn } from "../checklist.ts";
import type { Lack, Look } from "./conditions.ts";
import { fitsGlob } from "./glob.ts";
import type { Condition } from "./model.ts";
import type { GitAnswers } from "./moment.ts";

type Of<Is extends Condition["is"]> = Extract<Condition, { is: Is }>;

/** Nothing was edited, or the last run passed and nothing was edited since. */
export function testsLack({ run, watch, source }: Of<"tests">, { seen }: Look): Lack | undefined {
  const edited = seen.findLastIndex((each) => each.watch === source);
  if (edited === -1) return undefined;
  const ran = seen.findLastIndex((each) => each.watch === watch);
  const command = `\`${run[0] ?? ""}\``;
  const last = seen[ran];
  if (!last) return { text: `${command} has not been run since files were edited` };
  if (last.result === undefined)
    return {
      text: `nobody can tell how ${command} ended: it has to be run by itself, with nothing behind it that has the last word`,
    };
  if (last.result !== "passed") return { text: `${command} failed the last time` };
  return edited > ran ? { text: `files were edited after ${command} had passed` } : undefined;
}

export function treeLack({ moment: { git } }: Look): Lack | undefined {
  const changed = git.changed();
  if (!changed) return untold(git, "whether everything is committed");
  return changed.length === 0 ? undefined : { text: `not committed: ${some(changed)}` };
}

export function pushedLack({ moment }: Look): Lack | undefined {
  const unpushed = moment.git.unpushed();
  if (!unpushed) return untold(moment.git, "whether everything is pushed");
  const { hasRemote, commits } = unpushed;
  if (commits === 0) return undefined;
  if (!hasRemote) return { text: "there is no remote to push to", why: "beyond" };
  const name = moment.branch();
  const where = name === undefined ? "no branch is checked out" : `the branch is ${name}`;
  return { text: `not pushed: ${commits} commit${commits === 1 ? "" : "s"} (${where})` };
}

export function updatedLack(
  { file, others, watches }: Of<"updated">,
  { seen, moment: { git } }: Look,
): Lack | undefined {
  if (watches) {
    const saw = (name: string): boolean => seen.some(({ watch }) => watch === name);
    return saw(watches.file) || !saw(watches.others)
      ? undefined
      : { text: `${file} was not updated in this session` };
  }
  const changes = git.branchChanges();
  if (!changes) return untold(git, `whether ${file} was updated`);
  if (changes.files.some((path) => fitsGlob(file, path))) return undefined;
  const changed = changes.files.filter((path) => others.some((glob) => fitsGlob(glob, path)));
  if (changed.length === 0) return undefined;
  const since = changes.base === "" ? "" : ` since ${changes.base}`;
  return {
    text: `${file} was not updated, and ${some(changed)} ${changed.length === 1 ? "was" : "were"}${since}`,
  };
}

export function todosLack({ file }: Of<"todos">, look: Look): Lack | undefined {
  if (file === undefined) return openLack(look.todos(), "to do");
  const content = look.moment.content(file);
  if (content === "untold") return { text: `what ${file} says cannot be told`, why: "untold" };
  return content === "missing" ? undefined : openLack(checklistIn(content.text), `to do by ${file}`);
}

function openLack(list: readonly Todo[], what: string): Lack | undefined {
  const open = list.filter(({ done }) => !done);
  const named = open.map(({ text, id }) => text || (id === undefined ? "something" : `number ${id}`));
  return open.length === 0 ? undefined : { text: `still ${what}: ${some(named)}` };
}

/** Nobody can do anything about it here, so nobody is held for it. */
const untold = (git: GitAnswers, what: string): Lack => ({
  text: git.isRepository()
    ? `git cannot tell ${what}, or not in time`
    : `there is no git repository to tell ${what}`,
  why: "beyond",
});

/** The first few of them. */
function some(names: readonly string[]): string {
  const shown = names.slice(0, 3).map((name) => name.replace(/\s+/g, " ").slice(0, 80));
  return [shown.join(", "), ...(names.length > 3 ? [`and ${names.length - 3} more`] : [])].join(" ");
}
