import type { Run } from "../core/command.ts";
import { isOneOf } from "../core/one-of.ts";
import { isGitVerb } from "./git-verbs.ts";

const isSource = (path: string): boolean => /\.(?!md|txt|json)\w{1,6}$/.test(path);
const starters = "make gmake just npm pnpm yarn bun sed gsed awk gawk mawk nawk xargs gxargs";

/** May a command run something that stands in a file: a script, a target, an alias? */
export const mayRunMore = (run: Run): boolean =>
  run.script !== undefined ||
  run.called.includes("/") ||
  run.opaque === true ||
  run.redirects.some(({ mode }) => mode === "read") ||
  isOneOf(run.program, starters) ||
  run.via.some((name) => isOneOf(name, starters)) ||
  run.args.some(({ text }) => isSource(text)) ||
  (run.program === "git" && !run.args.some(({ text }) => isGitVerb(text)));
