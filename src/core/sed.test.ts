import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { sedResult } from "./sed.ts";

/** What sed itself makes of a text; nothing when it refuses the script. */
function real(text: string, script: string, extended = false): string | undefined {
  const ran = Bun.spawnSync(["sed", ...(extended ? ["-E"] : []), "--", script], {
    stdin: new TextEncoder().encode(text),
    env: { ...process.env, LC_ALL: "C.UTF-8" },
  });
  return ran.exitCode === 0 ? ran.stdout.toString() : undefined;
}

const progress =
  "# Progress\n\n- [ ] task-1\n- [/] task-2 (Attempt 1)\n- [P] task-10\n* [x] größe task-1 task-1\n\tTab.*[a]\n";

const basic = [
  "s/\\[ \\] task-1$/[x] task-1/",
  "s/^- \\[\\/\\] task-2.*/- [P] task-2 (review-pending)/",
  "s|\\[P\\] task-10|[x] task-10|",
  "s/task-1/TASK/g",
  "s/task-1/TASK/2",
  "s/t/T/2g",
  "s/TASK-\\([0-9]*\\)/id \\1!/I",
  "s/\\(\\[\\)\\(.\\)\\(\\]\\)/\\1\\2\\2\\3/",
  "s/[[:space:]]*$//",
  "s/[^[:alnum:]]/_/g",
  "s/q*/-/",
  "s/a\\+/A/g; s/s\\?k/K/",
  "s/a\\{1,2\\}/A/",
  "s/^/> /",
  "s/$/ end/",
  "s/./&&/3",
  "s/ö/oe/",
  "s/gr..e/size/",
  "s/\\bt/T/g",
  "s/\\<task\\>/job/g",
  "s/\\w\\+/w/2",
  "s/\\s/_/g",
  "s/\\t/TAB/",
  "s/a/b\\nc/",
  "s/*/star/",
  "s/.\\*/star/",
  "s/a^b$c/x/",
  "s/\\(a*\\)*/x/",
  "s/\\(.\\)\\1/<\\1>/g",
  "s,/,|,",
  "s/[]]/x/",
  "s/[^]]/x/",
  "s/[a-]/x/g",
  "s/[.*]/x/g",
  "s/\\./x/",
  "3d",
  "$d",
  "2,4d",
  "2!d",
  "/task-1$/d",
  "/task-1/!d",
  "/task-1$/,/task-10/d",
  "/task-1$/,4s/task/T/",
  "4,2s/task/T/",
  "3,$s/task/T/",
  "/Progress/I,3d",
  "/task-10/s/P/x/;s/task/T/",
  "/task-2/a - [ ] task-3",
  "1i # First",
  "/task-10/c - [x] task-10",
  "$a last",
  "s/a/&\\&/",
  "s/zzz/y/",
  "/^$/d",
  "/^#/,/^$/d",
];

const extendedOnes = [
  "s/^- \\[( |\\/)\\] (task-[0-9]+).*/- [x] \\2/",
  "s/\\[.\\] (task-[0-9]+)/[x] \\1/",
  "s/(a)(b)?/<\\1\\2>/g",
  "s/a{1,2}/A/",
  "s/s+k?/K/g",
  "s/\\(Attempt ([0-9])\\)/attempt \\1/",
  "s/(t)(a)(s)/\\3\\2\\1/g",
  "s/^$/empty/",
  "s/\\+|x/y/",
  "s/(ta|sk)+/y/",
];

describe("a script of sed does what sed does", () => {
  test.each(basic)("%s", (script) =>
    expect(sedResult(progress, script, false)).toBe(real(progress, script) ?? "?"),
  );

  test.each(extendedOnes)("-E %s", (script) => {
    const ours = sedResult(progress, script, true);
    // Of alternatives the longest counts, which is not followed.
    if (script.includes("|")) expect(ours).toBeUndefined();
    else expect(ours).toBe(real(progress, script, true) ?? "?");
  });

  test.each(["", "a", "a\nb", "\n", "a\n\n"])("on the text %j", (text) => {
    for (const script of ["s/a/b/", "$d", "1d", "s/^/x/", "$a z", "1i y", "2d"])
      expect([script, sedResult(text, script, false)]).toEqual([script, real(text, script)]);
  });

  test("whatever is put together from its pieces: the same, or not followed", () => {
    const piece = fc.constantFrom(
      ..."a b [ab] [^a] . * \\+ \\? \\(a\\) \\(b*\\) \\1 ^ $ \\{2\\} \\. \\b \\w [[:alpha:]] x 1 - \\n [].] +".split(
        " ",
      ),
    );
    const what = fc.array(piece, { minLength: 1, maxLength: 6 }).map((all) => all.join(""));
    const by = fc
      .array(fc.constantFrom("x", "&", "\\1", "-", "\\n", "\\&"), { maxLength: 3 })
      .map((all) => all.join(""));
    const flags = fc.constantFrom("", "g", "2", "2g", "I");
    const where = fc.constantFrom("", "2", "$", "1,2", "/a/", "/b/,$", "2!");
    const text = fc.array(fc.constantFrom(..."a b ab aab bb.- x1 A".split(" "), "", "ä+a"), { maxLength: 4 });
    fc.assert(
      fc.property(what, by, flags, where, text, (pattern, put, flag, address, lines) => {
        const script = `${address}s/${pattern}/${put}/${flag}`;
        const given = lines.map((line) => `${line}\n`).join("");
        const ours = sedResult(given, script, false);
        const theirs = real(given, script);
        // A script sed refuses changes nothing, so whatever we think of it does no harm.
        if (ours !== undefined && theirs !== undefined) expect([script, ours]).toEqual([script, theirs]);
      }),
      { numRuns: 400, seed: 20260215 },
    );
  });
});

test("nothing found between letters of more than a byte is not followed", () => {
  expect(sedResult("ab\n", "s/x*/-/g", false)).toBe("-a-b-\n");
  expect(sedResult("äb\n", "s/x*/-/g", false)).toBeUndefined();
});

test("what is not followed is not guessed", () => {
  for (const script of [
    "s/a/b/w out",
    "s/a/b/e",
    "s/a/b/p",
    "s//b/",
    "s/a\\|b/c/",
    "s/a/\\U&/",
    "y/a/b/",
    "N;s/a/b/",
    "/a/{s/a/b/}",
    "r file",
    "e date",
    ":x;s/a/b/;tx",
    "s/a/b",
    "s/[a/b/",
    "s/\\(a/b/",
    "0,/a/s/a/b/",
    "2~3d",
    "s/a/b/ nonsense",
    ".bak",
    "1,/a/c x",
  ])
    expect([script, sedResult("a\nb\n", script, false)]).toEqual([script, undefined]);
});

test("a pattern that would take for ever is given up", () => {
  const text = `${"a".repeat(5000)}\n`;
  for (const script of ["s/\\(a*\\)*b/x/", "s/a*a*a*a*b/x/", "s/\\(.*\\)\\(.*\\)\\(.*\\)b/x/"])
    expect(sedResult(text, script, false)).toBeUndefined();
  expect(sedResult(text, "s/^a*$/x/", false)).toBe("x\n");
});
