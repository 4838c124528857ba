// Runs one command and says how long it took. CPU time is the child's own, as the kernel accounts it when the
// child is reaped: on a busy machine it stays put where wall time does not. Its total is exact to the microsecond
// (only the split into user and system goes by ticks).

export type Command = {
  name: string;
  command: string[];
  stdin: string;
  cwd: string;
  env: Record<string, string>;
  /** Says what is wrong with the answer, if something is. */
  wrong: (answer: { stdout: string; exitCode: number }) => string | undefined;
};
export type Sample = { wall: number; cpu: number };

/** One run, in milliseconds. Throws when the command fails or answers something else than expected. */
export function sample({ name, command, stdin, cwd, env, wrong }: Command): Sample {
  const bytes = Buffer.from(stdin);
  const start = performance.now();
  const { stdout, stderr, exitCode, resourceUsage } = Bun.spawnSync(command, {
    cwd,
    env,
    stdin: bytes,
    stdout: "pipe",
    stderr: "pipe",
  });
  const wall = performance.now() - start;
  const problem = wrong({ stdout: stdout.toString(), exitCode });
  if (problem)
    throw new Error(
      `${name}: ${problem} (exit ${exitCode})\n${stdout.toString().slice(0, 500)}${stderr.toString()}`,
    );
  return { wall, cpu: Number(resourceUsage.cpuTime.total) / 1000 };
}

/** Runs every command once per round, each round in another order, so that all meet the same machine. */
export function interleave(commands: Command[], rounds: number): Map<Command, Sample[]> {
  const samples = new Map(commands.map((command): [Command, Sample[]] => [command, []]));
  for (const command of commands) sample(command);
  for (let round = 0; round < rounds; round++) {
    for (const command of shuffled(commands)) samples.get(command)?.push(sample(command));
  }
  return samples;
}

export function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const [below = 0, above = 0] = sorted.slice(half - 1, half + 1);
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : (below + above) / 2;
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
