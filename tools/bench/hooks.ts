// What hooks cost: many definitions of which one is wanted, several hooks side by side, and the runner itself.
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { benign } from "./payloads.ts";
import { type Command, interleave, median, type Sample } from "./measure.ts";

export type HookFigures = {
  /** Milliseconds of CPU. */
  oneDefinition: number;
  thousandDefinitions: number;
  more: number;
  /** Wall milliseconds of an event with ten hooks that each sleep for 20. */
  tenHooks: number;
  noHooks: number;
  /** What a command hook that does nothing adds to an event, next to starting the same command by itself: as waited for, and CPU. */
  runner: number;
  runnerCpu: number;
};

const yaml = (id: string, ability: string, script: string) =>
  `id: ${id}\nevent_type: PostAbilityCall\nenabled: true\nmatch:\n  ability_scope: ${ability}\nhandler:\n  kind: script\n  command: ${script}\n`;

/** A workspace with hooks, all of them trusted. */
async function workspace(
  hookline: string,
  scratch: string,
  files: Record<string, string>,
): Promise<Omit<Command, "name" | "command" | "wrong">> {
  const folder = await mkdtemp(join(scratch, "hooks-"));
  const [root, home] = [join(folder, "workspace"), join(folder, "home")];
  for (const place of [home, join(root, ".git"), join(root, ".system/hooks"), join(root, "scripts")])
    await mkdir(place, { recursive: true });
  await writeFile(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, name), text, { mode: 0o755 });
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const trusted = Bun.spawnSync([hookline, "trust", "--yes"], { cwd: root, env });
  if (trusted.exitCode !== 0) throw new Error(`trust failed: ${trusted.stderr.toString()}`);
  // Files that have just changed are not taken from the cache yet.
  await Bun.sleep(300);
  return {
    cwd: root,
    env,
    stdin: JSON.stringify({ ability_id: "ability-500", session_id: "s", status: "success" }),
  };
}

export async function measureHooks(hookline: string, scratch: string, rounds: number): Promise<HookFigures> {
  const said: Command["wrong"] = ({ stdout, exitCode }) =>
    exitCode || !stdout.includes("usage_recorded") ? "should run the hook that is wanted" : undefined;
  const silent: Command["wrong"] = ({ stdout, exitCode }) =>
    exitCode || stdout !== "{}\n" ? "should say nothing" : undefined;
  const ok: Command["wrong"] = ({ exitCode }) => (exitCode ? "should end well" : undefined);
  const emit = [hookline, "emit", "PostAbilityCall"];
  const script = { "scripts/h.sh": "#!/bin/sh\necho '{\"usage_recorded\":true}'\n" };
  const many = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [
      `.system/hooks/hook_${at}.yaml`,
      yaml(`hook_${at}`, `ability-${at}`, "./scripts/h.sh"),
    ]),
  );
  const one = { ".system/hooks/hook_500.yaml": yaml("hook_500", "ability-500", "./scripts/h.sh") };
  const ten = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [
      `.system/hooks/hook_${at}.yaml`,
      yaml(`hook_${at}`, '"*"', "./scripts/s.sh"),
    ]),
  );
  const command = async (
    name: string,
    files: Record<string, string>,
    wrong: Command["wrong"],
  ): Promise<Command> => ({
    name,
    command: emit,
    wrong,
    ...(await workspace(hookline, scratch, files)),
  });
  const single = await command("one definition", { ...one, ...script }, said);
  const thousand = await command("a thousand definitions", { ...many, ...script }, said);
  const tenfold = await command(
    "ten hooks of 20 ms",
    { ...ten, "scripts/s.sh": "#!/bin/sh\nsleep 0.02\n" },
    silent,
  );
  const none = await command("no hooks", {}, silent);
  // The runner is measured where it counts: in an agent's call, with a hook before a tool.
  const guard = (tool: string) =>
    JSON.stringify({ hooks: { PreToolUse: [{ path: "scripts/g.sh", matcher: { tool_name: tool } }] } });
  const call = async (name: string, tool: string): Promise<Command> => {
    const place = await workspace(hookline, scratch, {
      "settings.json": guard(tool),
      "scripts/g.sh": "#!/bin/sh\nexit 0\n",
    });
    return { ...place, name, command: [hookline, "run"], wrong: ok, stdin: benign(place.cwd) };
  };
  const wanted = await call("a hook that is wanted", "Bash");
  const unwanted = await call("a hook that is not wanted", "Write");
  const bare: Command = {
    ...wanted,
    name: "the hook by itself",
    command: [join(wanted.cwd, "scripts/g.sh")],
  };
  const samples = interleave([single, thousand, tenfold, none, bare, wanted, unwanted], rounds);
  const cpu = (of: Command): number => median((samples.get(of) ?? []).map((each: Sample) => each.cpu));
  const wall = (of: Command): number => median((samples.get(of) ?? []).map((each: Sample) => each.wall));
  return {
    oneDefinition: cpu(single),
    thousandDefinitions: cpu(thousand),
    more: cpu(thousand) - cpu(single),
    tenHooks: wall(tenfold),
    noHooks: wall(none),
    runner: wall(wanted) - wall(unwanted) - wall(bare),
    runnerCpu: cpu(wanted) - cpu(unwanted) - cpu(bare),
  };
}

export const hooksText = (figures: HookFigures): string =>
  [
    "",
    `a thousand definitions of which one is wanted: ${figures.more.toFixed(2)} ms of CPU more than one (target ≤ 3)`,
    `ten hooks of 20 ms each: ${(figures.tenHooks - figures.noHooks).toFixed(0)} ms more than none (target well under 200)`,
    `what the runner adds to a command hook: ${figures.runner.toFixed(2)} ms (target ≤ 2), ${figures.runnerCpu.toFixed(2)} ms of CPU`,
  ].join("\n");
