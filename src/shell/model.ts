/** The shapes of a command line; they live in core because actions carry them. */
export type { Effect, Feed, Language, Redirect, Run, Word } from "../core/command.ts";
