import { expect, test } from "bun:test";
import { extract, isTag, numberIn } from "./signals.ts";

/** What the document's own `grep -oP '(?<=<promise>).*(?=</promise>)'` says. */
async function grep(text: string): Promise<string> {
  const child = Bun.spawn(["grep", "-oP", "(?<=<promise>).*(?=</promise>)"], {
    stdin: new TextEncoder().encode(text),
    stdout: "pipe",
  });
  return (await child.stdout.text()).trimEnd();
}

test("S4-R20 S4-C11 one pair on one line: the same as the document's grep", async () => {
  for (const text of ["<promise>COMPLETE</promise>", "So. <promise>NOT YET</promise> Bye.", "no promise"]) {
    expect(extract(text, "promise")[0] ?? "").toBe(await grep(text));
  }
});

test("S4-F16 S4-C11 elsewhere the grep goes wrong, and the first pair counts", async () => {
  const cases: [text: string, grepped: string, first: string][] = [
    ["<promise>A</promise> <promise>B</promise>", "A</promise> <promise>B", "A"],
    ["<promise>A</promise>\n<promise>B</promise>", "A\nB", "A"],
    ["<promise> COMPLETE </promise>", " COMPLETE", "COMPLETE"],
    ["<promise>\nCOMPLETE\n</promise>", "", "COMPLETE"],
    ["<promise>complete</promise>", "complete", "complete"],
  ];
  for (const [text, grepped, first] of cases) {
    expect(await grep(text)).toBe(grepped);
    expect(extract(text, "promise")[0]).toBe(first);
  }
});

test("S4-R21 a tag is taken out whatever stands around it", () => {
  expect(extract("Result <score>85</score>, <note>fine</note>", "score")).toEqual(["85"]);
  expect(extract("<a>1</a><a>2</a><a>3", "a")).toEqual(["1", "2"]);
  expect(extract("<score >85</score>", "score")).toEqual([]);
  expect(extract("<a></a>", "a")).toEqual([""]);
});

test("a million opening tags are no trouble", () => {
  const text = "<promise>".repeat(1_000_000);
  expect(extract(text, "promise")).toEqual([]);
  expect(extract(`${text}</promise>`, "promise")).toHaveLength(1);
});

test("what is a tag, and what is a number", () => {
  expect(["score", "my-tag", "a.b", "x1"].filter(isTag)).toHaveLength(4);
  expect(["", "1x", "a b", "a>", "../x"].filter(isTag)).toEqual([]);
  expect(["85", "-1.5", "1e3", "", "85%", "NaN", "Infinity"].map(numberIn)).toEqual([
    85,
    -1.5,
    1000,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
