// Libraries whose functions are called after what they run: `sh.rm("-rf", "x")`, `Repo(".").git.reset("--hard")`.
import { isOn } from "./_code-api.ts";
import { listOf, text, type Value } from "./_code-value.ts";
import { type Call, emitExec } from "./_code-world.ts";

/** The words a call begins with, by its name. Adding a library is adding a row. */
const rows: readonly [RegExp, (call: Call, found: string) => readonly string[] | undefined][] = [
  [/^(?:sh|plumbum\.cmd|plumbum\.local\.cmd)\.(\w+)$/, (_call, program) => [program]],
  [/^git\.(?:Repo\.git|Git)\.(\w+)$/, (_call, verb) => ["git", verb.replaceAll("_", "-")]],
  [
    /^git\.Repo\.(?:head|index)\.(reset)$/,
    (call) => (isOn(call, "working_tree") ? ["git", "reset", "--hard"] : undefined),
  ],
  [/^git\.Repo\.remotes?(?:\.\w+)*\.(push)$/, () => ["git", "push"]],
  [/^git\.Repo\.(delete_head)$/, (call) => ["git", "branch", isOn(call, "force") ? "-D" : "-d"]],
  [/^simple-git\.(raw)$/, () => ["git"]],
  [
    /^simple-git\.(\w+)$/,
    (_call, verb) => ["git", verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)],
  ],
];

/** Reports what a call runs, if its name says so; gives whether it did. */
export function ranByName(call: Call): boolean {
  for (const [sign, wordsOf] of rows) {
    const found = sign.exec(call.name)?.[1];
    if (found === undefined) continue;
    const words = wordsOf(call, found);
    if (!words) return false;
    const options = [...call.named.keys()].filter((name) => isOn(call, name)).map(asOption);
    emitExec(call.world, listOf([...[...words, ...options].map((word) => text(word)), ...flat(call.args)]));
    return true;
  }
  return false;
}

const asOption = (name: string): string =>
  name.length === 1 ? `-${name}` : `--${name.replaceAll("_", "-")}`;

const flat = (args: readonly Value[]): Value[] =>
  args.flatMap((arg) => (arg.is === "list" ? arg.items : arg.is === "record" ? [] : [arg]));
