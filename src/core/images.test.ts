import { describe, expect, test } from "bun:test";
import type { Action, Change, WriteAction } from "./action.ts";
import { imagesOf } from "./images.ts";
import { replayWorld } from "./world.ts";

const target = (path: string) => ({ given: path, path, real: path });
const write = (path: string, change: Change, from?: string): WriteAction => ({
  kind: "write",
  target: target(path),
  change,
  ...(from === undefined ? {} : { from: target(from) }),
});
const world = replayWorld([
  { ask: "read", of: "/f", answer: "a\n" },
  { ask: "read", of: "/g", answer: "g\n" },
  { ask: "read", of: "/new" },
  { ask: "read", of: "/folder", error: "is a directory" },
]);
const after = (...actions: Action[]) => {
  const images = imagesOf(actions, world);
  return actions.map((action) => (action.kind === "write" ? images.after(action) : undefined));
};
const append = (text: string): Change => ({ by: "append", text });

describe("the post-images of several writes", () => {
  test("what is put behind a file stands behind what is in it", () => {
    expect(after(write("/f", append("b\n")))).toEqual([{ text: "a\nb\n", whole: true, last: true }]);
    expect(after(write("/new", append("b\n")))).toEqual([{ text: "b\n", whole: true, last: true }]);
  });

  test("each goes on from what those before it have left, and only the last one is the end", () => {
    const edit: Change = { by: "edits", edits: [{ old: "x", new: "y" }] };
    expect(after(write("/f", { by: "text", text: "x" }), write("/g", append("")), write("/f", edit))).toEqual(
      [
        { text: "x", whole: true, last: false },
        { text: "g\n", whole: true, last: true },
        { text: "y", whole: true, last: true },
      ],
    );
  });

  test("what a copy or a move brings is known, also when the same call has just written it", () => {
    const unknown: Change = { by: "unknown" };
    expect(after(write("/f", unknown, "/g"))).toEqual([{ text: "g\n", whole: true, last: true }]);
    expect(after(write("/new", { by: "text", text: "n" }), write("/f", unknown, "/new"))[1]?.text).toBe("n");
    expect(after(write("/f", unknown, "/folder"))).toEqual([undefined]);
  });

  test("after something nobody can tell only a piece is known, or nothing", () => {
    const actions = [write("/f", { by: "unknown" }), write("/f", append("b"))];
    expect(after(...actions)).toEqual([undefined, { text: "b", whole: false, last: true }]);
    const sed: Change = { by: "sed", script: "s/a/b/", extended: false };
    expect(after(write("/f", { by: "unknown" }), write("/f", sed))[1]).toBeUndefined();
  });

  test("what was deleted before begins anew", () => {
    const remove: Action = { kind: "delete", target: target("/f"), recursive: false };
    expect(after(remove, write("/f", append("b")))[1]).toEqual({ text: "b", whole: true, last: true });
  });

  test("before a write is what the one in front of it has left", () => {
    const actions = [write("/f", append("b")), write("/f", append("c"))] as const;
    const images = imagesOf(actions, world);
    expect(actions.map((action) => images.before(action))).toEqual(["a\n", "a\nb"]);
  });
});
