import { describe, expect, test } from "bun:test";
import { readInvocation } from "./ralph-invocation.ts";
import { growsTooFast, repeated } from "../testing/growth.ts";

/** `EXECUTE TASK_REVIEW / task-1`: the modes and the tasks of a call. */
const read = (text: string, reach?: "lines"): string => {
  const { modes, taskIds } = readInvocation(text, reach);
  return `${modes.join(" ")} / ${taskIds.join(" ")}`.trim();
};

const all = (cases: Readonly<Record<string, string>>): void => {
  const found = Object.fromEntries(Object.keys(cases).map((text) => [text, read(text)]));
  expect(found).toEqual(cases);
};

describe("where a key counts", () => {
  test("a key is read in every dress that a line of a prompt wears", () =>
    all({
      "MODE: EXECUTE\nTASK_ID: task-1": "EXECUTE / task-1",
      "MODE: EXECUTE\r\nTASK_ID: task-1\r\n": "EXECUTE / task-1",
      "MODE: EXECUTE\rTASK_ID: task-1": "EXECUTE / task-1",
      "\uFEFFMODE:EXECUTE": "EXECUTE /",
      "MODE : EXECUTE": "EXECUTE /",
      "\t  MODE: EXECUTE": "EXECUTE /",
      "**MODE:** EXECUTE\n**TASK_ID:** task-1": "EXECUTE / task-1",
      "**MODE**: `EXECUTE`": "EXECUTE /",
      "__MODE__: _EXECUTE_": "EXECUTE /",
      "- **MODE**: EXECUTE\n- TASK_ID: task-1": "EXECUTE / task-1",
      "1. MODE: EXECUTE\n2) TASK_ID: task-1": "EXECUTE / task-1",
      "### MODE: EXECUTE": "EXECUTE /",
      "`MODE: EXECUTE`": "EXECUTE /",
      '"MODE: EXECUTE\nTASK_ID: task-1"': "EXECUTE / task-1",
      '{"MODE": "EXECUTE", "TASK_ID": "task-1"}': "EXECUTE / task-1",
      '{\n  "MODE": "EXECUTE",\n  "TASK_IDS": ["task-1", "task-2"]\n}': "EXECUTE / task-1 task-2",
      "MODE:\n- EXECUTE\n- UPDATE\n": "EXECUTE UPDATE /",
      "MODE:\nEXECUTE\nTASK_ID:\n\n* `task-1`\n* `task-2`\n": "EXECUTE / task-1 task-2",
      "MODE:\nTASK_ID: task-1\n- task-2": "/ task-1",
      "MODE:\nPlease go on.": "/",
    }));

  test("S0-F24 several keys share a line: a value ends at the next one", () =>
    all({
      "Do it. SESSION_PATH: .ralph-sessions/1/ MODE: EXECUTE TASK_ID: task-1 ATTEMPT_NUMBER: 1 ITERATION: 1":
        "EXECUTE / task-1",
      "MODE: brainstorm CYCLE=2": "brainstorm /",
      "MODE: EXECUTE, TASK_ID: task-1; ITERATION: 1": "EXECUTE / task-1",
      "MODE: EXECUTE | TASK_ID: task-1": "EXECUTE / task-1",
      "MODE: TASK_REVIEW for TASK_ID: task-1 REASON: after task-2": "TASK_REVIEW / task-1",
      "TASK_ID: task-1 ITERATION: 1 TASK_ID: task-3": "/ task-1 task-3",
      "TASK_ID: task-1 REASON: late MODE: TIMEOUT_FAIL": "TIMEOUT_FAIL / task-1",
      "DEPENDS_ON: task-2\nMODE_SELECT: UPDATE\nTASK_ID: task-1": "/ task-1",
      'task("Ralph-v2-Executor", "MODE: EXECUTE TASK_ID: task-1")': "EXECUTE / task-1",
    }));

  test("what a sentence says of a key does not count beside a line that has it", () =>
    all({
      "MODE: EXECUTE\nDo not use MODE: UPDATE here.": "EXECUTE /",
      "MODE: EXECUTE\n`MODE: UPDATE` is not for you.": "EXECUTE /",
      'MODE: EXECUTE\n"MODE: UPDATE" is not for you.': "EXECUTE /",
      "MODE: EXECUTE\nNOTE: later there will be MODE: UPDATE": "EXECUTE /",
      "MODE: INITIALIZE\nUSER_REQUEST: add a MODE: DARK switch": "INITIALIZE /",
      "MODE: EXECUTE\nMODE=production npm run build": "EXECUTE /",
      "MODE: EXECUTE\nif (MODE == 'UPDATE') stop();": "EXECUTE /",
      "MODE: EXECUTE\nmode: dark": "EXECUTE /",
      "Work in MODE: EXECUTE, not in `MODE: UPDATE`.": "EXECUTE /",
      "MODE: UPDATE\nThe reports of `TASK_ID: task-1` and “TASK_ID: task-2” are in.": "UPDATE /",
      "You are the executor. MODE: EXECUTE\nTASK_ID: task-1": "EXECUTE / task-1",
      "MODE=EXECUTE TASK_ID=task-1": "EXECUTE / task-1",
      "Mode: execute\nTASK_ID: task-1": "execute / task-1",
      "The page has a dark mode: on.": "/",
      "task_id: task-1\ntask_id: task-2": "/",
    }));

  test("a code block or a quotation counts only when there is nothing else", () =>
    all({
      "```\nMODE: EXECUTE\nTASK_ID: task-1\n```": "EXECUTE / task-1",
      "> MODE: EXECUTE\n> TASK_ID: task-1": "EXECUTE / task-1",
      "MODE: UPDATE\n```yaml\nMODE: X\nTASK_ID: task-1\nTASK_ID: task-2\n```\n": "UPDATE /",
      "MODE: UPDATE\n~~~\n```\nMODE: X\n~~~\nTASK_ID: task-1": "UPDATE / task-1",
      "````\n```\nMODE: X\n````\nMODE: UPDATE": "UPDATE /",
      "MODE: UPDATE\n> MODE: X": "UPDATE /",
      "MODE: UPDATE\n```\nMODE: X": "UPDATE /",
      "```MODE: EXECUTE```\nTASK_ID: task-1": "EXECUTE / task-1",
    }));

  test("with the reach of lines nothing else is looked at", () => {
    expect(read("MODE: A\nMODE: B\nTASK_ID: task-1 TASK_ID: task-2", "lines")).toBe("A B / task-1 task-2");
    for (const text of [
      "Compare MODE: A with MODE: B",
      "```\nMODE: A\n```",
      "Mode: a",
      "MODE=a",
      "> MODE: A",
    ])
      expect([text, read(text, "lines")]).toEqual([text, "/"]);
  });
});

describe("what a value says", () => {
  test("modes in a list are several, the words of a sentence are none", () =>
    all({
      "MODE: EXECUTE, TASK_REVIEW": "EXECUTE TASK_REVIEW /",
      "MODE: EXECUTE, REVIEW": "EXECUTE REVIEW /",
      "MODE: EXECUTE/REVIEW": "EXECUTE REVIEW /",
      "MODE: EXECUTE + REVIEW": "EXECUTE REVIEW /",
      "MODE: EXECUTE -> REVIEW": "EXECUTE REVIEW /",
      "MODE: EXECUTE and then TASK_REVIEW": "EXECUTE TASK_REVIEW /",
      "MODE: EXECUTE TASK_REVIEW": "EXECUTE TASK_REVIEW /",
      "MODES: [EXECUTE, UPDATE]": "EXECUTE UPDATE /",
      "MODE: brainstorm, research": "brainstorm research /",
      "MODE: EXECUTE, TASK_REVIEW for both": "EXECUTE TASK_REVIEW /",
      "MODE: SESSION REVIEW": "SESSION /",
      "MODE: UPDATE API docs": "UPDATE /",
      "MODE: EXECUTE, TDD style": "EXECUTE /",
      "MODE: EXECUTE, please": "EXECUTE /",
      "MODE: EXECUTE, then write the report.": "EXECUTE /",
      "MODE: EXECUTE (not UPDATE, not RESEARCH)": "EXECUTE /",
      "MODE: EXECUTE. UPDATE comes later": "EXECUTE /",
      "MODE: EXECUTE — UPDATE comes later": "EXECUTE /",
      "MODE: EXECUTE # or UPDATE": "EXECUTE /",
      "MODE: EXECUTE ✅": "EXECUTE /",
      "MODE: feedback-analysis": "feedback-analysis /",
      "MODE: <EXECUTE>": "EXECUTE /",
      "MODE: none": "/",
      "MODE: N/A": "/",
      "MODE:": "/",
    }));

  test("S0-C2 the same mode again, in whatever letters, is the same mode", () =>
    all({
      "MODE: brainstorm\nMODE: BRAINSTORM": "brainstorm /",
      "MODE: EXECUTE MODE: EXECUTE": "EXECUTE /",
      "TASK_ID: task-1\nTASK_ID: Task-1": "/ task-1",
    }));

  test("S0-R84 tasks in a list are several, one in a remark is not", () =>
    all({
      "TASK_ID: task-1, task-2": "/ task-1 task-2",
      "TASK_ID: task-1,task-2;task-3": "/ task-1 task-2 task-3",
      "TASK_ID: [`task-1`, `task-2`]": "/ task-1 task-2",
      "TASK_ID: (task-1, task-2)": "/ task-1 task-2",
      "TASK_ID: task-1 and task-2": "/ task-1 task-2",
      "TASK_ID: both task-1 and task-2": "/ task-1 task-2",
      "TASK_ID: task-1 task-2": "/ task-1 task-2",
      "TASK_ID: task-1/task-2": "/ task-1 task-2",
      "TASK_ID: task-1..task-3": "/ task-1 task-3",
      "TASK_ID: T-101, T-102": "/ T-101 T-102",
      "TASK_ID: 1, 2": "/ 1 2",
      "TASK_ID: task-1 (depends on task-2)": "/ task-1",
      "TASK_ID: task-1 which depends on task-2": "/ task-1",
      "TASK_ID: task-1 — after task-2": "/ task-1",
      "TASK_ID: task-1, 2nd attempt": "/ task-1",
      "TASK_ID: task-1.": "/ task-1",
      "TASK_ID: tasks/task-1.md": "/ task-1",
      "TASK_ID: none (see task-1, task-2)": "/",
      "TASK_ID: N/A": "/",
    }));
});

test("time grows with the length and not faster", () => {
  const seeds = [
    ..."` * A _ ( - # .".split(" "),
    ..." \n>",
    "MODE",
    "MODE: ",
    "MODE: A ",
    "MODE: A, ",
    "`MODE: A",
    '"MODE": ',
    "MODE:\n",
    "- MODE:\n",
    "- a TASK_ID:\n",
    "TASK_ID: task-1 ",
    "task-1, ",
    "```\n",
    "```MODE: A",
    "A_A ",
  ];
  const slow = seeds.flatMap((seed) =>
    ["", "MODE: A", "TASK_ID: task-1", "MODE:\n", "`"].filter((before) =>
      growsTooFast(readInvocation, (kb) => `${before}${repeated(seed)(kb)}x`, 8),
    ),
  );
  expect(slow).toEqual([]);
});
