// How good the suggestions are on prompts the matcher was not fitted on, and what they cost.
//
//   npm run bench:routing                       the evaluation split of corpus/routing
//   npm run bench:routing -- --training --list  the split it was fitted on, with what went wrong: for working on it
//   npm run bench:routing -- --calibration      the split its confidence was read off
//   npm run bench:routing -- --fresh            prompts that were written when the matcher was done
//   npm run bench:routing -- --look             prompts of somebody who had not seen the matcher, half of them to registries of other trades
//   npm run bench:routing -- --json
//
// Exits 1 when a command fails, and 0 whatever the figures are. Misses of the evaluation split are not listed: who reads them tunes on them.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { liveWorld } from "../src/platform/live-world.ts";
import { indexAbilities } from "../src/routing/ability-index.ts";
import { loadAbilities } from "../src/routing/load-abilities.ts";
import { suggest } from "../src/routing/suggest.ts";
import { interleave, median, sample, type Command } from "./bench/measure.ts";
import {
  corpusAbilities,
  inFolder,
  lookPrompts,
  lookRegistries,
  promptsOf,
  registryFiles,
} from "./routing/corpus.ts";
import { measure, type Band, type Calibration, type Quality } from "./routing/measure.ts";
import { lookTrials, sizes, trialsOf } from "./routing/trials.ts";
import { root as project } from "./runtime.ts";

const { values: flags } = parseArgs({
  options: {
    training: { type: "boolean" },
    calibration: { type: "boolean" },
    fresh: { type: "boolean" },
    look: { type: "boolean" },
    list: { type: "boolean" },
    json: { type: "boolean" },
  },
});
if (flags.list && !flags.training) throw new Error("--list is for --training only");
if (flags.look) {
  await look();
  process.exit(0);
}
const split = (["training", "calibration", "fresh"] as const).find((each) => flags[each]) ?? "evaluation";
const prompts = promptsOf(split);
const abilities = await corpusAbilities();
const trials = trialsOf(prompts, abilities);
/** By the size of the registry, and whether it has hints. */
const qualities = [true, false].flatMap((hints) =>
  sizes.map((size) => ({
    hints,
    size,
    quality: measure(trials.filter((trial) => trial.size === size && trial.hints === hints)),
  })),
);
const quality = measure(trials.filter(({ size, hints }) => size === "all" && hints));
const times: Times[] = [];
for (const more of [0, 1000 - abilities.length, 5000 - abilities.length]) times.push(await timesOf(more));

if (flags.json) console.log(JSON.stringify({ quality, qualities, times }, null, 2));
else show();
if (flags.list) list();

type BySize = (typeof qualities)[number];

interface Times {
  readonly abilities: number;
  /** Milliseconds: reading the files and indexing them; one search; a prompt's CPU without routing, and with it and a cache. */
  readonly load: number;
  readonly search: number;
  readonly plain: number;
  readonly routed: number;
  readonly first: number;
}

/** No splits and no sizes: all of it is for evaluation, each prompt for one registry. */
async function look(): Promise<void> {
  const names = Object.keys(lookRegistries) as (keyof typeof lookRegistries)[]; // its own keys
  const registries = Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name, indexAbilities(await corpusAbilities(lookRegistries[name]))] as const),
    ),
  );
  const asked = lookPrompts();
  const measured = (some: typeof asked) => measure(lookTrials(some, registries));
  const all = measured(asked);
  const parts = names.map((name) => ({
    name,
    quality: measured(asked.filter(({ registry }) => registry === name)),
  }));
  if (flags.json) {
    console.log(JSON.stringify({ quality: all, parts }, null, 2));
    return;
  }
  console.log(
    "registry      prompts  precision   recall    quiet    first  in three     error   stated 0.75 to 0.85",
  );
  for (const { name, quality: part } of [{ name: "all", quality: all }, ...parts]) row(name.padEnd(12), part);
  reliability("first places", all.calibration.first);
}

function timesOf(more: number): Promise<Times> {
  return inFolder(registryFiles(more), async (root) => {
    const started = performance.now();
    const all = indexAbilities(loadAbilities(root, liveWorld({})).abilities);
    const load = performance.now() - started;
    const each = prompts.slice(0, 100).map(({ text }) => {
      const start = performance.now();
      suggest(text, all);
      return performance.now() - start;
    });
    const env = { HOME: join(root, "home"), PATH: "/usr/bin:/bin" };
    const call = (name: string, policy: string): Command => ({
      name,
      command: [join(project, "dist/hookline"), "run", "--host", "claude-code"],
      stdin: JSON.stringify({
        session_id: "s",
        hook_event_name: "UserPromptSubmit",
        cwd: join(root, policy),
        prompt: "run the full billing regression tests",
      }),
      cwd: join(root, policy),
      env: { ...env, CLAUDE_PROJECT_DIR: join(root, policy) },
      wrong: ({ exitCode, stdout }) => {
        if (exitCode !== 0) return "it failed";
        return (policy === "") === stdout.includes("billing_regression") ? undefined : "another answer";
      },
    });
    await Bun.write(join(root, "hookline.yaml"), "routing: { abilities: { suggest: true } }\n");
    await Bun.write(join(root, "plain/hookline.yaml"), "mode: enforce\n");
    const [routed, plain] = [call("with routing", ""), call("without", "plain")];
    // What has just been written may change again, and is not remembered.
    await Bun.sleep(300);
    const first = sample(routed).cpu;
    const samples = interleave([plain, routed], 15);
    const cpu = (command: Command): number => median((samples.get(command) ?? []).map((one) => one.cpu));
    return {
      abilities: all.abilities.length,
      load,
      search: median(each),
      plain: cpu(plain),
      routed: cpu(routed),
      first,
    };
  });
}

function show(): void {
  const { used, hitAt1, hitAt3, calibration }: Quality = quality;
  console.log(
    `${quality.prompts} prompts of the ${split} split over ${abilities.length} abilities; ` +
      `${quality.withRight} have a right ability, ${quality.prompts - quality.withRight} have none`,
  );
  console.log(`
precision at 1   ${percent(used.precisionAt1)}   of first suggestions are right (confidence of 0.5 or more)
precision at 3   ${percent(used.precisionAt3)}   of all suggestions, three at most
recall           ${percent(used.recall)}   of prompts with a right ability have one suggested
quiet            ${percent(used.quiet)}   of prompts without one have nothing suggested; ${percent(quality.quieter).trim()} nothing with 0.75 or more
ranked first     ${percent(hitAt1)}   of prompts with a right ability have it in first place, whatever the confidence
ranked in three  ${percent(hitAt3)}   in one of three`);
  reliability("first places", calibration.first);
  reliability("all places", calibration.all);
  console.log(
    "\nregistries of so many abilities, with hints and as rows of ABILITY.md alone; three prompts in five are also put to one that lacks what is right\n" +
      "            prompts  precision   recall    quiet    first  in three     error   stated 0.75 to 0.85",
  );
  for (const each of qualities) bySize(each);
  console.log(
    "\nabilities   reading   search   prompt without   with, first   with, cached   (ms; a prompt in CPU)",
  );
  for (const { abilities, load, search, plain, routed, first } of times)
    console.log(
      [
        String(abilities).padEnd(9),
        load.toFixed(0).padStart(8),
        search.toFixed(2).padStart(8),
        plain.toFixed(1).padStart(15),
        first.toFixed(0).padStart(13),
        routed.toFixed(1).padStart(14),
      ].join(" "),
    );
}

function reliability(of: string, { bands, aroundEight, ece }: Calibration): void {
  console.log(
    `\ncalibration of ${of}: expected error ${ece.toFixed(3)}\n  stated   right   count   19 in 20 between`,
  );
  for (const { stated, right, count, interval } of bands)
    console.log(
      `  ${stated.toFixed(2)}     ${right.toFixed(2)}   ${String(count).padStart(5)}   ${between(interval)}`,
    );
  console.log(`  of ${eight(aroundEight)}`);
}

function between([from, to]: readonly [number, number]): string {
  return `${from.toFixed(2)} and ${to.toFixed(2)}`;
}

function eight({ count, stated, right, interval }: Band): string {
  return `${count} with 0.75 to 0.85 (${stated.toFixed(2)}) ${Math.round(right * count)} were right: ${right.toFixed(2)}, between ${between(interval)}`;
}

function bySize({ hints, size, quality: measured }: BySize): void {
  row(`${String(size).padStart(4)} ${hints ? "hints" : "rows "}`, measured);
}

function row(name: string, { prompts: count, used, hitAt1, hitAt3, calibration }: Quality): void {
  const { aroundEight, ece } = calibration.first;
  console.log(
    [
      name,
      String(count).padStart(8),
      ...[used.precisionAt1, used.recall, used.quiet, hitAt1, hitAt3].map((each) =>
        percent(each).padStart(8),
      ),
      ece.toFixed(3).padStart(10),
      `   ${aroundEight.right.toFixed(2)} of ${aroundEight.count}, ${between(aroundEight.interval)}`,
    ].join(" "),
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`.padStart(6);
}

function list(): void {
  console.log();
  const index = indexAbilities(abilities);
  for (const { text, right } of prompts) {
    const [first] = suggest(text, index, {}, { least: 0, most: 1 });
    const isRight = first ? right.includes(first.id) : right.length === 0;
    if (!isRight && !(right.length === 0 && (first?.confidence ?? 0) < 0.5))
      console.log(
        `${text}\n  ${right.join(", ") || "nothing"}; said ${first ? `${first.id} ${first.confidence}: ${first.reason}` : "nothing"}`,
      );
  }
}
