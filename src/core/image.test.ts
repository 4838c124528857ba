import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Change } from "./action.ts";
import { imageAfter } from "./image.ts";
import { applyHunks, parsePatch } from "./patch.ts";
import { replayWorld } from "./world.ts";

const before = (text: string | undefined) =>
  replayWorld([{ ask: "read", of: "/f", ...(text === undefined ? {} : { answer: text }) }]);
const target = { given: "f", path: "/f", real: "/f" };
const after = (text: string | undefined, change: Change) =>
  imageAfter({ kind: "write", target, change }, before(text));
const edits = (...list: [string, string][]): Change => ({
  by: "edits",
  edits: list.map(([old, next]) => ({ old, new: next })),
});

describe("the post-image of an edit", () => {
  test("is the file with the edit applied", () => {
    expect(after("a b c", edits(["b", "B"]))).toEqual({ text: "a B c", whole: true });
    expect(after("a b c", edits(["b", "B"], ["B c", "!"]))).toEqual({ text: "a !", whole: true });
  });

  test("is nobody's to tell when an edit has more places than anybody edits at once", () => {
    expect(after("a".repeat(100_001), edits(["a", "b"]))).toBeUndefined();
    expect(after("a\r\n".repeat(100_001), edits(["a\n", "b"]))).toBeUndefined();
    expect(after("a".repeat(100_000), edits(["a", "b"]))?.text).toBe("b".repeat(100_000));
    expect(
      after("x".repeat(1000), edits(...Array.from({ length: 30 }, () => ["x", "xx"] as [string, string]))),
    ).toBe(undefined);
  });

  test("changes every occurrence, since nobody can tell which one is meant", () => {
    expect(after("x\nx\n", edits(["x", "y"]))).toEqual({ text: "y\ny\n", whole: true });
  });

  test("takes the new text literally", () => {
    expect(after("a", edits(["a", "$& $1 $$"]))).toEqual({ text: "$& $1 $$", whole: true });
  });

  test("does not care about line ends", () => {
    expect(after("a\r\nb\r\n", edits(["a\nb", "c"]))).toEqual({ text: "c\n", whole: true });
  });

  test("is only the new text when the file is missing or has no place for it", () => {
    expect(after(undefined, edits(["a", "b"], ["c", "d"]))).toEqual({ text: "b\nd", whole: false });
    expect(after("z", edits(["a", "b"]))).toEqual({ text: "b", whole: false });
  });

  test("with an empty old text makes a new file", () => {
    expect(after(undefined, edits(["", "new"]))).toEqual({ text: "new", whole: true });
  });
});

test("an insertion goes below its line, a whole text replaces all, the unknown stays unknown", () => {
  expect(after("1\n2\n", { by: "insert", line: 1, text: "new\n" })).toEqual({
    text: "1\nnew\n2\n",
    whole: true,
  });
  expect(after("1", { by: "text", text: "2" })).toEqual({ text: "2", whole: true });
  expect(after("1", { by: "unknown" })).toBeUndefined();
  expect(after("1", { by: "unknown", fragment: "piece" })).toEqual({ text: "piece", whole: false });
});

describe("a patch", () => {
  const patch = `*** Begin Patch
*** Add File: new.txt
+one
+two
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ class A
@@ method()
-  old
+  new
 kept
*** Delete File: gone.txt
*** End Patch
`;

  test("names every file it adds, changes, moves and deletes", () => {
    expect(parsePatch(patch)).toEqual([
      { kind: "add", path: "new.txt", text: "one\ntwo\n" },
      {
        kind: "update",
        path: "src/a.ts",
        moveTo: "src/b.ts",
        hunks: [{ below: ["class A", "method()"], old: ["  old", "kept"], new: ["  new", "kept"] }],
      },
      { kind: "delete", path: "gone.txt" },
    ]);
  });

  test("is found without its frame, with CRLF and with indented headings", () => {
    expect(
      parsePatch("*** Delete File: a\r\n  *** Update File: b\r\n-x\r\n+y").map((file) => file.path),
    ).toEqual(["a", "b"]);
    expect(parsePatch("no patch at all")).toEqual([]);
  });

  const hunks = (body: string) => {
    const [file] = parsePatch(`*** Update File: f\n${body}`);
    return file?.kind === "update" ? file.hunks : [];
  };

  test("is applied below its headings, in order, tolerant of white space", () => {
    const text = "class A\n  old\nclass B\n  old\n";
    expect(applyHunks(text, hunks("@@ class B\n-  old\n+  new"))).toBe("class A\n  old\nclass B\n  new\n");
    expect(applyHunks("a  \nb\n", hunks("@@\n-a\n+A\n b"))).toBe("A\nb\n");
    expect(applyHunks("a\n", hunks("@@\n+end"))).toBe("a\nend\n");
    expect(applyHunks("a\n", hunks("@@\n-nowhere\n+x"))).toBeUndefined();
  });

  test("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, base) => {
        for (const file of parsePatch(`*** Update File: f\n${text}`))
          if (file.kind === "update") applyHunks(base, file.hunks);
      }),
    );
  });
});
