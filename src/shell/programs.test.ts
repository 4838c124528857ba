import { describe, expect, test } from "bun:test";
import type { Effect } from "./model.ts";
import { effectsOf } from "./programs.ts";
import { codeReader, withReaders } from "./readers.ts";
import { unfold } from "./unfold.ts";

await withReaders(codeReader);

const place = { cwd: "/ws", home: "/home/u", root: "/ws" };

/** `delete d -r -f`, `write a >>`, `fetch https://h.test out`; `?` for what only running it would tell. */
function shown(effect: Effect): string {
  const place = "path" in effect ? effect.path : "url" in effect ? effect.url : undefined;
  const signs = effect.do === "delete" ? [effect.recursive && "-r", effect.force && "-f"] : [];
  if (effect.do === "write" && effect.append) signs.push(">>");
  if (effect.do === "fetch" && effect.sends) signs.push("out");
  return [effect.do, place ?? "?", ...signs.filter(Boolean)].join(" ");
}

const effects = (command: string): string[] =>
  unfold(command, place).runs.flatMap((run) => effectsOf(run).map(shown));

/** A command, and what it does to files and the network. */
const examples: readonly (readonly [command: string, ...effects: string[]])[] = [
  ["echo x > a", "write a"],
  ["echo x >> a", "write a >>"],
  ["cat < a", "read a"],
  ["tee a b", "write a", "write b"],
  ["tee -a a", "write a >>"],
  ["sed -i s/a/b/ f", "write f"],
  ["sed s/a/b/ f", "read f"],
  ["perl -i -pe s/a/b/ f", "write f"],
  ["perl -pi.bak -e s/a/b/ f", "write f"],
  ["cp a b", "read a", "write b"],
  ["cp -t d a b", "read a", "read b", "write d/a", "write d/b"],
  ["mv a b", "delete a -r", "write b"],
  ["install -m 755 a b", "read a", "write b"],
  ["install -d d", "write d"],
  ["ln -s a b", "write b"],
  ["link a b", "write a", "write b"],
  ["csplit -f out/x a 3", "read a", "write out/x"],
  ["csplit a 3", "read a", "write xx"],
  ["xxd a b", "read a", "write b"],
  ["ar r lib.a a.o", "write lib.a"],
  ["ar t lib.a"],
  ["history -w a", "write a"],
  ["/usr/bin/time -o a true", "write a"],
  ["strace -f -o a true", "write a"],
  ["script -qc true a", "write a"],
  ["script a -c true", "write a"],
  ["gdb -batch -ex 'shell echo x > a'", "write a"],
  ["curl -D a https://h.test", "fetch https://h.test", "write a"],
  ["curl --cookie-jar a https://h.test", "fetch https://h.test", "write a"],
  ["curl --trace a https://h.test", "fetch https://h.test", "write a"],
  ["curl -O --output-dir d file:///etc/hosts", "read /etc/hosts", "write d/hosts"],
  ["cmake -E touch a", "write a"],
  ["cmake -E copy a b", "read a", "write b"],
  ["cmake -E rename a b", "delete a -r", "write b"],
  ["cmake -E rm -rf a", "delete a -r -f"],
  ["cmake -S . -B out", "write out"],
  ["sqlite3 a.db 'create table t(a)'", "read a.db", "write a.db"],
  ["sqlite3 a.db 'select 1'", "read a.db"],
  ["echo 'drop table t;' | sqlite3 a.db", "read a.db", "write a.db"],
  ["sqlite3 :memory: \"select writefile('a','x')\"", "read :memory:", "write a"],
  ["printf '.output a\\nselect 1;' | sqlite3 x.db", "read x.db", "write a"],
  ["tclsh <<< 'set f [open a w]; puts $f x'", "write a"],
  ["view -c 'w! a' b", "read b", "write a", "read b"],
  ["view b", "read b"],
  ['node --eval=\'require("fs").writeFileSync("a", "x")\'', "write a"],
  ["bun exec 'echo x > a'", "write a"],
  ["python3 -m zipfile -c a.zip b", "write a.zip"],
  ["python3 -m tarfile --create a.tar b", "write a.tar"],
  ["python3 -m venv d", "write d"],
  ["python3 -m json.tool a b", "read a", "write b"],
  ["python3 -c 'import fileinput\nfor l in fileinput.input(\"a\", inplace=True): print(1)'", "write a"],
  ['python3 -c \'import os; os.link("a", "b")\'', "write a", "write b"],
  ["python3 -c 'import shelve; shelve.open(\"a\")'", "write a"],
  ["python3 -c 'import logging; logging.basicConfig(filename=\"a\")'", "write a >>"],
  ['perl -e \'$^I = ""; @ARGV = ("a"); print while <>\'', "write ?"],
  ["rsync -a a/ b", "read a/", "write b"],
  ["rsync -a --delete a/ b/", "read a/", "write b/.", "delete b/ -r"],
  ["dd if=a of=b", "read a", "write b"],
  ["truncate -s 0 a", "write a"],
  ["shred a", "write a"],
  ["shred -u a", "delete a -f"],
  ["touch a", "write a >>"],
  ["mkdir -p a/b", "write a/b"],
  ["rmdir a", "delete a"],
  ["unlink a", "delete a"],
  ["rm a", "delete a"],
  ["rm -rf a", "delete a -r -f"],
  ["chmod +x a", "write a"],
  ["chown u a", "write a"],
  ["chmod -x a", "write a"],
  ["tar xf a.tar", "write ."],
  ["tar xf a.tar -C d", "write d"],
  ["tar cf a.tar d", "read d", "write a.tar"],
  ["tar -cf - d", "read d"],
  ["unzip a.zip", "write ."],
  ["unzip a.zip -d d", "write d"],
  ["curl -o f https://h.test/a", "fetch https://h.test/a", "write f"],
  ["curl -O https://h.test/a", "fetch https://h.test/a", "write a"],
  ["curl https://h.test/a", "fetch https://h.test/a"],
  ["curl -d @f https://h.test", "fetch https://h.test out", "read f"],
  ["wget https://h.test/a", "fetch https://h.test/a", "write a"],
  ["wget -O f https://h.test/a", "fetch https://h.test/a", "write f"],
  ["git checkout -- a", "write a"],
  ["git checkout a.ts", "write a.ts"],
  ["git restore a", "write a"],
  ["git restore --staged a"],
  ["git clean -fd", "delete ? -r -f"],
  ["git reset --hard", "write ?"],
  ["git stash", "write ?"],
  ["git stash push -- a", "write a"],
  ["git rm a", "delete a"],
  ["git rm -r d", "delete d -r"],
  ["git apply p.diff", "patch p.diff"],
  ["git clean -fd sub", "delete sub -r -f"],
  ["git stash pop", "write ?"],
  ["patch -p1 < p.diff", "patch p.diff", "read p.diff"],
  ["patch a p.diff", "write a", "patch p.diff"],
  [
    "apply_patch '*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch'",
    "write a",
    "delete b",
  ],
  [
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n*** End Patch\nEOF",
    "write b",
    "delete a",
  ],
  ['apply_patch "$(cat p)"', "read p", "write ?"],
  ["cat p | applypatch", "read p", "write ?"],
  ["ed a", "write a"],
  ["ex -sc wq a", "write a", "read a"],
  ["vim -c wq a", "write a", "read a"],
  ["npm install x"],
  ["pip install x"],
  ["pip install --target d x", "write d"],
  ["apt-get install x"],
  ["brew install x"],
  ["cargo install x"],
  ["go install x@latest"],
  ["rm $x", "delete ?"],
  ["echo > $x", "write ?"],
  ["git -C d checkout -- a", "write d/a"],
  ["git --work-tree d checkout -- a", "write d/a"],
  ["git --git-dir d/.git reset --hard", "write ?"],
  ["git clean -fdx d", "delete d -r -f"],
];

describe("what a command does to files and the network", () => {
  for (const [command, ...expected] of examples)
    test(command, () => expect(effects(command)).toEqual(expected));
});

test("every program of the table of requirements has an example", () => {
  const programs =
    "tee sed perl cp mv install ln rsync dd truncate shred touch mkdir rmdir unlink rm chmod chown tar unzip curl wget git patch ed ex vim npm pip";
  const shownOnes = examples.map(([command]) => command.split(" ")[0]);
  expect(programs.split(" ").filter((program) => !shownOnes.includes(program))).toEqual([]);
});

test("cd, pushd and popd move the base directory along the text", () => {
  const folders = (command: string) => unfold(command, place).runs.map((run) => run.cwd);
  expect(folders("cd d && rm a")).toEqual(["/ws/d"]);
  expect(folders("pushd d; rm a; pushd e; rm b; popd; rm c; popd; rm d")).toEqual([
    "/ws/d",
    "/ws/d/e",
    "/ws/d",
    "/ws",
  ]);
  expect(folders("(cd d && rm a); rm b")).toEqual(["/ws/d", "/ws"]);
  expect(folders("cd $x && rm a")).toEqual([undefined]);
  expect(folders("popd; rm a")).toEqual([undefined]);
  expect(folders("CDPATH=/ cd srv && rm a")).toEqual(["/srv"]);
});
