import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { effectsOf } from "./programs.ts";
import { unfold } from "./unfold.ts";

const place = { cwd: "/ws", home: "/home/u", root: "/ws" };
const runs = (text: string) =>
  unfold(text, place).runs.map((run) => [run.program, ...run.args.map((arg) => arg.text)].join(" "));

describe("a command line unfolds to what will really run", () => {
  const cases: [string, string[]][] = [
    ["sudo -u root env A=1 nice -n 3 timeout 5 rm -rf /", ["rm -rf /"]],
    ["bash -c 'rm -rf \"$1\"' _ /", ["rm -rf /"]],
    ["D=/; rm -rf $D", ["rm -rf /"]],
    ["rm -rf ${X:-/}", ["rm -rf /"]],
    ["{rm,-rf,/}", ["rm -rf /"]],
    ["r'm' -r\"f\" $'\\x2f'", ["rm -rf /"]],
    ["rm${IFS}-rf${IFS}/", ["rm -rf /"]],
    ['a=(rm -rf /); "${a[@]}"', ["rm -rf /"]],
    ['f(){ rm -rf "$@"; }; f / /etc', ["rm -rf / /etc"]],
    ["alias x='rm -rf'; x /", ["rm -rf /"]],
    ["echo cm0gLXJmIC8= | base64 -d | sh", ["echo cm0gLXJmIC8=", "base64 -d", "rm -rf /"]],
    ["printf '\\x72\\x6d -rf /' | sh", ["printf \\x72\\x6d -rf /", "rm -rf /"]],
    ["find . -name '*.o' -exec rm {} \\;", ["find . -name *.o -exec rm {} ;", "rm ./*.o"]],
    ["echo / | xargs rm -rf", ["echo /", "rm -rf /"]],
    ["git -c alias.x='!rm -rf /' x", ["git -c alias.x=!rm -rf / x", "rm -rf /"]],
    ["for d in a b; do rm $d; done", ["rm a", "rm b"]],
    ["if true; then rm a; else rm b; fi", ["true", "rm a", "rm b"]],
    ["echo 'rm -rf ~' > x.sh; bash x.sh", ["echo rm -rf ~", "bash x.sh", "rm -rf /home/u"]],
    ["trap 'rm -rf \"$T\"' EXIT; T=/tmp/x", ["rm -rf /tmp/x"]],
    [
      "python3 -c \"import os; os.system('rm -rf /')\"",
      ["python3 -c import os; os.system('rm -rf /')", "rm -rf /"],
    ],
  ];
  for (const [text, expected] of cases) test(text, () => expect(runs(text)).toEqual(expected));

  test("words that are data stay data", () => {
    for (const text of [
      "echo 'rm -rf /'",
      "git commit -m 'rm -rf /'",
      "grep -r 'rm -rf /' .",
      "cat <<'EOF'\nrm -rf /\nEOF",
    ]) {
      expect([text, unfold(text, place).runs.some((run) => run.program === "rm")]).toEqual([text, false]);
    }
  });

  test("the working directory moves along the text, and not out of a subshell", () => {
    const at = (text: string) => unfold(text, place).runs.map((run) => run.cwd);
    expect(at("cd src && rm a; (cd .. && rm b); rm c; cd /tmp; rm d")).toEqual([
      "/ws/src",
      "/ws",
      "/ws/src",
      "/tmp",
    ]);
    expect(at('cd "$X" && rm a')).toEqual([undefined]);
  });

  test("what cannot be followed is said", () => {
    expect(unfold("echo $(rm -rf /", place).troubles).toEqual(["part of the text is no complete command"]);
    expect(unfold("x".repeat(70_000), place).troubles).toEqual(["the text is too long"]);
    expect(unfold("$(".repeat(100), place).troubles).toEqual(["the text is nested too deep"]);
    expect(unfold("$CMD x", place).runs[0]?.opaque).toBe(true);
  });
});

describe("effects", () => {
  const effects = (text: string) =>
    unfold(text, place)
      .runs.flatMap(effectsOf)
      .map((effect) => `${effect.do} ${"path" in effect ? effect.path : "url" in effect ? effect.url : ""}`);
  const cases: [string, string[]][] = [
    ["sed -i s/a/b/ x.txt", ["write x.txt"]],
    ["sed s/a/b/ x.txt", ["read x.txt"]],
    ["cp -t dir a b", ["read a", "read b", "write dir/a", "write dir/b"]],
    ["mv a b", ["delete a", "write b"]],
    ["echo x | tee -a y > z", ["write y", "write z"]],
    ["dd if=a of=b", ["write b", "read a"].toSorted((a, b) => (a < b ? -1 : 1))],
    ["tar xzf a.tgz -C out", ["write out"]],
    ["curl -o f https://e.test/x", ["fetch https://e.test/x", "write f"]],
    ["git clone https://e.test/r.git", ["fetch https://e.test/r.git", "write r"]],
    ['rm -rf "$X"', ["delete "]],
  ];
  for (const [text, expected] of cases) test(text, () => expect(effects(text)).toEqual(expected));
});

describe("whatever the text", () => {
  const wrapper = fc.constantFrom(
    "sudo ",
    "env A=1 ",
    "nohup ",
    "nice -n 5 ",
    "timeout 9 ",
    "time ",
    "command ",
    "exec ",
    "setsid ",
    "stdbuf -oL ",
    "ionice -c 3 ",
    "doas ",
    "busybox ",
    "xargs -r ",
  );
  const outer = fc.constantFrom(
    (text: string) => text,
    (text: string) => `( ${text} )`,
    (text: string) => `true && ${text}`,
    (text: string) => `if true; then ${text}; fi`,
    (text: string) => `x=$( ${text} )`,
    (text: string) => `bash -c '${text.replaceAll("'", `'\\''`)}'`,
    (text: string) => `eval '${text.replaceAll("'", `'\\''`)}'`,
    (text: string) => `for i in 1; do ${text}; done`,
    (text: string) => `cat <( ${text} )`,
  );

  test("a command stays what it is in any chain of wrappers", () => {
    fc.assert(
      fc.property(
        fc.array(wrapper, { maxLength: 4 }),
        fc.array(outer, { maxLength: 3 }),
        (wrappers, outers) => {
          const text = outers.reduce((inner, wrap) => wrap(inner), `${wrappers.join("")}rm -rf /`);
          expect(
            unfold(text, place).runs.some(
              (run) => run.program === "rm" && run.args.some((arg) => arg.text === "/"),
            ),
          ).toBe(true);
        },
      ),
    );
  });

  test("a quoted text is one word and runs nothing", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[ -&(-~]{1,60}$/), (word) => {
        const { runs: found } = unfold(`echo '${word}'`, place);
        expect(found.map((run) => run.program)).toEqual(["echo"]);
        expect(found[0]?.args.map((arg) => arg.text)).toEqual([word]);
      }),
    );
  });

  test("nothing throws", () => {
    const shellish = fc.array(
      fc.constantFrom(
        "$(",
        ")",
        "`",
        "'",
        '"',
        "{",
        "}",
        "|",
        "&&",
        ";",
        "<<E\n",
        "\nE\n",
        "rm",
        "-rf",
        "/",
        "$x",
        "${x:-",
        "a=(",
        "((",
        "))",
        "[[",
        "]]",
        "if ",
        "fi",
        "for i in ",
        "do ",
        "done",
        "\\",
        "\n",
        " ",
        "~",
        "*",
        "find . -exec ",
        "xargs ",
        "bash -c ",
        "eval ",
      ),
      { maxLength: 60 },
    );
    fc.assert(fc.property(fc.string(), (text) => void unfold(text, place).runs.map(effectsOf)));
    fc.assert(
      fc.property(shellish, (parts) => void unfold(parts.join(""), place).runs.map(effectsOf)),
      { numRuns: 500 },
    );
  });
});
