import { frontmatterIn } from "../../workflow/markdown.ts";
import { feedbackBatches, tasksOf, wavesOf } from "../../workflow/ralph-documents.ts";
import { batchFlaws } from "../../workflow/ralph-feedback.ts";
import { iterationsIn } from "../../workflow/ralph-iteration.ts";
import { iterationFiles } from "../../workflow/ralph-layout.ts";
import { currentStatuses, newProgress, readProgress, withStatus } from "../../workflow/ralph-progress.ts";
import type { Examined, Flaw } from "./doctor.ts";

/** Progress, task files and feedback against each other. */
export async function taskFlaws(session: Examined): Promise<Flaw[]> {
  return [
    ...(await progressFlaws(session)),
    ...doubleStatus(session),
    ...circles(session),
    ...feedback(session),
  ];
}

async function progressFlaws({ folder, iteration, world, schema }: Examined): Promise<Flaw[]> {
  const path = iterationFiles(folder, iteration).progress;
  const file = `iterations/${iteration}/progress.md`;
  const text = world.read(path);
  const files = [...tasksOf(folder, iteration, world).keys()];
  if (text === undefined) {
    if (world.stat(`${folder}/progress.md`)) return [];
    return [
      {
        file,
        text: "is missing",
        fix: [{ do: "replace", path, text: newProgress(iteration, files), was: null }],
      },
    ];
  }
  const lines = currentStatuses(readProgress(text).tasks);
  const missing = [...lines]
    .filter(([id]) => !files.includes(id))
    .map(([id, { status }]) => ({ id, status }));
  const undefinedTasks = missing.filter(({ status }) => " /P".includes(status));
  const forgotten = missing.filter(({ status }) => status === "x");
  const unlisted = files.filter((id) => !lines.has(id));
  let mended = text.replaceAll(/^(\s*- )\[[Xv✓✔✅]\]( task-\d+)/gmu, "$1[x]$2");
  for (const { id } of undefinedTasks)
    mended = withStatus(mended, id, "F", "(Task definition missing)") ?? mended;
  mended = withLines(
    mended,
    unlisted.map((id) => `- [ ] ${id}`),
  );
  const left = await schema(path, mended);
  const said = [
    ...(await schema(path, text)).map((each) => ({ text: each, mends: !left.includes(each) })),
    ...forgotten.map(({ id }) => ({ text: `${id} is done, but its tasks/${id}.md is gone`, mends: false })),
    ...undefinedTasks.map(({ id }) => ({
      text: `${id} has no tasks/${id}.md; it is marked [F] “Task definition missing”`,
      mends: true,
    })),
    ...unlisted.map((id) => ({ text: `tasks/${id}.md is not in progress.md`, mends: true })),
  ];
  const first = said.findIndex(({ mends }) => mends);
  return said.map(({ text: what, mends }, at): Flaw => {
    if (!mends) return { file, text: what };
    return { file, text: what, fix: at === first ? [{ do: "replace", path, text: mended, was: text }] : [] };
  });
}

/** Lines at the end of the section they belong to. */
function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const all = text.split("\n");
  const head = all.findIndex((line) => /^## Implementation Progress/i.test(line));
  const next = all.findIndex((line, at) => at > head && line.startsWith("## "));
  let end = head === -1 || next === -1 ? all.length : next;
  while (end > 0 && all[end - 1]?.trim() === "") end--;
  all.splice(end, 0, ...lines);
  return `${all.join("\n").trimEnd()}\n`;
}

/** The status of a task stands in progress.md alone. */
function doubleStatus({ folder, iteration, world }: Examined): Flaw[] {
  const { task } = iterationFiles(folder, iteration);
  return [...tasksOf(folder, iteration, world).keys()].flatMap((id): Flaw[] =>
    /^status:/m.test(frontmatterIn(world.read(task(id)) ?? "").yaml ?? "")
      ? [
          {
            file: `iterations/${iteration}/tasks/${id}.md`,
            text: "has a status of its own; progress.md is the place for it",
          },
        ]
      : [],
  );
}

/** Tasks that wait for each other never start. */
function circles({ folder, iteration, world }: Examined): Flaw[] {
  const tasks = tasksOf(folder, iteration, world);
  const planned = new Set(wavesOf(tasks).flat());
  const stuck = [...tasks.keys()].filter((id) => !planned.has(id));
  return stuck.length === 0
    ? []
    : [{ file: `iterations/${iteration}/tasks/`, text: `${stuck.join(", ")} wait for each other` }];
}

function feedback({ folder, world }: Examined): Flaw[] {
  return iterationsIn(folder, world).flatMap((iteration) =>
    batchFlaws(folder, iteration, feedbackBatches(folder, iteration, world), world).map((text) => ({
      file: `iterations/${iteration}/feedbacks/`,
      text,
    })),
  );
}
