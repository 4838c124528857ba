/** Where the loop keeps its state, below the workspace. */
export const loopFile = ".claude/ralph-loop.local.md";

/** A loop as its state file has it: fields between two lines of `---`, and below them the prompt. */
export interface PromiseLoop {
  readonly iteration: number;
  /** 0: no end. */
  readonly max: number;
  /** What the agent has to promise; nothing means that no promise ends the loop. */
  readonly promise?: string;
  /** The session it was started in; nothing means any. */
  readonly session?: string;
  readonly prompt: string;
}

/** Reads a state file, or says why it cannot be used. */
export function readLoop(text: string): PromiseLoop | string {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  const start = lines.indexOf("---");
  const end = lines.indexOf("---", start + 1);
  if (start === -1 || end === -1) return "it has no head between two lines of `---`";
  const head = lines.slice(start + 1, end);
  const field = (name: string): string | undefined =>
    head
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  const iteration = wholeNumber(field("iteration"));
  if (iteration === undefined) return `\`iteration\` is no number: ${field("iteration") ?? "missing"}`;
  const max = wholeNumber(field("max_iterations"));
  if (max === undefined) return `\`max_iterations\` is no number: ${field("max_iterations") ?? "missing"}`;
  const prompt = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  if (prompt === "") return "there is no prompt below its head";
  const promise = unquoted(field("completion_promise"));
  const session = unquoted(field("session_id"));
  return {
    iteration,
    max,
    prompt,
    ...(promise === undefined ? {} : { promise }),
    ...(session === undefined ? {} : { session }),
  };
}

/** The state file with the next number in it, and nothing else changed. */
export const withIteration = (text: string, iteration: number): string =>
  text.replace(/^(iteration:)[^\r\n]*/m, `$1 ${iteration}`);

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

function unquoted(text: string | undefined): string | undefined {
  const bare = text?.replace(/^"(.*)"$/, "$1").replace(/^'(.*)'$/, "$1");
  return bare === undefined || bare === "" || bare === "null" ? undefined : bare;
}
