/** What a person types, once the screen shows something: keys, one after the other, and milliseconds of doing nothing. */
export type Typing = readonly [shown: string, ...keys: (string | number)[]];

/** The key that sends what was typed. */
export const enter = "\r";
export const escape = "\u001B";
export const down = "\u001B[B";

const pauseMs = 400;

/** Runs a program in a terminal, and types. What it has shown, and whether it had to be ended. */
export async function typeInto(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  typings: readonly Typing[],
  limitMs: number,
): Promise<{ printed: string; isLate: boolean }> {
  let printed = "";
  const decoder = new TextDecoder();
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...env, TERM: "xterm-256color", COLUMNS: "160", LINES: "50" },
    terminal: {
      cols: 160,
      rows: 50,
      data: (_terminal, bytes) => void (printed += plain(decoder.decode(bytes, { stream: true }))),
    },
  });
  const end = performance.now() + limitMs;
  const isOver = (): boolean => child.exitCode !== null || performance.now() > end;
  let from = 0;
  for (const [shown, ...keys] of typings) {
    while (!squeezed(printed.slice(from)).includes(squeezed(shown)) && !isOver()) await Bun.sleep(50);
    if (isOver()) break;
    from = printed.length;
    for (const key of keys) {
      // A program that is given all of it at once takes it for something pasted.
      await Bun.sleep(typeof key === "number" ? key : pauseMs);
      if (typeof key === "string") child.terminal?.write(key);
    }
  }
  const isLate =
    (await Promise.race([child.exited, Bun.sleep(Math.max(0, end - performance.now()))])) === undefined;
  if (isLate) child.kill("SIGKILL");
  await child.exited;
  child.terminal?.close();
  return { printed, isLate };
}

/** Programs draw words with movements of the cursor between them. */
const squeezed = (text: string): string => text.replace(/\s+/g, "");

/** Without colours and movements. */
const plain = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[@-Z\\-_=>])/g, "");
