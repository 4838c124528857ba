import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as v from "valibot";
import type { Machine } from "../../src/core/install.ts";
import { installs } from "../../src/hosts/installs.generated.ts";
import { root as project } from "../runtime.ts";
import type { Agent, Stage } from "./agent.ts";
import { cache, modulesOf } from "./install.ts";
import { startModel, type Listener, type Turn } from "./model.ts";
import { typeInto, type Typing } from "./terminal.ts";

export const executable = join(project, "dist/hookline");
const limitMs = 150_000;

/** What a run needs besides the agent. */
export interface Play {
  readonly prompt: string;
  /** Keys to add to the policy that `init` has written; its hooks are trusted. */
  readonly policy?: Readonly<Record<string, unknown>>;
  /** Changes the hooks' configuration when all is set up. */
  readonly alters?: (config: string) => string;
  /** Whether the doctor is to be asked, too. */
  readonly asksDoctor?: boolean;
  /** Files of the repository. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** The host to install, where it is not the agent's own. */
  readonly host?: string;
  /** Calls Hookline at events, too, at which `init` leaves it out. */
  readonly moreEvents?: readonly string[];
  /** What is started, one after the other, instead of the agent with the prompt. */
  readonly commands?: (stage: Stage) => readonly (readonly string[] | Sitting)[];
  readonly turns: (stage: Stage) => readonly Turn[];
}

/** A program that is started in a terminal, and what is typed there. */
interface Sitting {
  readonly command: readonly string[];
  readonly typed: readonly Typing[];
}

/** What can be seen of a run when it is over. */
export interface Seen extends Omit<Listener, "results"> {
  readonly stage: Stage;
  /** What the model was told of each of its calls. */
  readonly results: readonly string[];
  /** All the agent printed. */
  readonly printed: string;
  readonly isLate: boolean;
  /** What Hookline has on record. */
  readonly decisions: readonly Decision[];
  /** What `hookline doctor` says beforehand, where it was asked. */
  readonly diagnosis?: Diagnosis;
  readonly read: (name: string) => string | undefined;
}

/** Whether what no agent may touch is still there. */
export const isSafe = ({ stage }: Pick<Seen, "stage">): boolean =>
  existsSync(join(stage.treasure, "gold.txt"));

/** Where a repository's hooks are configured for an agent. */
export function configOf(host: string, { root, home }: Pick<Stage, "root" | "home">): string {
  const machine: Machine = { platform: process.platform, root, home, env: () => undefined };
  const path = installs[host]?.files(machine).repo?.path;
  if (path === undefined) throw new Error(`${host} has no configuration in a repository.`);
  return path;
}

/** Lets an agent play, in a place that is gone afterwards unless it is wanted. */
export async function perform(agent: Agent, play: Play, onSeen: (seen: Seen) => boolean): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), `hookline-agents-${agent.id}-`));
  const place = (name: string): string => {
    mkdirSync(join(base, name));
    return join(base, name);
  };
  const places = {
    root: place("repository"),
    treasure: place("treasure"),
    home: place("home"),
    bin: place("bin"),
    modules: modulesOf(agent),
    cache,
  };
  mkdirSync(join(base, "tmp"));
  writeFileSync(join(places.treasure, "gold.txt"), "gold\n");
  symlinkSync(executable, join(places.bin, "hookline"));

  const model = startModel(agent.wire, (url) => play.turns({ ...places, url }));
  const stage: Stage = { ...places, url: model.url };
  const env = {
    HOME: stage.home,
    PATH: [stage.bin, dirname(Bun.which("node") ?? executable), "/usr/bin", "/bin"].join(":"),
    TMPDIR: join(base, "tmp"),
    LANG: "C.UTF-8",
    SHELL: "/bin/bash",
    TERM: "dumb",
    ...agent.env(stage),
    ...play.env,
  };
  const run = async (command: readonly string[]): Promise<string> => {
    const { exitCode, printed } = await start(command, stage.root, env);
    if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${printed}`);
    return printed;
  };
  try {
    await prepare(agent, play, stage, run);
    await agent.trust?.(stage, env);
    if (play.alters) {
      const config = configOf(agent.id, stage);
      writeFileSync(config, play.alters(readFileSync(config, "utf8")));
    }
    const said = play.asksDoctor ? await start([executable, "doctor", "--json"], stage.root, env) : undefined;
    let printed = "";
    let isLate = false;
    for (const command of play.commands?.(stage) ?? [agent.command(stage, play.prompt)]) {
      const ended =
        "typed" in command
          ? await typeInto(command.command, stage.root, env, command.typed, limitMs)
          : await start(command, stage.root, env);
      printed += ended.printed;
      isLate ||= ended.isLate;
    }
    const decisions = decisionsIn(await run([executable, "log", "--json", "--all"]));
    writeFileSync(join(base, "printed.txt"), printed);
    writeFileSync(join(base, "requests.json"), JSON.stringify(model.requests, null, 1));
    const isKept = onSeen({
      stage,
      printed,
      isLate,
      asked: model.asked,
      results: model.results().map((each) => each ?? ""),
      hears: model.hears,
      left: model.left,
      troubles: model.troubles,
      decisions,
      ...(said ? { diagnosis: v.parse(diagnosis, JSON.parse(said.printed)) } : {}),
      read: (name) => (existsSync(join(base, name)) ? readFileSync(join(base, name), "utf8") : undefined),
    });
    if (isKept) console.log(`        what was seen is in ${base}`);
    else rmSync(base, { recursive: true, force: true });
  } finally {
    await model.close();
  }
}

async function prepare(
  agent: Agent,
  { policy = {}, files = {}, host = agent.id, moreEvents = [] }: Play,
  stage: Stage,
  run: (command: readonly string[]) => Promise<string>,
): Promise<void> {
  await run(["git", "init", "-q", "-b", "main"]);
  for (const [name, text] of Object.entries(files)) writeFile(join(stage.root, name), text);
  await run(["hookline", "init", "--yes", "--host", host]);
  if (moreEvents.length > 0) register(configOf(host, stage), moreEvents);
  if (Object.keys(policy).length > 0) {
    const file = join(stage.root, "hookline.yaml");
    // JSON is YAML.
    const text = Object.entries(policy).reduce(
      (done, [key, value]) =>
        `${done.replace(new RegExp(`^${key}:.*\n`, "m"), "")}${key}: ${JSON.stringify(value)}\n`,
      readFileSync(file, "utf8"),
    );
    writeFileSync(file, text);
    if (policy["hooks"] !== undefined) await run(["hookline", "trust", "--yes"]);
  }
  for (const [path, text] of Object.entries(agent.files?.(stage) ?? {})) writeFile(path, text);
}

/** Puts the entry of the first event to others as well. */
function register(config: string, events: readonly string[]): void {
  const settings = v.parse(hookFile, JSON.parse(readFileSync(config, "utf8")));
  const [first, entry] = Object.entries(settings.hooks)[0] ?? [];
  if (first === undefined) throw new Error(`${config} has no hooks`);
  for (const event of events)
    settings.hooks[event] ??= JSON.parse(JSON.stringify(entry).replaceAll(first, event)) as unknown;
  writeFileSync(config, JSON.stringify(settings, null, 2));
}

const hookFile = v.looseObject({ hooks: v.record(v.string(), v.unknown()) });

export function writeFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Runs a program to its end, with everything it has started. */
async function start(
  command: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<{ exitCode: number; printed: string; isLate: boolean }> {
  const child = Bun.spawn([...command], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  let isLate = false;
  const endAll = (): void => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of them have ended.
    }
  };
  const timer = setTimeout(() => {
    isLate = true;
    endAll();
  }, limitMs);
  const printed = Promise.all([child.stdout.text(), child.stderr.text()]);
  const exitCode = await child.exited;
  clearTimeout(timer);
  endAll();
  return { exitCode, printed: (await printed).join("\n"), isLate };
}

const decision = v.looseObject({
  event: v.looseObject({ name: v.string(), native: v.string(), payload: v.record(v.string(), v.unknown()) }),
  unexpressed: v.array(v.string()),
});
export type Decision = v.InferOutput<typeof decision>;

const texts = v.array(v.looseObject({ text: v.string(), place: v.optional(v.string()) }));
const diagnosis = v.looseObject({ findings: texts, notes: texts });
type Diagnosis = v.InferOutput<typeof diagnosis>;

const decisionsIn = (log: string): Decision[] =>
  log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => v.parse(decision, JSON.parse(line)));
