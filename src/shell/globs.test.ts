import { expect, test } from "bun:test";
import { hasPattern, isName, mayBe, writtenOut } from "./globs.ts";

test("a pattern may be a path, segment by segment", () => {
  for (const [pattern, path, expected] of [
    ["/home/u/.a[w]s/cred*", "/home/u/.aws/credentials", true],
    ["/home/u/.s*/id_r??", "/home/u/.ssh/id_rsa", true],
    ["/???/shadow", "/etc/shadow", true],
    ["/etc/*", "/etc/ssh/key", false],
    ["/home/u/*/id_rsa", "/home/u/.ssh/id_rsa", false],
    ["/home/u/[.]ssh/id_rsa", "/home/u/.ssh/id_rsa", true],
    ["/home/u/[!a]ssh/id_rsa", "/home/u/.ssh/id_rsa", false],
    ["/ws/**/settings.json", "/ws/a/b/settings.json", true],
    ["/ws/**/settings.json", "/ws/.claude/settings.json", false],
    ["/ws/@(.env|a)", "/ws/.env", true],
    ["/ws/!(a)", "/ws/.env", true],
    ["/ws/[[:alpha:]]*", "/ws/a1", true],
    ["/ws/[a", "/ws/[a", true],
  ] as const)
    expect([pattern, path, mayBe(pattern, path)]).toEqual([pattern, path, expected]);
  expect(isName("*.ts", "a.ts")).toBe(true);
  expect(hasPattern("/a/b")).toBe(false);
  expect(writtenOut(".a[bc]*?d")).toBe(3);
});

// The test runner's time limit is what these would run into.
test("patterns made to be slow are not", () => {
  expect(mayBe(`/${"*a".repeat(60)}b`, `/${"a".repeat(300)}`)).toBe(false);
  expect(mayBe(`${"/**".repeat(12)}/x`, "/a".repeat(30))).toBe(false);
  expect(mayBe("@(a|b)".repeat(20), "a".repeat(20))).toBe(false);
});
