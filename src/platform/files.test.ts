import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLocked, openLockedByFile } from "./files.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookline-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

for (const [name, open] of [
  ["by the system's lock", openLocked],
  ["by a file beside it", openLockedByFile],
] as const) {
  describe(`a file is opened for one writer at a time, ${name}`, () => {
    const path = () => join(folder, "x");
    const opened = () => {
      const file = open(path());
      if (typeof file === "string") throw new Error(file);
      return file;
    };

    test("a second one is told that it is busy, until the first lets go", () => {
      writeFileSync(path(), "abc");
      const file = opened();
      expect(open(path())).toBe("busy");
      file.close();
      const next = opened();
      expect(next.size).toBe(3);
      next.close();
    });

    test("it reads from anywhere, adds to the end, and cuts", () => {
      writeFileSync(path(), "abc");
      const file = opened();
      expect(new TextDecoder().decode(file.read(1, 10))).toBe("bc");
      expect(file.append(new TextEncoder().encode("def"))).toBe(3);
      expect(readFileSync(path(), "utf8")).toBe("abcdef");
      file.cut(4);
      file.close();
      expect(readFileSync(path(), "utf8")).toBe("abcd");
    });

    test("what is missing, a folder or a link is not opened", () => {
      expect(open(path())).toBe("missing");
      mkdirSync(join(folder, "d"));
      expect(() => open(join(folder, "d"))).toThrow("not a plain file");
      writeFileSync(path(), "");
      symlinkSync(path(), join(folder, "l"));
      expect(() => open(join(folder, "l"))).toThrow("not a plain file");
    });
  });
}

test("the lock of somebody who died is taken over after a while", () => {
  const path = join(folder, "x");
  writeFileSync(path, "");
  writeFileSync(`${path}.lock`, "");
  expect(openLockedByFile(path)).toBe("busy");
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(`${path}.lock`, longAgo, longAgo);
  expect(openLockedByFile(path)).toBe("busy");
  expect(openLockedByFile(path)).toMatchObject({ size: 0 });
});
