import { redact, redactText } from "../../secrets/redact.ts";

// oxlint-disable-next-line no-control-regex -- they are what is taken out
const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** The beginning of a text, with the end marked where something is missing, and nothing a terminal would obey. */
export function clipped(text: string, most: number): string {
  const clean = text.replaceAll("\r\n", "\n").replace(control, "\u00b7");
  return clean.length > most ? `${clean.slice(0, most)}… (${clean.length - most} more characters)` : clean;
}

/** A text as one line that cannot be taken for anything else. */
export const oneLine = (text: string): string => clipped(text.replace(/\s+/g, " ").trim(), 500);

/** An input in a few words, with secrets masked. */
export function inputSummary(input: unknown, reason: string | undefined): string {
  const shown = JSON.stringify(redact(input).value) ?? "";
  const bare = shown === "{}" || shown === "null" ? "" : oneLine(shown).slice(0, 300);
  const why = reason === undefined ? "" : oneLine(redactText(reason).text);
  return [why, bare].filter(Boolean).join(" ");
}

/** An output in a few words, with secrets masked: what it says of itself, or how it begins. */
export function outputSummary(output: unknown, text: string): string {
  const own =
    typeof output === "object" && output !== null && "summary" in output ? output.summary : undefined;
  return oneLine(redactText(typeof own === "string" ? own : text.slice(0, 20_000)).text).slice(0, 300);
}

/** Nested deeper than anybody means it, and than whoever reads it by recursion can bear. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return true;
    level = level.flatMap((each): unknown[] =>
      typeof each === "object" && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}

const deepest = 100;
