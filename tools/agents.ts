// Hookline with the real agents, offline: each is installed from the npm registry at a pinned version, set up by `hookline init`,
// and driven by a scripted model on loopback.
//
//   npm run test:agents                        all agents, all scenarios; writes docs/agents.md
//   npm run test:agents -- --agent codex       one of them; several with commas
//   npm run test:agents -- --only guard-late   one scenario
//   npm run test:agents -- --short             two agents, the scenarios that matter most, for every change
//   npm run test:agents -- --record            puts the payloads agents send into src/hosts/*/fixtures
//
// Exits 1 when anything did not hold, or is not what docs/agents.md says. The last line says `N passed, N failed`.
import { parseArgs } from "node:util";
import { drivers } from "./agents/drivers.ts";
import { install } from "./agents/install.ts";
import { insistOnLoopback, isInside, runInside } from "./agents/namespace.ts";
import { record } from "./agents/record.ts";
import { remember, remembered } from "./agents/results.ts";
import { run } from "./agents/run.ts";
import { scenarios } from "./agents/scenarios.ts";
import { tours } from "./agents/tours.ts";
import { root } from "./runtime.ts";

const { values } = parseArgs({
  options: {
    agent: { type: "string" },
    only: { type: "string" },
    short: { type: "boolean" },
    record: { type: "boolean" },
  },
});
const chosen = (all: readonly string[], named: string | undefined, usual = all): readonly string[] => {
  const wanted = named?.split(",") ?? usual;
  const unknown = wanted.find((each) => !all.includes(each));
  if (unknown !== undefined) throw new Error(`There is no ${unknown}: use ${all.join(", ")}.`);
  return wanted;
};
const isShort = values.short === true;
const short = Object.keys(scenarios).filter((id) => scenarios[id]?.short);
const ids = chosen(Object.keys(scenarios), values.only, isShort ? short : undefined);
const agents = chosen(
  Object.keys(drivers),
  values.agent,
  isShort ? ["claude-code", "copilot"] : undefined,
).map((id) => drivers[id]!);
const isWhole = ids.length === Object.keys(scenarios).length;
/** As many at once as there are cores for. */
const atOnce = 2;

if (isInside()) process.exit(await (values.record ? recordAll() : perform()));
try {
  for (const agent of agents) await install(agent);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log(`0 passed, ${agents.length} failed`);
  process.exit(1);
}
process.exit(await runInside());

async function recordAll(): Promise<number> {
  insistOnLoopback();
  let [passed, failed] = [0, 0];
  for (const agent of agents) {
    const planned = tours[agent.id];
    const troubles = planned ? await record(agent, planned) : [`${agent.id} has no tours`];
    for (const each of troubles) console.log(`        not so: ${each}`);
    if (troubles.length > 0) failed++;
    else passed++;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

async function perform(): Promise<number> {
  insistOnLoopback();
  let [passed, failed] = [0, 0];
  for (const agent of agents) {
    const before = remembered(agent.id);
    const words: Record<string, string> = {};
    let isWell = true;
    const isSlow = (id: string): boolean => scenarios[id]?.isSlow === true;
    const queue = [...ids.filter(isSlow), ...ids.filter((id) => !isSlow(id))];
    const work = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const { word, failures, seconds } = await run(agent, scenarios[id]!);
        words[id] = word;
        const said = before?.seen[id];
        const all =
          isWhole || failures.length > 0 || said === word
            ? failures
            : [`docs/agents.md says ${said ?? "nothing"}, seen was ${word}`];
        if (all.length > 0) isWell = false;
        else passed++;
        if (all.length > 0) failed++;
        console.log(
          `${all.length > 0 ? "FAILED" : "ok    "}  ${agent.id}  ${id}  ${word}  (${seconds.toFixed(1)} s)`,
        );
        for (const each of all) console.log(`        not so: ${each}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    if (isWhole && isWell) remember(agent, words);
  }
  await Bun.$`${process.execPath} tools/generate.ts`.cwd(root);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
