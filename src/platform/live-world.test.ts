import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { liveWorld } from "./live-world.ts";

const folder = mkdtempSync(join(tmpdir(), "hookline-world-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: string[]): string => join(folder, ...names);
mkdirSync(at("full/below"), { recursive: true });
mkdirSync(at("empty"));
for (const name of ["b", "a b", ".dot", "*", "[x]", "{y}", "é", "\\n", "below/deep"])
  writeFileSync(at("full", name), name);
writeFileSync(at("nothing"), "");
symlinkSync("/nowhere/at/all", at("full/dangling"));
symlinkSync("full", at("link"));
symlinkSync("full/b", at("to-file"));
Bun.spawnSync(["mkfifo", at("pipe")]);

const world = liveWorld({ HOME: folder });

describe("the live world", () => {
  test.each(["full", "empty", "link", "."])("lists all that is in a folder: %s", (name) => {
    expect(world.list(at(name))).toEqual(readdirSync(at(name)).toSorted());
  });

  test.each(["missing", "missing/below", "nothing", "nothing/below", "full/dangling"])(
    "what is no folder cannot be listed: %s",
    (name) => expect(world.list(at(name))).toBeUndefined(),
  );

  test.each([
    ["full", "directory"],
    ["link", "directory"],
    ["full/b", "file"],
    ["to-file", "file"],
    ["nothing", "file"],
    ["pipe", "other"],
  ] as const)("tells what %s is, links followed", (name, type) => {
    const { size, mtimeMs } = statSync(at(name));
    expect(world.stat(at(name))).toEqual({ type, size, modified: Math.floor(mtimeMs) });
  });

  test.each(["missing", "nothing/below", "full/dangling"])("what is not there is nothing: %s", (name) =>
    expect(world.stat(at(name))).toBeUndefined(),
  );

  test("what may not be looked at is an error, unless we may look at everything", () => {
    mkdirSync(at("locked/inside"), { recursive: true });
    chmodSync(at("locked"), 0);
    try {
      readdirSync(at("locked"));
      expect(world.list(at("locked"))).toEqual(["inside"]);
    } catch {
      expect(() => world.list(at("locked"))).toThrow("EACCES");
      expect(() => world.stat(at("locked/inside"))).toThrow("EACCES");
    } finally {
      chmodSync(at("locked"), 0o700);
    }
  });
});
