import { ruleTester } from "../../testing/rule-tester.ts";

const file = ".claude/ralph-loop.local.md";
const path = `<workspace>/${file}`;
const body = "\n\nShip it.\n\n---\n\nThen rest.\n";
const head = (...lines: string[]): string => `---\n${lines.join("\n")}\n---${body}`;
const loop = head("iteration: 2", "max_iterations: 0", 'completion_promise: "ALL DONE"', "started: today");
const at = (text: string) => ({ event: "Stop", files: { [file]: text } }) as const;
const removed = [{ do: "remove", path }] as const;
const next = [
  { do: "replace", path, was: loop, text: loop.replace("iteration: 2", "iteration: 3") },
] as const;

ruleTester("signals/promise-loop", {
  catches: [
    {
      title: "S4-F14 another round: the same prompt, whole, and the next number",
      ...at(loop),
      said: "Half of it.",
      message: "again",
      outcome: "block",
      data: { prompt: "Ship it.\n\n---\n\nThen rest." },
      effects: next,
    },
    {
      title: "S4-F14 only the first of several promises counts",
      ...at(loop),
      said: "<promise>SOON</promise> <promise>ALL DONE</promise>",
      message: "again",
    },
    {
      title: "S4-F14 letter case counts",
      ...at(loop),
      said: "<promise>All Done</promise>",
      message: "again",
    },
    {
      title: "S4-F14 an opening tag without an end is no promise",
      ...at(loop),
      said: "<promise>ALL DONE",
      message: "again",
    },
    {
      title: "S4-F14 a promise is text, not a pattern",
      ...at(loop.replace("ALL DONE", "A.*")),
      said: "<promise>ALL</promise>",
      message: "again",
    },
    {
      title: "S4-F14 without a promise to make nothing ends the loop but its cap",
      ...at(loop.replace('"ALL DONE"', "null")),
      said: "<promise>null</promise>",
      message: "again",
    },
    ...["iteration: two", "iteration: -1", "iteration: 1.5", ""].map((line) => ({
      title: `S4-F14 a state file is removed that says ${line || "nothing of its iteration"}`,
      ...at(head(line, "max_iterations: 3")),
      said: "x",
      message: "broken",
      outcome: "warn" as const,
      effects: removed,
    })),
    {
      title: "S4-F14 a state file is removed whose cap is no number",
      ...at(head("iteration: 1", "max_iterations: many")),
      said: "x",
      message: "broken",
      effects: removed,
    },
    {
      title: "a state file without a head",
      ...at("Ship it."),
      said: "x",
      message: "broken",
      effects: removed,
    },
    {
      title: "a state file without a prompt",
      ...at("---\niteration: 1\nmax_iterations: 2\n---\n"),
      said: "x",
      message: "broken",
      effects: removed,
    },
    {
      title: "S4-F14 no transcript and no word of the agent",
      ...at(loop),
      message: "broken",
      outcome: "warn",
      effects: removed,
    },
    {
      title: "S4-F14 an agent that said nothing",
      ...at(loop),
      said: " \n",
      message: "broken",
      effects: removed,
    },
    {
      title: "S4-F14 the cap is reached, promise or not",
      ...at(head("iteration: 3", "max_iterations: 3", "completion_promise: X")),
      said: "<promise>X</promise>",
      message: "capped",
      outcome: "warn",
      effects: removed,
    },
    {
      title: "the policy caps a loop without an end",
      ...at(loop),
      said: "x",
      options: { maxIterations: 2 },
      message: "capped",
    },
    {
      title: "with line ends of Windows",
      ...at(loop.replaceAll("\n", "\r\n")),
      said: "x",
      message: "again",
      data: { prompt: "Ship it.\n\n---\n\nThen rest." },
    },
  ],
  allows: [
    {
      title: "S4-C11 a promise over two lines with spaces around it",
      ...at(loop),
      said: "So:\n<promise>\n  ALL\n  DONE </promise>\nBye.",
      effects: removed,
    },
    {
      title: "S4-R19 S4-R20 the promise that was asked for",
      ...at(loop.replace("ALL DONE", "COMPLETE")),
      said: "<promise>COMPLETE</promise>",
      effects: removed,
    },
    {
      title: "another session's loop",
      ...at(head("iteration: 1", "max_iterations: 3", "session_id: other")),
      session: "mine",
      said: "x",
      effects: [],
    },
  ],
});
