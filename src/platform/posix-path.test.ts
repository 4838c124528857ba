import { expect, test } from "bun:test";
import fc from "fast-check";
import { posix } from "node:path";
import * as own from "./posix-path.ts";

const piece = fc.constantFrom("", "/", "//", ".", "..", "...", "a", "b.ts", ".c", "a b", "ä", "~");
const path = fc
  .array(piece, { maxLength: 8 })
  .chain((pieces) =>
    fc
      .array(fc.boolean(), { minLength: pieces.length, maxLength: pieces.length })
      .map((slashes) => pieces.map((each, at) => each + (slashes[at] ? "/" : "")).join("")),
  );

test("paths are what node:path makes of them", () => {
  fc.assert(
    fc.property(path, path, path, (a, b, c) => {
      expect([a, b, c, own.resolve(a, b, c)]).toEqual([a, b, c, posix.resolve(a, b, c)]);
      expect([a, b, c, own.join(a, b, c)]).toEqual([a, b, c, posix.join(a, b, c)]);
      expect([a, b, own.relative(a, b)]).toEqual([a, b, posix.relative(a, b)]);
      expect([a, own.dirname(a)]).toEqual([a, posix.dirname(a)]);
      expect([a, own.basename(a)]).toEqual([a, posix.basename(a)]);
      expect([a, own.extname(a)]).toEqual([a, posix.extname(a)]);
      expect(own.isAbsolute(a)).toBe(posix.isAbsolute(a));
      // Node takes a slash at the end for part of the name when it looks for an end to cut off.
      if (!a.endsWith("/")) expect([a, own.basename(a, ".ts")]).toEqual([a, posix.basename(a, ".ts")]);
    }),
    { numRuns: 5000 },
  );
});

test("everything we take from node:path is there", async () => {
  const names = new Set<string>();
  for await (const file of new Bun.Glob("**/*.ts").scan({ cwd: `${import.meta.dir}/..`, absolute: true })) {
    if (file.endsWith(".test.ts")) continue;
    const text = await Bun.file(file).text();
    for (const [, type, list = ""] of text.matchAll(/^import (type )?\{([^}]*)\} from "node:path";$/gm))
      if (!type) for (const name of list.split(",")) names.add(name.trim());
    expect([file, /^import (?!type )[^{]*from "node:path"/m.test(text)]).toEqual([file, false]);
  }
  names.delete("");
  expect(names).toContain("join");
  expect([...names].filter((name) => !(name in own))).toEqual([]);
});
