import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Effect } from "../core/effect.ts";
import { liveWorld } from "../platform/live-world.ts";
import { carryOut } from "./effects.ts";

let around = "";
let root = "";
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "hookline-effects-")));
  root = join(around, "workspace");
  mkdirSync(root);
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

const at = (name: string): string => join(root, name);
const read = (name: string): string => readFileSync(at(name), "utf8");
/** What went wrong with each, if anything. */
const perform = (...effects: Effect[]): (string | undefined)[] =>
  carryOut(effects, root, liveWorld()).map(({ error }) => error);

describe("effects", () => {
  test("a file is taken once, reads as it shall at that moment, and its old name goes", () => {
    writeFileSync(at("a"), "as it was");
    const take: Effect = { do: "take", from: at("a"), path: at("done/a"), text: "as it is" };
    expect(perform(take, take)).toEqual([undefined, expect.stringContaining("is not there any more")]);
    expect([read("done/a"), existsSync(at("a"))]).toEqual(["as it is", false]);
    writeFileSync(at("a"), "another");
    expect(perform(take)).toEqual([expect.stringContaining("EEXIST")]);
    expect([read("done/a"), read("a")]).toEqual(["as it is", "another"]);
  });

  test("a log gets whole lines, folders on the way, and no secrets", () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    expect(
      perform(
        {
          do: "log",
          path: at("logs/a.jsonl"),
          entry: { n: 1, args: { command: `curl -H "Authorization: Bearer ${token}"` } },
        },
        { do: "log", path: at("logs/a.jsonl"), entry: { n: 2 } },
        { do: "append", path: at("logs/b.log"), text: `PASSWORD=${token}\n`, heading: "# B\n" },
        { do: "append", path: at("logs/b.log"), text: "two\n", heading: "# B\n" },
      ),
    ).toEqual([undefined, undefined, undefined, undefined]);
    const lines = read("logs/a.jsonl").split("\n");
    expect(lines.slice(0, 2).map((line) => JSON.parse(line).n)).toEqual([1, 2]);
    expect(lines[2]).toBe("");
    expect(read("logs/b.log")).toMatch(/^# B\nPASSWORD=\[masked:[\w-]+\]\ntwo\n$/);
    expect(read("logs/a.jsonl") + read("logs/b.log")).not.toContain(token);
  });

  test("a copy and a move never take what is there", () => {
    writeFileSync(at("a"), "one");
    writeFileSync(at("taken"), "mine");
    expect(perform({ do: "copy", from: at("a"), path: at("snap/a") })).toEqual([undefined]);
    expect(read("snap/a")).toBe("one");
    expect(perform({ do: "copy", from: at("a"), path: at("taken") })[0]).toContain("EEXIST");
    expect(perform({ do: "move", from: at("a"), path: at("taken") })[0]).toContain("EEXIST");
    expect(read("taken")).toBe("mine");
    const move: Effect = { do: "move", from: at("a"), path: at("b") };
    expect(perform(move)).toEqual([undefined]);
    expect([existsSync(at("a")), read("b")]).toEqual([false, "one"]);
    expect(perform({ ...move, path: at("c") })[0]).toContain("ENOENT");
  });

  test("a file is replaced only if it still reads as it did", () => {
    const first: Effect = { do: "replace", path: at("m.yaml"), text: "v: 1\n", was: null };
    expect(perform(first)).toEqual([undefined]);
    expect(perform(first)[0]).toContain("has changed in the meantime");
    expect(perform({ do: "replace", path: at("m.yaml"), text: "v: 2\n", was: "v: 1\n" })).toEqual([
      undefined,
    ]);
    expect(perform({ do: "replace", path: at("m.yaml"), text: "v: 3\n", was: "v: 1\n" })[0]).toContain(
      "has changed",
    );
    expect(read("m.yaml")).toBe("v: 2\n");
    expect(perform({ do: "replace", path: at("m.yaml"), text: "any\n" })).toEqual([undefined]);
    expect(read("m.yaml")).toBe("any\n");
    expect([...new Bun.Glob("*").scanSync(root)]).toEqual(["m.yaml"]);
  });

  test("nothing leads out of the workspace, to or from", () => {
    writeFileSync(join(around, "secret"), "s");
    symlinkSync(around, at("out"));
    const out = [
      { do: "log", path: at("out/x.jsonl"), entry: {} },
      { do: "copy", path: at("x"), from: at("out/secret") },
      { do: "move", path: at("out/x"), from: at("y") },
      { do: "replace", path: join(around, "x"), text: "" },
      { do: "make-directory", path: at("out/folder") },
    ] satisfies Effect[];
    for (const error of perform(...out)) expect(error).toContain("leads out of the workspace");
    expect(existsSync(at("x"))).toBe(false);
  });

  test("a log that is no plain file is left alone", () => {
    mkdirSync(at("logs/a.jsonl"), { recursive: true });
    writeFileSync(at("real"), "");
    symlinkSync(at("real"), at("logs/b.jsonl"));
    expect(perform({ do: "log", path: at("logs/a.jsonl"), entry: {} })[0]).toContain("not a plain file");
    expect(perform({ do: "log", path: at("logs/b.jsonl"), entry: {} })[0]).toContain("not a plain file");
    expect(read("real")).toBe("");
  });
});
