import { UsageError } from "./_command.ts";

/** Asks at the terminal; where there is none, nobody can agree. */
export function agreed(question: string, hint: string): boolean {
  if (!process.stdin.isTTY) throw new UsageError(`there is nobody to ask here; ${hint}`);
  const answer = prompt(`${question} [y/N]`);
  return /^y(?:es)?$/i.test(answer?.trim() ?? "");
}
