import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { claude, workspace } from "./support/hookline.ts";

const base = workspace();
const env = { HOME: base.home, PATH: "/usr/bin:/bin" };

/** One process that judges line after line, each by a fresh look at the disk. */
const judge = Bun.spawn([join(import.meta.dir, "../dist/hookline"), "eval", "--jsonl"], {
  cwd: base.root,
  env,
  stdin: "pipe",
  stdout: "pipe",
});
const lines = judge.stdout.pipeThrough(new TextDecoderStream()).getReader();
let rest = "";
async function judged(payload: object): Promise<{ outcome: string; findings: { message: string }[] }> {
  await judge.stdin.write(`${JSON.stringify(payload)}\n`);
  await judge.stdin.flush();
  while (!rest.includes("\n")) rest += (await lines.read()).value ?? "";
  const [line = "", ...more] = rest.split("\n");
  rest = more.join("\n");
  return JSON.parse(line);
}

afterAll(async () => {
  await judge.stdin.end();
  await judge.exited;
  base[Symbol.dispose]();
});

const states = ["a", "b", "c", "d"];
const files = ["src/x.ts", "src/y.ts", "docs/p.md", "NOTES.md"];
const globs: Record<string, (file: string) => boolean> = {
  "src/**": (file) => file.startsWith("src/"),
  "docs/*.md": (file) => file === "docs/p.md",
  "*.md": (file) => file === "NOTES.md",
  "**/x.ts": (file) => file === "src/x.ts",
};

interface Made {
  readonly states: Record<string, { forbid: string[]; requires: string[] }>;
  readonly transitions: readonly { from: string; to: string; when: string[] }[];
}

const made: fc.Arbitrary<Made> = fc.record({
  states: fc
    .array(
      fc.record({
        forbid: fc.subarray(Object.keys(globs), { maxLength: 2 }),
        requires: fc.subarray(files, { maxLength: 1 }),
      }),
      {
        minLength: 4,
        maxLength: 4,
      },
    )
    .map((all) =>
      Object.fromEntries(states.map((name, at) => [name, all[at] ?? { forbid: [], requires: [] }])),
    ),
  transitions: fc.array(
    fc.record({
      from: fc.constantFrom(...states),
      to: fc.constantFrom(...states),
      when: fc.subarray(files, { maxLength: 1 }),
    }),
    { minLength: 3, maxLength: 8 },
  ),
});

type Kept = {
  file: string;
  text: (state: string) => string;
  read: (text: string) => string | undefined;
  where: string;
};

/** Where the state lives: a key of YAML, a key of JSON, a marker line. */
const kept: readonly Kept[] = [
  {
    file: "state.yaml",
    where: "key: at",
    text: (s) => `name: one\nat: ${s}\n`,
    read: (t) => /^at: (\w+)$/m.exec(t)?.[1],
  },
  {
    file: "state.json",
    where: "key: run.at",
    text: (s) => JSON.stringify({ run: { at: s } }),
    read: (t) => JSON.parse(t).run?.at,
  },
  {
    file: "STATUS.md",
    where: 'marker: "Status: {state}"',
    text: (s) => `# Work\n\nStatus: ${s}\n`,
    read: (t) => /^Status: (\w+)$/m.exec(t)?.[1],
  },
];

type Act = { tool: "Write"; file: string; text: string } | { tool: "Bash"; command: string };

const acts = ({ file: at, text }: Kept): fc.Arbitrary<Act> => {
  const file = fc.constantFrom(...files);
  const state = fc.constantFrom(...states, "nowhere");
  const move = fc
    .tuple(fc.constantFrom(...states), state)
    .map(([from, to]) => `sed -i 's/${from}$/${to}/; s/"${from}"/"${to}"/' ${at}`);
  const edit = file.map((name) => `echo more >> ${name}`);
  return fc.oneof(
    file.map((name): Act => ({ tool: "Write", file: name, text: "new\n" })),
    state.map((name): Act => ({ tool: "Write", file: at, text: text(name) })),
    fc
      .oneof(
        edit,
        move,
        file.map((name) => `rm -f ${name}`),
        file.map((name) => `printf x | tee ${name} > /dev/null`),
        fc.constantFrom(
          "rm -rf src",
          `rm -f ${at}`,
          `mv ${at} gone.txt`,
          "mv NOTES.md docs/p.md",
          `cp NOTES.md ${at}`,
          ": > NOTES.md",
        ),
        fc.tuple(move, edit).map(([one, two]) => `${one} && ${two}`),
        fc.tuple(edit, move).map(([one, two]) => `${one} && ${two}`),
        fc.tuple(move, move).map(([one, two]) => `${one}; ${two}`),
      )
      .map((command): Act => ({ tool: "Bash", command })),
  );
};

const yamlOf = ({ states: all, transitions }: Made, { file, where }: Kept): string =>
  JSON.stringify({
    extends: [],
    workflows: {
      one: {
        state: {
          file,
          ...(where.startsWith("key") ? { key: where.slice(5) } : { marker: "Status: {state}" }),
        },
        states: Object.fromEntries(
          Object.entries(all).map(([name, { forbid, requires }]) => [
            name,
            {
              ...(forbid.length === 0 ? {} : { forbid: [{ edit: forbid }] }),
              ...(requires.length === 0 ? {} : { requires: requires.map((each) => ({ file: each })) }),
            },
          ]),
        ),
        transitions: transitions.map(({ from, to, when }) => ({
          from,
          to,
          when: when.map((each) => ({ file: each })),
        })),
      },
    },
  });

let count = 0;

test.each(kept.map((each) => [each.where, each] as const))(
  "state in %s: no sequence of allowed actions reaches a state without its guard, or does what a state forbids",
  async (_, place) => {
    let moved = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        made,
        fc.array(acts(place), { minLength: 6, maxLength: 14 }),
        async (flow, sequence) => {
          const root = join(base.root, "..", `run-${count++}`);
          const path = (name: string): string => join(root, name);
          const put = (name: string, text: string): void => {
            mkdirSync(dirname(path(name)), { recursive: true });
            writeFileSync(path(name), text);
          };
          put(".git/HEAD", "ref: refs/heads/main\n");
          put("hookline.yaml", yamlOf(flow, place));
          put(place.file, place.text("a"));
          // Nothing there, or nothing that says otherwise, is the first state.
          const stateNow = (): string => {
            const text = existsSync(path(place.file)) ? readFileSync(path(place.file), "utf8") : "";
            return text.trim() === "" ? "a" : (place.read(text) ?? "a");
          };
          const texts = (): Record<string, string | undefined> =>
            Object.fromEntries(
              files.map((name) => [
                name,
                existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined,
              ]),
            );
          try {
            for (const act of sequence) {
              const input =
                act.tool === "Write"
                  ? { file_path: path(act.file), content: act.text }
                  : { command: act.command };
              const { outcome } = await judged(claude(root, act.tool, input));
              if (outcome === "block" || outcome === "ask") {
                refused++;
                continue;
              }
              const [from, before] = [stateNow(), texts()];
              if (act.tool === "Write") put(act.file, act.text);
              else Bun.spawnSync(["/bin/sh", "-c", act.command], { cwd: root, env, stderr: "ignore" });
              const [to, after] = [stateNow(), texts()];
              const said = JSON.stringify({ act, from, to, flow });
              // Whatever changed was changed where it may be, before the step and behind it.
              const closed = (name: string): boolean =>
                flow.states[from]?.forbid.some((glob) => globs[glob]?.(name)) ?? true;
              for (const name of files)
                if (before[name] !== after[name]) expect([said, closed(name)]).toEqual([said, false]);
              if (from === to) continue;
              moved++;
              const there = (name: string): boolean => (after[name] ?? "").trim() !== "";
              // One call may take several steps: each has to be one, with its guard as things are in the end.
              const steps = (at: string): string[] =>
                flow.transitions
                  .filter(
                    (step) =>
                      step.from === at && [...(flow.states[at]?.requires ?? []), ...step.when].every(there),
                  )
                  .map((step) => step.to);
              const oneOrTwo = new Set(
                steps(from).flatMap((next) => [next, ...(act.tool === "Bash" ? steps(next) : [])]),
              );
              expect([said, oneOrTwo.has(to)]).toEqual([said, true]);
            }
          } finally {
            rmSync(root, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 60 },
    );
    // The walk was one: some steps were taken, and something was refused.
    expect(moved).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(20);
    expect(readdirSync(join(base.root, ".."))).not.toContain("run-0");
  },
  120_000,
);
