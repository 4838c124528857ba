import { ruleTester } from "../../testing/rule-tester.ts";

ruleTester("signals/require-signal", {
  catches: [
    {
      title: "S4-R21 the last value counts, and it is a number",
      event: "Stop",
      said: "<score>95</score> no, <score> 4 </score>",
      options: { tag: "score", min: 5, max: 10 },
      message: "short",
      data: { value: "4", expected: "at least 5 and at most 10" },
    },
    {
      title: "what is no number is not large enough",
      event: "Stop",
      said: "<score>85%</score>",
      options: { tag: "score", min: 1 },
      message: "short",
    },
    { title: "nothing was said at all", event: "Stop", options: { tag: "score" }, message: "missing" },
  ],
  allows: [
    {
      title: "an agent of another type",
      event: "SubagentStop",
      said: "x",
      options: { tag: "score", agents: ["reviewer"] },
    },
    { event: "SubagentStop", said: "<verdict>fail</verdict>", options: { tag: "verdict", values: ["fail"] } },
  ],
});
